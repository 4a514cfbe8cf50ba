"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { setFlash } from "@/ui/flash";
import { requireSession } from "../sign-in/loaders";
import * as secrets from "./client-secret";
import * as logos from "./logo";
import type { ApplicationDraft, ApplicationProblems } from "./rules";
import { readApplicationForm, readId, readLogo } from "./schema";
import * as applications from "./service";

/** What the form shows next: the draft with its problems, or the application with its secret, once. */
export type FormState =
  | Readonly<{ kind: "editing"; draft: ApplicationDraft; problems: ApplicationProblems }>
  | Readonly<{ kind: "saved"; id: number; uid: string; name: string; secret: string | null }>;

const HOME = "/user_settings/applications";

export async function registerApplication(_before: FormState, form: FormData): Promise<FormState> {
  const { user } = await requireSession(`${HOME}/new`);
  // The page that the form came from says by now that it is switched off.
  if (!(await applications.registrationIsOpen(systemDeps()))) redirect(`${HOME}/new`);
  const draft = readApplicationForm(form);
  return stateOf(draft, await applications.register(systemDeps(), user, draft));
}

export async function changeApplication(_before: FormState, form: FormData): Promise<FormState> {
  const { user } = await requireSession(HOME);
  const draft = readApplicationForm(form);
  const outcome = await applications.change(systemDeps(), user, readId(form, "id"), draft);
  if (outcome === null) redirect(HOME);
  const state = stateOf(draft, outcome);
  if (state.kind === "editing" || state.secret !== null) return state;
  await setFlash(`${state.name} is saved.`);
  redirect(`${HOME}/${state.id}`);
}

/** What is shown where a secret is added: the new one, once, or why there is none. */
export type SecretState = Readonly<{ secret: string | null; problem: string | null }>;

export async function addSecret(_before: SecretState, form: FormData): Promise<SecretState> {
  const { user } = await requireSession(HOME);
  const id = readId(form, "id");
  const outcome = await secrets.addSecret(systemDeps(), user, id);
  if (outcome === "absent") redirect(HOME);
  if (outcome === "full")
    return { secret: null, problem: "There are two secrets already. Remove one first." };
  revalidatePath(`${HOME}/${id}`);
  return { secret: outcome.secret, problem: null };
}

export async function removeSecret(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const id = readId(form, "id");
  const outcome = await secrets.removeSecret(systemDeps(), user, id, readId(form, "secret_id"));
  if (outcome === "removed") await setFlash("The secret is removed. It stopped at once.");
  if (outcome === "last") await setFlash("This is the last secret. Add another one first.");
  redirect(`${HOME}/${id}`);
}

/** What is wrong with the picture that was uploaded, if anything. */
export type LogoState = Readonly<{ problem: string | null }>;

export async function uploadLogo(_before: LogoState, form: FormData): Promise<LogoState> {
  const { user } = await requireSession(HOME);
  const id = readId(form, "id");
  const problem = await logos.setLogo(systemDeps(), user, id, await readLogo(form));
  if (problem !== null) return { problem };
  await setFlash("The logo is saved.");
  redirect(`${HOME}/${id}`);
}

export async function removeLogo(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const id = readId(form, "id");
  if (await logos.removeLogo(systemDeps(), user, id)) await setFlash("The logo is removed.");
  redirect(`${HOME}/${id}`);
}

export async function removeApplication(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const name = await applications.remove(systemDeps(), user, readId(form, "id"));
  if (name !== null) await setFlash(`${name} is deleted.`);
  redirect(HOME);
}

function stateOf(
  draft: ApplicationDraft,
  outcome: applications.Registered | { readonly problems: ApplicationProblems },
): FormState {
  if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
  const { id, uid, name } = outcome.application;
  return { kind: "saved", id, uid, name, secret: outcome.secret };
}
