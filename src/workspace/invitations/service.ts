import type { User } from "@/access/principal";
import { ROLES, type Role } from "@/access/roles";
import { emailProblem } from "@/identity/users/rules";
import { findById as findUser } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { newLinkToken, openLinkToken } from "@/instance/mail/link-token";
import { sendMail } from "@/instance/mail/service";
import { reserveInOrder } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { findGroup, resourceOf as groupResource } from "../groups/service";
import { roleIn } from "../members/service";
import { findProject, resourceOf as projectResource } from "../projects/service";
import {
  type Invitation,
  type InvitationRefusal,
  type InvitationTarget,
  invitationKey,
  invitationProblem,
  VALID_DAYS,
} from "./rules";
import * as store from "./store";

const PURPOSE = "invitation";

/** The inviting user. `held` is the role of this user in the project or group. */
type Inviter = Readonly<{ target: InvitationTarget; by: User; held: Role | null }>;

type Terms = Readonly<{ email: string; role: Role | null; expiresAt: Date | null }>;

/** Returns the reason why a user may not invite any person to this target, or null. */
export async function inviterProblem(
  deps: Deps,
  { target, by, held }: Inviter,
): Promise<InvitationRefusal | null> {
  const ownersMay = (await readSettings(deps)).owners_can_invite;
  return invitationProblem(target, by, { held, role: null, ownersMay });
}

/**
 * Invites the owner of an e-mail address, and sends the link. The result does not depend on whether an
 * account has this e-mail address.
 */
