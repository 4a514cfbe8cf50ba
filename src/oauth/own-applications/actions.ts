"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { heldFormOf, reauthenticatedAction, reauthenticatedFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import * as secrets from "../applications/client-secret";
import * as logos from "../applications/logo";
import type { ApplicationDraft, ApplicationProblems } from "../applications/rules";
import { readApplicationForm, readId, readLogo } from "../applications/schema";
import * as applications from "../applications/service";
import { revokeUncovered } from "../authorizations/service";

/**
 * The next state of the application form: the draft with its problems, or the saved application with its new
 * secret.
 */
export type FormState =
  | Readonly<{ kind: "editing"; draft: ApplicationDraft; problems: ApplicationProblems }>
  | Readonly<{ kind: "saved"; id: number; uid: string; name: string; secret: string | null }>;

const HOME = "/user_settings/applications";

/** Returns the path of the page of the application whose id is in the form. */
const pageOf = (form: FormData): string => `${HOME}/${readId(form, "id")}`;
const editPageOf = (form: FormData): string => `${pageOf(form)}/edit`;

export const registerApplication = reauthenticatedFormAction<FormState>(
  () => `${HOME}/new`,
  async ({ user }, form) => {
    // The page reports that registration is disabled.
    if (!(await applications.registrationIsOpen(systemDeps()))) redirect(`${HOME}/new`);
    const draft = readApplicationForm(form);
    return stateOf(draft, await applications.register(systemDeps(), user, draft));
  },
);

export const changeApplication = reauthenticatedFormAction<FormState>(editPageOf, async ({ user }, form) => {
  const draft = readApplicationForm(form);
  const outcome = await applications.change(systemDeps(), user, readId(form, "id"), draft);
  if (outcome === null) redirect(HOME);
  const state = stateOf(draft, outcome);
  if (state.kind === "editing" || "problems" in outcome) return state;
  const revoked = draft.revokesUncovered ? await revokeUncovered(systemDeps(), outcome.application, user) : 0;
  if (state.secret !== null) return state;
  const ended = revoked === 0 ? "" : ` Revoked grants: ${revoked}.`;
  await setFlash(`${state.name} is saved.${ended}`);
  redirect(`${HOME}/${state.id}`);
});

/** The result of the action that adds a secret: the new secret, or an error. */
export type SecretState = Readonly<{ secret: string | null; problem: string | null }>;

export const addSecret = reauthenticatedFormAction<SecretState>(pageOf, async ({ user }, form) => {
  const outcome = await secrets.addSecret(systemDeps(), user, readId(form, "id"));
  if (outcome === "absent") redirect(HOME);
  if (outcome === "full")
    return { secret: null, problem: "The application already has two secrets. Remove one first." };
  revalidatePath(pageOf(form));
  return { secret: outcome.secret, problem: null };
});

export const removeSecret = reauthenticatedAction(pageOf, async ({ user }, form) => {
  const id = readId(form, "id");
  const outcome = await secrets.removeSecret(systemDeps(), user, id, readId(form, "secret_id"));
  if (outcome === "removed") await setFlash("The secret is removed.");
  if (outcome === "last") await setFlash("A confidential application needs a secret. Add another one first.");
  redirect(pageOf(form));
});

/** The state of the logo form: the error of the uploaded picture, if any. */
export type LogoState = Readonly<{ problem: string | null }>;

export const uploadLogo = reauthenticatedFormAction<LogoState>(editPageOf, async ({ user }, form) => {
  const chosen = await readLogo(form);
  const held = chosen.byteLength > 0 ? null : await heldFormOf(editPageOf(form));
  const picture = held === null ? chosen : await readLogo(held);
  const problem = await logos.setLogo(systemDeps(), user, readId(form, "id"), picture);
  if (problem !== null) return { problem };
  await setFlash("The logo is saved.");
  redirect(pageOf(form));
});

export const removeLogo = reauthenticatedAction(editPageOf, async ({ user }, form) => {
  const removed = await logos.removeLogo(systemDeps(), user, readId(form, "id"));
  if (removed) await setFlash("The logo is removed.");
  redirect(pageOf(form));
});

export const removeApplication = reauthenticatedAction(pageOf, async ({ user }, form) => {
  const name = await applications.remove(systemDeps(), user, readId(form, "id"));
  if (name !== null) await setFlash(`${name} is deleted.`);
  redirect(HOME);
});

function stateOf(
  draft: ApplicationDraft,
  outcome: applications.Registered | { readonly problems: ApplicationProblems },
): FormState {
  if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
  const { id, uid, name } = outcome.application;
  return { kind: "saved", id, uid, name, secret: outcome.secret };
}
