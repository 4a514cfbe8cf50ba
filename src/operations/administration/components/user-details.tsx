import type { ReactNode } from "react";
import { confirmedEmail } from "@/access/principal";
import type { ListedUser } from "@/identity/users/administration";
import type { DependentApplications } from "@/oauth/applications/rules";
import { Button } from "@/ui/button";
import { Card, Fact, Facts } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { Ago } from "@/ui/time";
import {
  blockUser,
  confirmEmail,
  demoteAdministrator,
  makeAdministrator,
  resetSecondFactor,
  unblockUser,
} from "../actions";
import type { DeletionImpact } from "../deletion-impact";
import { Act } from "./act";
import { USER_SECTIONS } from "./user-sections";
import { Activity, Approval, Deletion } from "./user-states";
import { LastSignIn, UserBadges } from "./user-table";

/** The details of a user, with the actions of an administrator. */
export function UserDetails(props: {
  readonly user: ListedUser;
  readonly dependent: DependentApplications;
  readonly impact: DeletionImpact;
  /** Whether the details are those of the administrator who views the page. */
  readonly self: boolean;
  readonly now: Date;
  /** The forms that change the account. */
  readonly children: ReactNode;
}) {
  const { user, impact, now } = props;
  return (
    <>
      <Facts id={USER_SECTIONS.account.id}>
        <Fact name="Username">{user.username}</Fact>
        <Fact name="E-mail">{confirmedEmail(user) ?? "No confirmed e-mail address"}</Fact>
        <Fact name="State">
          <UserBadges user={user} />
        </Fact>
        <Fact name="Two-factor">
          {user.twoFactorSince === null ? "Not set up" : <Ago at={user.twoFactorSince} now={now} />}
        </Fact>
        <Fact name="Created">
          <Ago at={user.createdAt} now={now} />
        </Fact>
        <Fact name="Last sign-in">
          <LastSignIn at={user.lastSignIn} now={now} />
        </Fact>
        <Fact name="Events">
          <a href={`/admin/audit_events?person=${encodeURIComponent(user.username)}`}>Show audit events</a>
        </Fact>
      </Facts>
      {impact.deletion?.isRunning ? <Deletion user={user} impact={impact} /> : <Actions {...props} />}
    </>
  );
}

/**
 * The actions of an administrator. For a user whose deletion has begun, no actions are shown, because the
 * deletion cannot be canceled.
 */
function Actions({ user, dependent, self, now, children }: Parameters<typeof UserDetails>[0]) {
  return (
    <>
      {user.pendingEmail === null ? null : (
        <PendingEmail user={user} email={user.pendingEmail.email} at={user.pendingEmail.at} now={now} />
      )}
      {children}
      {self ? (
        <p className="text-muted">
          This is you. Change your password on <a href="/user_settings/profile">your profile</a>. Only another
          administrator can block you or remove your administrator rights.
        </p>
      ) : (
        <>
          {user.twoFactorSince === null ? null : <SecondFactor user={user} />}
          <Rights user={user} />
          <Activity user={user} />
          <Access user={user} dependent={dependent} />
        </>
      )}
    </>
  );
}

function PendingEmail(props: {
  readonly user: ListedUser;
  readonly email: string;
  readonly at: Date;
  readonly now: Date;
}) {
  return (
    <Card
      id={USER_SECTIONS.pendingEmail.id}
      title={USER_SECTIONS.pendingEmail.label}
      about={
        <span className="wrap-anywhere">
          {props.user.username} requested <b className="font-semibold">{props.email}</b>{" "}
          <Ago at={props.at} now={props.now} />. Applications identify users by their e-mail address: confirm
          the e-mail address only if you are sure that it belongs to this user.
        </span>
      }
      action={
        <form action={confirmEmail}>
          <input type="hidden" name="id" value={props.user.id} />
          <input type="hidden" name="email" value={props.email} />
          <Button>Confirm e-mail address</Button>
        </form>
      }
    />
  );
}

