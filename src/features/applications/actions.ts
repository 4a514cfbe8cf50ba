"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { requireSession } from "../sign-in/loaders";
import type { ApplicationDraft, ApplicationProblems } from "./rules";
import { readApplicationForm } from "./schema";
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
  const outcome = await applications.change(systemDeps(), user, idOf(form), draft);
  if (outcome === null) redirect(HOME);
  const state = stateOf(draft, outcome);
  if (state.kind === "saved" && state.secret === null) redirect(`${HOME}/${state.id}`);
  return state;
}

/** The new secret, shown once; null before it is asked for. */
export async function renewSecret(_before: string | null, form: FormData): Promise<string | null> {
  const { user } = await requireSession(HOME);
  return applications.renewSecret(systemDeps(), user, idOf(form));
}

export async function removeApplication(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  await applications.remove(systemDeps(), user, idOf(form));
  redirect(HOME);
}

const idOf = (form: FormData): number => {
  const id = Number(form.get("id"));
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : 0;
};

function stateOf(
  draft: ApplicationDraft,
  outcome: applications.Registered | { readonly problems: ApplicationProblems },
): FormState {
  if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
  const { id, uid, name } = outcome.application;
  return { kind: "saved", id, uid, name, secret: outcome.secret };
}
