"use server";

import { redirect } from "next/navigation";
import { find as findUser } from "@/identity/users/service";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { findGroup } from "../groups/service";
import type { InviteFormState } from "../invitations/components/invite-form";
import { REFUSAL_TEXTS as INVITATION_REFUSALS } from "../invitations/labels";
import type { InvitationRefusal } from "../invitations/rules";
import { readEmail } from "../invitations/schema";
import { invite, resendInvitation, revokeInvitation } from "../invitations/service";
import { dayIn, type MemberDraft, readMemberForm, readResourceKind } from "../members/schema";
import * as members from "../members/service";
import { findProject } from "../projects/service";
import { type MembersPageContext, requireResource } from "./loaders";

/** The error texts, with the names of the form fields as keys. */
export type MemberProblems = Readonly<Partial<Record<keyof MemberDraft, string>>>;
/** The state of the member form: the entered values, and the error texts by field. */
export type MemberFormState = Readonly<{ draft: MemberDraft; problems: MemberProblems }>;

const DAY_PROBLEM = "Select a date in the future, or leave the field empty.";

const REFUSAL_TEXTS: Readonly<Record<members.MemberRefusal, string>> = {
  not_allowed: "You cannot add, change or remove a role higher than your own.",
  is_member: "This user is already a member. Edit the role in the list.",
  not_member: "This user is no longer a member. Reload the list of members.",
  last_owner: "This user is the last owner with a permanent membership. Make another user an owner first.",
  lower_than_inherited:
    "This user inherits a higher role from a parent group. Select at least the inherited role.",
};

/** The form field next to which the error text is displayed. */
const FIELD: Readonly<Record<members.MemberRefusal, keyof MemberDraft>> = {
  not_allowed: "role",
  is_member: "username",
  not_member: "username",
  last_owner: "role",
  lower_than_inherited: "role",
};

export async function addMember(_before: MemberFormState, form: FormData): Promise<MemberFormState> {
  const { resource, session, held, url } = await resourceIn(form);
  const deps = systemDeps();
  const draft = readMemberForm(form);
  // Users cannot be added by e-mail address, because the form would reveal which accounts exist.
  const user = draft.username.includes("@") ? null : await findUser(deps, draft.username);
  if (user === null) return { draft, problems: { username: "No user has this username." } };
  const expiresAt = dayIn(draft.expiresAt);
  if (isPast(expiresAt)) return { draft, problems: { expiresAt: DAY_PROBLEM } };
  const change = { resource, by: session.user, held };
  const outcome = await members.addMember(deps, change, user, { role: draft.role, expiresAt });
  if (typeof outcome === "string") return { draft, problems: { [FIELD[outcome]]: REFUSAL_TEXTS[outcome] } };
  await setFlash(`@${user.username} is now a member.`);
  redirect(url);
}

export async function changeMember(form: FormData): Promise<void> {
  const { resource, session, held, url } = await resourceIn(form);
  const { role, expiresAt: typed } = readMemberForm(form);
  const expiresAt = dayIn(typed);
  if (isPast(expiresAt)) return leave(url, DAY_PROBLEM);
  const change = { resource, by: session.user, held };
  const outcome = await members.changeMember(systemDeps(), change, userIn(form), { role, expiresAt });
  return leave(url, typeof outcome === "string" ? REFUSAL_TEXTS[outcome] : "The membership is changed.");
}

/**
 * Removes a member, or the user who submits the form. If the user can no longer see the project or group after the
 * removal, the user is redirected to the list of projects or groups.
 */
export async function removeMember(form: FormData): Promise<void> {
  const { resource, session, held, url } = await resourceIn(form);
  const { user } = session;
  const userId = userIn(form);
  const refusal = await members.removeMember(systemDeps(), { resource, by: user, held }, userId);
  if (refusal !== null) return leave(url, REFUSAL_TEXTS[refusal]);
  if (userId !== user.id) return leave(url, "The member is removed.");
  const find = resource.kind === "group" ? findGroup : findProject;
  const isStillVisible = (await find(systemDeps(), String(resource.id), user)) !== null;
  return leave(isStillVisible ? url : `/${resource.kind}s`, `You have left ${resource.fullPath}.`);
}

const resourceIn = (form: FormData): Promise<MembersPageContext> =>
  requireResource(readResourceKind(form), readReference(form, "place"));

const userIn = (form: FormData): number => readId(readReference(form, "user_id")) ?? 0;

function isPast(day: Date | null | "malformed"): day is "malformed" {
  return day === "malformed" || (day !== null && day <= systemDeps().clock());
}

async function leave(to: string, text: string): Promise<never> {
  await setFlash(text);
  redirect(to);
}

/** Invites a person by e-mail to a project or a group. */
export async function inviteMember(_before: InviteFormState, form: FormData): Promise<InviteFormState> {
  const { inviter, url } = await inviterIn(form);
  const { role, expiresAt: typed } = readMemberForm(form);
  const email = readEmail(form);
  const expiresAt = dayIn(typed);
  if (isPast(expiresAt)) return { email, problem: DAY_PROBLEM };
  const outcome = await invite(systemDeps(), inviter, { email, role, expiresAt });
  if (typeof outcome === "string") return { email, problem: INVITATION_REFUSALS[outcome] };
  await setFlash(`An invitation was sent to ${email}.`);
  redirect(url);
}

/** Sends another e-mail with a new link of an invitation. */
export async function resendInvitationOfMember(form: FormData): Promise<void> {
  const { inviter, url } = await inviterIn(form);
  const refused = await resendInvitation(systemDeps(), inviter, invitationIn(form));
  await leaveInvitation(url, refused, "The invitation was sent again. Earlier links are no longer valid.");
}

/** Revokes an invitation. */
export async function revokeInvitationOfMember(form: FormData): Promise<void> {
  const { inviter, url } = await inviterIn(form);
  const refused = await revokeInvitation(systemDeps(), inviter, invitationIn(form));
  await leaveInvitation(
    url,
    refused,
    "The invitation is revoked. The link of the invitation is no longer valid.",
  );
}

async function inviterIn(form: FormData) {
  const { resource, session, held, url } = await resourceIn(form);
  return { inviter: { target: resource, by: session.user, held }, url };
}

const invitationIn = (form: FormData): number => readId(readReference(form, "invitation_id")) ?? 0;

async function leaveInvitation(
  url: string,
  refused: InvitationRefusal | "gone" | null,
  done: string,
): Promise<never> {
  return leave(url, refused === null ? done : INVITATION_REFUSALS[refused]);
}
