import { z } from "zod";
import { badRequest, forbidden, forbiddenBecause, invalidParameters, notFound } from "@/http-api/errors";
import { accessLevel, ids, text, words } from "@/http-api/fields";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { REFUSAL_TEXTS } from "@/workspace/invitations/labels";
import type { Invitation, InvitationRefusal } from "@/workspace/invitations/rules";
import * as invitations from "@/workspace/invitations/service";
import * as members from "@/workspace/members/service";
import type { InvitationResult } from "./entities/invitation";
import { type InResource, managerOf } from "./managed-resource";
import { ends, requireFutureDate, roleAt } from "./members";

export const invitationSearch = z.object({
  query: text(1_000)
    .optional()
    .describe("An e-mail address. The e-mail address must match exactly, except for letter case."),
});

/** Returns a page of the pending invitations to a project or a group, newest first. */
export const listInvitations = (
  deps: Deps,
  context: InResource,
  { query }: z.infer<typeof invitationSearch>,
  paging: Paging,
): Promise<Page<Invitation>> =>
  invitations.listInvitationsPage(deps, managerOf(context).resource, query || null, paging);

/** The maximum number of e-mail addresses and users in one request, which is the same as in GitLab. */
const AT_ONCE = 100;

export const newInvitations = z.object({
  email: words.optional().describe("E-mail addresses, separated by commas."),
  user_id: z
    .union([z.int().transform((id) => [id]), ids])
    .meta({ type: ["integer", "string"] })
    .optional()
    .describe("Ids of users, separated by commas. These users become members immediately."),
  access_level: accessLevel,
  expires_at: ends.describe("The expiry date of the membership."),
});

/**
 * Invites people by e-mail and adds users as members. An invalid e-mail address or user does not affect the
 * other e-mail addresses and users.
 * @throws ApiError 400 for invalid parameters.
 */
export async function createInvitations(
  deps: Deps,
  context: InResource,
  { email: entered = [], user_id = [], access_level, expires_at = null }: z.infer<typeof newInvitations>,
): Promise<InvitationResult> {
  const emails = new Map(entered.map((email) => [email.toLowerCase(), email]));
  const total = emails.size + user_id.length;
  if (total === 0)
    throw invalidParameters(["email, user_id are missing, at least one parameter must be provided"]);
  if (total > AT_ONCE) throw badRequest(`Too many users specified (limit is ${AT_ONCE})`);
  requireFutureDate(deps, expires_at);
  const { resource, by, held } = managerOf(context);
  const terms = { role: roleAt(access_level), expiresAt: expires_at };
  const problems: Record<string, string> = {};
  for (const email of emails.values()) {
    const inviter = { target: resource, by, held };
    const outcome = await invitations.invite(deps, inviter, { email, ...terms });
    if (typeof outcome === "string") problems[email] = INVITATION_PROBLEMS[outcome];
  }
  for (const id of user_id) {
    const user = await users.findById(deps, id);
    const outcome =
      user === null ? "not_member" : await members.addMember(deps, { resource, by, held }, user, terms);
    if (typeof outcome === "string") problems[user?.username ?? String(id)] = MEMBER_PROBLEMS[outcome];
  }
  return { status: Object.keys(problems).length === 0 ? "success" : "error", problems };
}

const INVITATION_PROBLEMS: Readonly<Record<InvitationRefusal, string>> = {
  ...REFUSAL_TEXTS,
  invalid_email: "Invite email is invalid",
  is_invited: "The member's email address has already been taken",
};

const MEMBER_PROBLEMS: Readonly<Record<members.MemberRefusal, string>> = {
  not_allowed: "not authorized to create member",
  is_member: "User already exists in source",
  not_member: "User not found",
  last_owner: "At least one owner must remain",
  lower_than_inherited:
    "Access level is lower than the access level that the member inherits from a parent group",
};

export const invitationReference = z.object({
  email: text(1_000).describe("The e-mail address of the invitation."),
});

export const invitationChange = invitationReference.extend({
  access_level: accessLevel.optional(),
  expires_at: ends.describe("The expiry date of the membership."),
});

/**
 * Changes the role and the expiry date of an invitation. The link of the invitation stays valid.
 * @throws ApiError 400, 403 or 404.
 */
export async function changeInvitation(
  deps: Deps,
  context: InResource,
  { email, access_level, expires_at }: z.infer<typeof invitationChange>,
): Promise<Invitation> {
  requireFutureDate(deps, expires_at);
  const { resource: target, by, held } = managerOf(context);
  const before = await requireInvitation(deps, context, email);
  const role = access_level === undefined ? undefined : roleAt(access_level);
  const changes = { role, expiresAt: expires_at };
  const outcome = await invitations.changeInvitation(deps, { target, by, held }, before.id, changes);
  if (typeof outcome === "string") throw refusalError(outcome);
  return outcome;
}

/** Revokes an invitation, so that its link becomes invalid. @throws ApiError 403 or 404. */
export async function revokeInvitation(
  deps: Deps,
  context: InResource,
  { email }: z.infer<typeof invitationReference>,
): Promise<null> {
  const { resource: target, by, held } = managerOf(context);
  const { id } = await requireInvitation(deps, context, email);
  const refusal = await invitations.revokeInvitation(deps, { target, by, held }, id);
  if (refusal !== null) throw refusalError(refusal);
  return null;
}

async function requireInvitation(deps: Deps, context: InResource, email: string): Promise<Invitation> {
  const invitation = await invitations.findInvitation(deps, managerOf(context).resource, email);
  if (invitation === null) throw notFound();
  return invitation;
}

function refusalError(refusal: InvitationRefusal | "gone") {
  if (refusal === "gone") return notFound();
  return refusal === "owners_may_not" ? forbiddenBecause(REFUSAL_TEXTS[refusal]) : forbidden();
}
