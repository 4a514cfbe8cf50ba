import type { User } from "@/access/principal";
import type { Role } from "@/access/roles";
import { mayManage, type ProjectOrGroup } from "../members/rules";

/** The number of days for which the link of an invitation is valid. */
export const VALID_DAYS = 7;

/** The target of an invitation: a membership in a project or a group, or only an account of the instance. */
export type InvitationTarget = ProjectOrGroup | Readonly<{ kind: "instance" }>;

export type Invitation = Readonly<{
  id: number;
  email: string;
  groupId: number | null;
  projectId: number | null;
  /** The role of the membership; null for an invitation to the instance. */
  role: Role | null;
  /** The time when the membership expires; null for a permanent membership. */
  membershipExpiresAt: Date | null;
  invitedById: number;
  invitedByName: string;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
}>;

/** The reason why an invitation is refused. */
export type InvitationRefusal = "not_allowed" | "owners_may_not" | "invalid_email" | "is_invited" | "limited";

/**
 * Returns the reason why a user may not invite people, or null. Administrators may always invite people. For
 * all other members, a setting of the instance must allow invitations, because an invitation creates an
 * account even while registration is closed.
 */
export function invitationProblem(
  target: InvitationTarget,
  by: Pick<User, "admin">,
  { held, role, ownersMay }: Readonly<{ held: Role | null; role: Role | null; ownersMay: boolean }>,
): "not_allowed" | "owners_may_not" | null {
  if (target.kind === "instance") return by.admin ? null : "not_allowed";
  if (!mayManage(target, held, role === null ? [] : [role])) return "not_allowed";
  return by.admin || (ownersMay && held === "owner") ? null : "owners_may_not";
}

/** Returns the unique key of an invitation, which consists of the target and the e-mail address. */
export const invitationKey = (target: InvitationTarget, email: string): string =>
  `${target.kind}:${target.kind === "instance" ? 0 : target.id}:${email.toLowerCase()}`;
