"use server";

import { redirect } from "next/navigation";
import { find as findUser } from "@/identity/users/service";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { findGroup } from "../groups/service";
import { dayIn, type MemberDraft, readMemberForm, readPlaceKind } from "../members/schema";
import * as members from "../members/service";
import { findProject } from "../projects/service";
import { type MembersPlace, requirePlace } from "./loaders";

/** What is wrong with each field. */
export type MemberProblems = Readonly<Partial<Record<keyof MemberDraft, string>>>;
/** What the form shows next. */
export type MemberFormState = Readonly<{ draft: MemberDraft; problems: MemberProblems }>;

const DAY_PROBLEM = "Choose a day that is still to come, or leave it empty.";

const REFUSED: Readonly<Record<members.MemberRefusal, string>> = {
  not_allowed: "You may not do that: nobody gives, changes or takes away a role higher than their own.",
  is_member: "They are a member already. Change their role in the list.",
  not_member: "They are no member here any more.",
  last_owner: "There must be an owner without an end. Make somebody else one first.",
  lower_than_inherited: "They inherit a higher role from a group above. Choose at least that one.",
};

/** The field that a refusal is about. */
const FIELD: Readonly<Record<members.MemberRefusal, keyof MemberDraft>> = {
  not_allowed: "role",
  is_member: "username",
  not_member: "username",
  last_owner: "role",
  lower_than_inherited: "role",
};

export async function addMember(_before: MemberFormState, form: FormData): Promise<MemberFormState> {
  const { place, session, held, url } = await placeIn(form);
  const deps = systemDeps();
  const draft = readMemberForm(form);
  // An address must not find anybody: who has an account is nobody's business.
  const user = draft.username.includes("@") ? null : await findUser(deps, draft.username);
  if (user === null) return { draft, problems: { username: "Nobody here has this username." } };
  const expiresAt = dayIn(draft.expiresAt);
  if (isPast(expiresAt)) return { draft, problems: { expiresAt: DAY_PROBLEM } };
  const change = { place, by: session.user, held };
  const outcome = await members.addMember(deps, change, user, { role: draft.role, expiresAt });
  if (typeof outcome === "string") return { draft, problems: { [FIELD[outcome]]: REFUSED[outcome] } };
  await setFlash(`@${user.username} is a member now.`);
  redirect(url);
}

export async function changeMember(form: FormData): Promise<void> {
  const { place, session, held, url } = await placeIn(form);
  const { role, expiresAt: typed } = readMemberForm(form);
  const expiresAt = dayIn(typed);
  if (isPast(expiresAt)) return leave(url, DAY_PROBLEM);
  const change = { place, by: session.user, held };
  const outcome = await members.changeMember(systemDeps(), change, userIn(form), { role, expiresAt });
  return leave(url, typeof outcome === "string" ? REFUSED[outcome] : "The member is changed.");
}

/** Also for leaving: whoever has left a place that they do not see any more goes to the list of all. */
export async function removeMember(form: FormData): Promise<void> {
  const { place, session, held, url } = await placeIn(form);
  const { user } = session;
  const userId = userIn(form);
  const refused = await members.removeMember(systemDeps(), { place, by: user, held }, userId);
  if (refused !== null) return leave(url, REFUSED[refused]);
  if (userId !== user.id) return leave(url, "They are no member any more.");
  const find = place.kind === "group" ? findGroup : findProject;
  const stillSeen = (await find(systemDeps(), String(place.id), user)) !== null;
  return leave(stillSeen ? url : `/${place.kind}s`, `You have left ${place.fullPath}.`);
}

const placeIn = (form: FormData): Promise<MembersPlace> =>
  requirePlace(readPlaceKind(form), readReference(form, "place"));

const userIn = (form: FormData): number => readId(readReference(form, "user_id")) ?? 0;

function isPast(day: Date | null | "malformed"): day is "malformed" {
  return day === "malformed" || (day !== null && day <= systemDeps().clock());
}

async function leave(to: string, text: string): Promise<never> {
  await setFlash(text);
  redirect(to);
}