export async function invite(
  deps: Deps,
  { target, by, held }: Inviter,
  { email, role, expiresAt: membershipExpiresAt }: Terms,
): Promise<Invitation | InvitationRefusal> {
  const settings = await readSettings(deps);
  const problem = invitationProblem(target, by, { held, role, ownersMay: settings.owners_can_invite });
  if (problem !== null) return problem;
  if (emailProblem(email) !== null) return "invalid_email";
  if (await isLimited(deps, by, email)) return "limited";
  const key = invitationKey(target, email);
  try {
    return await deps.transaction(async (within) => {
      const now = within.clock();
      await store.removeExpired(within.db, key, now);
      const row = { key, email, target, role, membershipExpiresAt, invitedById: by.id };
      const invitation = await store.insert(within.db, { ...row, createdAt: now, ...linkTimes(now) });
      await audit.record(within, "invitation.created", { email, to: nameOf(target) }, { userId: by.id });
      await sendLink(within, target, by, invitation);
      return invitation;
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "is_invited";
    throw cause;
  }
}

async function isLimited(deps: Deps, by: User, email: string): Promise<boolean> {
  const settings = await readSettings(deps);
  const counted = [
    limitOf(settings, "invitation_per_user", String(by.id)),
    limitOf(settings, "invitation_per_email", email.toLowerCase()),
  ];
  return (await reserveInOrder(deps.db, counted, deps.clock())) !== null;
}

const linkTimes = (now: Date) => ({
  sentAt: now,
  expiresAt: new Date(now.getTime() + VALID_DAYS * 86_400_000),
});

const nameOf = (target: InvitationTarget): string =>
  target.kind === "instance" ? "the instance" : `the ${target.kind} ${target.fullPath}`;

async function sendLink(
  deps: Deps,
  target: InvitationTarget,
  by: User,
  { id, email, role, sentAt, expiresAt }: Invitation,
): Promise<void> {
  const token = newLinkToken(deps, PURPOSE, `${id} ${sentAt.getTime()}`, VALID_DAYS * 86_400);
  const as = role === null ? "" : ` as ${ROLES[role].label}`;
  await sendMail(deps, {
    kind: "invitation",
    to: email,
    userId: null,
    subject: "You are invited",
    content: {
      // The recipient may be a stranger, so the e-mail contains no text that the inviting user chose freely,
      // such as a name.
      paragraphs: [`@${by.username} invites you to ${nameOf(target)}${as}.`],
      action: {
        label: "Open the invitation",
        url: `${deps.config.issuer}/users/invitation?invitation_token=${token}`,
      },
      closing: [
        `The link is valid for ${VALID_DAYS} days, until ${expiresAt.toISOString().slice(0, 10)}, and can be used once. If you do not know the sender, ignore this e-mail.`,
      ],
    },
  });
}

const LISTED_MAX = 100;

/** Returns the newest pending invitations to a target, newest first, including expired invitations. */
export const listInvitations = (
  deps: Pick<Deps, "db">,
  target: InvitationTarget,
): Promise<readonly Invitation[]> => store.list(deps.db, target, LISTED_MAX);

/**
 * Returns a page of the pending invitations to a target, newest first, including expired invitations.
 * @param email if given, only the invitation for this e-mail address is returned.
 */
export const listInvitationsPage = (
  { db }: Pick<Deps, "db">,
  target: InvitationTarget,
  email: string | null,
  paging: Paging,
): Promise<Page<Invitation>> =>
  store.listPage(db, { target, key: email === null ? null : invitationKey(target, email) }, paging);

/** Returns the invitation to a target for an e-mail address, or null. */
export const findInvitation = (
  { db }: Pick<Deps, "db">,
  target: InvitationTarget,
  email: string,
): Promise<Invitation | null> => store.findByKey(db, invitationKey(target, email));

/** Returns the invitation with this id; null if the invitation has another target. */
async function invitationTo(deps: Deps, target: InvitationTarget, id: number): Promise<Invitation | null> {
  const invitation = await store.find(deps.db, id);
  const groupId = target.kind === "group" ? target.id : null;
  const projectId = target.kind === "project" ? target.id : null;
  return invitation?.groupId === groupId && invitation.projectId === projectId ? invitation : null;
}

/** Sends a new link of an invitation. Earlier links become invalid. @returns null on success. */
export async function resendInvitation(
  deps: Deps,
  { target, by, held }: Inviter,
  id: number,
): Promise<InvitationRefusal | "gone" | null> {
  const before = await invitationTo(deps, target, id);
  if (before === null) return "gone";
  const ownersMay = (await readSettings(deps)).owners_can_invite;
  const problem = invitationProblem(target, by, { held, role: before.role, ownersMay });
  if (problem !== null) return problem;
  if (await isLimited(deps, by, before.email)) return "limited";
  return deps.transaction(async (within) => {
    const times = linkTimes(within.clock());
    if (!(await store.renew(within.db, id, times))) return "gone";
    await sendLink(within, target, by, { ...before, ...times });
    return null;
  });
}

type ChangedTerms = Readonly<{ role?: Role | undefined; expiresAt?: Date | null | undefined }>;

/**
 * Changes the role and the expiry date of the membership that an invitation offers. The link of the
 * invitation stays valid. The user who makes the change becomes the inviting user, because the link is valid
 * only while the inviting user has the right to offer the role.
 */
export async function changeInvitation(
  deps: Deps,
  { target, by, held }: Inviter,
  id: number,
  changes: ChangedTerms,
): Promise<Invitation | InvitationRefusal | "gone"> {
  const before = await invitationTo(deps, target, id);
  if (before?.role == null) return "gone";
  const ownersMay = (await readSettings(deps)).owners_can_invite;
  const { role = before.role, expiresAt = before.membershipExpiresAt } = changes;
  for (const concerned of [before.role, role]) {
    const problem = invitationProblem(target, by, { held, role: concerned, ownersMay });
    if (problem !== null) return problem;
  }
  return deps.transaction(async (within) => {
    const terms = { role, membershipExpiresAt: expiresAt, invitedById: by.id };
    const invitation = await store.update(within.db, id, terms);
    if (invitation === null) return "gone";
    const details = { email: before.email, to: nameOf(target) };
    await audit.record(within, "invitation.changed", details, { userId: by.id });
    return invitation;
  });
}

/** Revokes an invitation, so that its link becomes invalid. @returns null on success. */
export async function revokeInvitation(
  deps: Deps,
  { target, by, held }: Inviter,
  id: number,
): Promise<InvitationRefusal | "gone" | null> {
  const before = await invitationTo(deps, target, id);
  if (before === null) return "gone";
  const problem = invitationProblem(target, by, { held, role: before.role, ownersMay: true });
  if (problem !== null) return problem;
  return deps.transaction(async (within) => {
    if (!(await store.remove(within.db, id))) return "gone";
    const details = { email: before.email, to: nameOf(target) };
    await audit.record(within, "invitation.revoked", details, { userId: by.id });
    return null;
  });
}

/** An invitation whose link was opened, with the target of the invitation and the inviting user. */
export type OpenedInvitation = Readonly<{
  invitation: Invitation;
  target: InvitationTarget;
  inviter: User;
  held: Role | null;
}>;

/**
 * Returns the invitation of a link; null if the link is invalid, has expired or was already used, or if the
 * inviting user has lost the right to invite.
 */
export async function openInvitation(deps: Deps, token: string): Promise<OpenedInvitation | null> {
  const [id = "", sentAt = ""] = openLinkToken(deps, PURPOSE, token)?.split(" ") ?? [];
  const invitation = await store.find(deps.db, Number(id) || 0);
  if (invitation === null || String(invitation.sentAt.getTime()) !== sentAt) return null;
  const inviter = await findUser(deps, invitation.invitedById);
  if (inviter?.state !== "active") return null;
  const target = await targetOf(deps, invitation, inviter);
  if (target === null) return null;
  const held = target.kind === "instance" ? null : await roleIn(deps, target, inviter);
  const ownersMay = (await readSettings(deps)).owners_can_invite;
  const problem = invitationProblem(target, inviter, { held, role: invitation.role, ownersMay });
  return problem === null ? { invitation, target, inviter, held } : null;
}

async function targetOf(
  deps: Deps,
  { groupId, projectId }: Invitation,
  inviter: User,
): Promise<InvitationTarget | null> {
  if (groupId !== null) {
    const group = await findGroup(deps, String(groupId), inviter);
    return group && groupResource(group);
  }
  if (projectId === null) return { kind: "instance" };
  const project = await findProject(deps, String(projectId), inviter);
  return project && projectResource(project);
}
