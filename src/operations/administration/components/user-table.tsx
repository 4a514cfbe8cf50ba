import { confirmedEmail, type UserState } from "@/access/principal";
import type { ListedUser } from "@/identity/users/administration";
import { UserAvatar } from "@/identity/users/components/user-avatar";
import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { WithAvatar } from "@/ui/with-avatar";

const COLUMNS: readonly Column[] = [
  { name: "User", width: "rest" },
  { name: "State" },
  { name: "Created" },
  { name: "Last sign-in" },
];

export function UsersTable(props: {
  readonly users: readonly ListedUser[];
  readonly search: string;
  readonly now: Date;
}) {
  if (props.users.length === 0)
    return (
      <EmptyState title="No user matches this search">
        Search for the beginning of a username or of an e-mail address, or for any part of a name.
      </EmptyState>
    );
  const rows = props.users.map((user) => ({
    key: user.id,
    cells: [
      <Who key="who" user={user} />,
      // The badges of a user fit on two lines.
      <span key="state" className="block lg:w-max lg:max-w-52">
        <UserBadges user={user} />
      </span>,
      <Ago key="created" at={user.createdAt} now={props.now} />,
      <LastSignIn key="last" at={user.lastSignIn} now={props.now} />,
    ],
  }));
  return <Table caption="Users" columns={COLUMNS} rows={rows} />;
}

/**
 * Lists users whose registration or e-mail address an administrator must confirm. The component renders
 * nothing if there are no such users.
 */
export function WaitingUsers(props: {
  /** The sentence that introduces the list and ends with a colon. */
  readonly about: string;
  readonly users: readonly Readonly<{ id: number; username: string }>[];
}) {
  const { about, users } = props;
  if (users.length === 0) return null;
  return (
    <Notice kind="done">
      <p>{about}</p>
      <ul className="flex flex-wrap gap-x-4">
        {users.map(({ id, username }) => (
          <li key={id} className="wrap-anywhere">
            <a href={`/admin/users/${id}`}>{username}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Who({ user }: { readonly user: ListedUser }) {
  const email = confirmedEmail(user);
  return (
    <WithAvatar avatar={<UserAvatar user={user} />}>
      <a href={`/admin/users/${user.id}`} className="max-w-full justify-self-start font-semibold">
        <OneLine text={user.name} />
      </a>
      <span className="flex flex-wrap gap-x-2 text-small text-muted md:flex-nowrap">
        <OneLine text={`@${user.username}`} />
        {email === null ? null : <OneLine text={email} />}
      </span>
    </WithAvatar>
  );
}

/** The labels for the states of users. */
export const USER_STATE_LABELS: Readonly<Record<UserState, string>> = {
  active: "active",
  blocked: "blocked",
  deactivated: "deactivated",
  blocked_pending_approval: "waits for approval",
};

/** Shows the state, the role and the two-factor authentication of a user as badges. */
export function UserBadges({ user }: { readonly user: ListedUser }) {
  const words = [
    USER_STATE_LABELS[user.state],
    ...(user.admin ? ["administrator"] : []),
    ...(user.twoFactorSince === null ? [] : ["two-factor"]),
  ];
  return (
    <span className="flex flex-wrap gap-1">
      {words.map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  );
}

/**
 * Shows the time of the last sign-in of a user. Ended sessions are deleted after some time, so a missing time
 * does not mean that the user has never signed in.
 */
export const LastSignIn = (props: { readonly at: Date | null; readonly now: Date }) =>
  props.at === null ? <span>Not recently</span> : <Ago at={props.at} now={props.now} />;
