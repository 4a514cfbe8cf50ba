import type { ReactNode } from "react";
import { ROLES, type Role } from "@/access/roles";
import { UserAvatar } from "@/identity/users/components/user-avatar";
import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { Until } from "@/ui/time";
import { effective, type Membership, mayManage, type ProjectOrGroup } from "../../members/rules";
import { ChangeMember, RemoveMember } from "./member-forms";

type Shown = Readonly<{ resource: ProjectOrGroup; held: Role | null; self: number; now: Date }>;

/**
 * The list of members. Each row shows the role, the source of the role, the expiry date, and the buttons to edit and
 * remove the member.
 */
export function MemberList(props: Shown & { readonly members: readonly Membership[] }) {
  const { members, ...shown } = props;
  if (members.length === 0)
    return <EmptyState title="No members found">Search for any part of a name or username.</EmptyState>;
  return (
    <Rows>
      {members.map((member) => (
        <Row key={member.user.id}>
          <MemberFacts member={member} {...shown} />
          <MemberActions member={member} {...shown} />
        </Row>
      ))}
    </Rows>
  );
}

function MemberFacts({ member, self, now }: Shown & { readonly member: Membership }) {
  const { user, own, inherited } = member;
  const counts = effective(member) === "own" ? own : inherited;
  return (
    <div className="flex min-w-48 flex-1 gap-3">
      <UserAvatar user={user} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 md:flex-nowrap">
          <OneLine text={user.name} className="font-semibold md:max-w-3/4 md:shrink-0" />
          <OneLine text={`@${user.username}`} className="text-muted text-small" />
          {user.id === self ? <Badge>you</Badge> : null}
          {user.state === "active" ? null : (
            <Badge>{user.state === "deactivated" ? "deactivated" : "blocked"}</Badge>
          )}
        </p>
        <p className="flex flex-wrap gap-x-1 text-muted text-small md:flex-nowrap">
          <strong className="text-ink">{counts === null ? "None" : ROLES[counts.role].label}</strong>{" "}
          <Source member={member} />{" "}
          {counts?.expiresAt ? (
            <span className="shrink-0">
              · expires <Until at={counts.expiresAt} now={now} />
            </span>
          ) : null}
        </p>
      </div>
    </div>
  );
}

/** The group from which a member inherits the role. */
function Source({ member }: { readonly member: Membership }): ReactNode {
  const { own, inherited } = member;
  if (inherited === null) return null;
  const { group, role } = inherited;
  const [before, after] =
    own === null
      ? ["inherited from", ""]
      : effective(member) === "own"
        ? [`· ${ROLES[role].label} inherited from`, ""]
        : ["inherited from", ` · ${ROLES[own.role].label} as a direct member`];
  return (
    <OneLine text={`${before} ${group.fullPath}${after}`}>
      {before} <a href={`/groups/${group.id}/members`}>{group.fullPath}</a>
      {after}
    </OneLine>
  );
}

/**
 * The buttons that edit and remove a direct membership. Inherited memberships can be changed only in the
 * group from which they are inherited.
 */
function MemberActions({ member, resource, held, self }: Shown & { readonly member: Membership }) {
  const { own, user } = member;
  if (own === null) return null;
  const manages = held !== null && mayManage(resource, held, [own.role]);
  if (!manages && user.id !== self) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {manages ? <ChangeMember resource={resource} held={held} user={user} own={own} /> : null}
      <RemoveMember resource={resource} user={user} isSelf={user.id === self} />
    </div>
  );
}