function SecondFactor({ user: { id, username } }: { readonly user: ListedUser }) {
  return (
    <Card
      id={USER_SECTIONS.secondFactor.id}
      title={USER_SECTIONS.secondFactor.label}
      about="Remove the second factor only for a user who has lost the second factor and the recovery codes. First make sure that the user requested the removal."
      action={
        <Confirm
          id="reset-second-factor"
          summary="Remove"
          title={`Remove the second factor of ${username}?`}
          question={`${username} signs in by password alone until they set up a new second factor. Passkeys and recovery codes are removed, too.`}
        >
          <Act action={resetSecondFactor} id={id} kind="danger">
            Remove the second factor of {username}
          </Act>
        </Confirm>
      }
    />
  );
}

function Rights({ user }: { readonly user: ListedUser }) {
  const { username, admin } = user;
  return (
    <Card
      id={USER_SECTIONS.rights.id}
      title={admin ? "Administrator" : "Not an administrator"}
      about="Administrators can see and change everything in the admin area."
      action={
        admin ? (
          <Confirm
            id="demote"
            summary="Remove administrator rights"
            title={`Remove the administrator rights of ${username}?`}
            question="The user can still sign in, but no longer has access to the admin area."
          >
            <Act action={demoteAdministrator} id={user.id} kind="danger">
              Remove the administrator rights of {username}
            </Act>
          </Confirm>
        ) : (
          <Confirm
            id="promote"
            kind="plain"
            summary="Make an administrator"
            title={`Make ${username} an administrator?`}
            question="Administrators can block you, read the audit events and change every setting."
          >
            <Act action={makeAdministrator} id={user.id} kind="plain">
              Make {username} an administrator
            </Act>
          </Confirm>
        )
      }
    />
  );
}

function Access(props: { readonly user: ListedUser; readonly dependent: DependentApplications }) {
  const { user, dependent } = props;
  const { username } = user;
  if (user.state === "blocked_pending_approval") return <Approval user={user} />;
  return user.state === "blocked" ? (
    <Card
      id={USER_SECTIONS.block.id}
      title="Blocked"
      about="This user cannot sign in. The sessions, grants and access tokens of the user were revoked. Unblocking does not restore sessions, grants and tokens."
      action={
        <Act action={unblockUser} id={user.id} kind="plain">
          Unblock
        </Act>
      }
    />
  ) : (
    <Card
      id={USER_SECTIONS.block.id}
      title={USER_SECTIONS.block.label}
      about="Blocking ends the sessions of this user, revokes all grants and access tokens, and prevents sign-in. Nothing is deleted."
      action={
        <Confirm
          id="block"
          summary="Block"
          title={`Block ${username}?`}
          question={
            <div className="grid gap-3">
              <p>
                {username} is signed out everywhere, and every grant and access token is revoked. Unblocking
                lets the user sign in again, but does not restore grants and tokens.
              </p>
              <Dependent dependent={dependent} admin={user.admin} />
            </div>
          }
        >
          <Act action={blockUser} id={user.id} kind="danger">
            Block {username}
          </Act>
        </Confirm>
      }
    >
      <Dependent dependent={dependent} admin={user.admin} />
    </Card>
  );
}

/** Lists the applications of a user that stop working when the user is blocked. */
function Dependent(props: { readonly dependent: DependentApplications; readonly admin: boolean }) {
  const { count, shown } = props.dependent;
  if (props.admin)
    return (
      <p className="text-small">
        Applications of an administrator continue to work. To stop these applications, remove the
        administrator rights first, or block the applications.
      </p>
    );
  if (count === 0) return null;
  const more = count - shown.length;
  return (
    <div className="grid gap-1 text-small">
      <p>
        {count === 1 ? "1 application of this user stops" : `${count} applications of this user stop`} for all
        users until the user is unblocked. To keep an application working, trust the application.
      </p>
      <ul className="list-disc pl-5">
        {shown.map(({ id, name, users }) => (
          <li key={id} className="wrap-anywhere">
            <a href={`/admin/applications/${id}`}>
              <bdi>{name}</bdi>
            </a>
            : {users === 0 ? "no users" : users === 1 ? "1 user" : `${users} users`}
          </li>
        ))}
        {more === 0 ? null : <li>and {more} more</li>}
      </ul>
    </div>
  );
}
