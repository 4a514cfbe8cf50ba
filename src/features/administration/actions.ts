"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { readId } from "@/platform/keyset";
import { setFlash } from "@/ui/flash";
import * as applications from "../applications/administration";
import { cancelPending } from "../authorizations/service";
import { requireAdmin } from "../sign-in/loaders";
import * as users from "../users/administration";
import { APPLICATIONS, USERS } from "./loaders";
import { type PersonDraft, readPersonForm } from "./schema";

/** What the form shows next: the draft with its problems, or the person, with the password that was made for them, once. */
export type PersonFormState =
  | Readonly<{ kind: "editing"; draft: PersonDraft; problems: Readonly<Record<string, string>> }>
  | Readonly<{ kind: "created"; id: number; username: string; password: string | null }>;

export async function createPerson(_before: PersonFormState, form: FormData): Promise<PersonFormState> {
  const { user } = await requireAdmin(`${USERS}/new`);
  const { draft, password } = readPersonForm(form);
  const made = await users.createPerson(systemDeps(), user, { ...draft, password });
  if ("problems" in made) return { kind: "editing", draft, problems: made.problems };
  const { id, username } = made.user;
  return { kind: "created", id, username, password: "password" in made ? made.password : null };
}

const REFUSED: Readonly<Record<users.PersonRefusal, string>> = {
  unknown: "There is no such person any more.",
  self: "You cannot do this to yourself. Ask another administrator.",
  not_administrator: "You are no administrator any more. Nothing was changed.",
};

export async function blockPerson(form: FormData): Promise<void> {
  const { user } = await requireAdmin(USERS);
  const id = idIn(form);
  const refused = await users.blockPerson(systemDeps(), user, id);
  await backTo(
    `${USERS}/${id}`,
    refused,
    "Blocked. Their sessions have ended and their tokens have stopped.",
  );
}

export async function unblockPerson(form: FormData): Promise<void> {
  const { user } = await requireAdmin(USERS);
  const id = idIn(form);
  const refused = await users.unblockPerson(systemDeps(), user, id);
  await backTo(`${USERS}/${id}`, refused, "Unblocked. They can sign in again.");
}

export async function resetSecondFactor(form: FormData): Promise<void> {
  const { user } = await requireAdmin(USERS);
  const id = idIn(form);
  const refused = await users.resetSecondFactor(systemDeps(), user, id);
  await backTo(
    `${USERS}/${id}`,
    refused,
    "Removed. They sign in by password and can set up a new second factor.",
  );
}

export async function makeAdministrator(form: FormData): Promise<void> {
  const { user } = await requireAdmin(USERS);
  const id = idIn(form);
  const refused = await users.setAdministrator(systemDeps(), user, id, true);
  await backTo(`${USERS}/${id}`, refused, "They are an administrator now.");
}

export async function demoteAdministrator(form: FormData): Promise<void> {
  const { user } = await requireAdmin(USERS);
  const id = idIn(form);
  const refused = await users.setAdministrator(systemDeps(), user, id, false);
  await backTo(`${USERS}/${id}`, refused, "They are no administrator any more.");
}

export async function blockApplication(form: FormData): Promise<void> {
  const { user } = await requireAdmin(APPLICATIONS);
  await applications.setBlocked(systemDeps(), user, idIn(form), true);
  await backTo(`${APPLICATIONS}/${idIn(form)}`, null, "Blocked. It gets no tokens, and those it has stop.");
}

export async function unblockApplication(form: FormData): Promise<void> {
  const { user } = await requireAdmin(APPLICATIONS);
  await applications.setBlocked(systemDeps(), user, idIn(form), false);
  await backTo(`${APPLICATIONS}/${idIn(form)}`, null, "Unblocked. It works again.");
}

export async function trustApplication(form: FormData): Promise<void> {
  const { user } = await requireAdmin(APPLICATIONS);
  await applications.setTrusted(systemDeps(), user, idIn(form), true);
  await backTo(`${APPLICATIONS}/${idIn(form)}`, null, "Trusted. People are not asked for consent any more.");
}

export async function distrustApplication(form: FormData): Promise<void> {
  const { user } = await requireAdmin(APPLICATIONS);
  await applications.setTrusted(systemDeps(), user, idIn(form), false);
  await backTo(`${APPLICATIONS}/${idIn(form)}`, null, "No longer trusted. People are asked for consent.");
}

export async function revokeTokens(form: FormData): Promise<void> {
  const { user } = await requireAdmin(APPLICATIONS);
  await cancelPending(systemDeps(), idIn(form));
  const count = await applications.revokeTokens(systemDeps(), user, idIn(form));
  const text =
    count === 1 ? "1 grant has ended with its tokens." : `${count} grants have ended with their tokens.`;
  await backTo(`${APPLICATIONS}/${idIn(form)}`, null, text);
}

/** Zero, which nothing has, for what is no id. */
const idIn = (form: FormData): number => readId(String(form.get("id"))) ?? 0;

async function backTo(page: string, refused: users.PersonRefusal | null, done: string): Promise<never> {
  await setFlash(refused === null ? done : REFUSED[refused]);
  redirect(page);
}
