"use server";

import { redirect } from "next/navigation";
import {
  heldFormOf,
  reauthenticatedAction,
  reauthenticatedFormAction,
  requireSession,
  showOnce,
} from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import { systemDeps } from "@/kernel/deps/deps";
import { readPicture } from "@/kernel/picture/uploaded-picture";
import { setFlash } from "@/ui/appearance/flash";
import * as secrets from "../applications/client-secret";
import * as logos from "../applications/logo";
import type { MaintainerRefusal } from "../applications/maintainer";
import * as maintainers from "../applications/maintainer";
import type { ApplicationDraft, ApplicationProblems, ManagedApplication } from "../applications/rules";
import { readApplicationForm, readId } from "../applications/schema";
import * as applications from "../applications/service";
import { type Template, templateNamed, withTemplate } from "../applications/template";
import { revokeUncovered } from "../authorizations/service";
import { secretPageOf } from "./secret-page-path";

/**
 * The next state of the application form: the draft with its error messages, or the path of the page that
 * shows the new secret.
 */
export type FormState =
  | Readonly<{
      kind: "editing";
      draft: ApplicationDraft;
      problems: ApplicationProblems;
      template: Template["name"];
    }>
  | Readonly<{ kind: "saved"; secretAt: string }>;

const HOME = "/user_settings/applications";

/** Returns the path of the list of applications that contains the given application. */
const listOf = ({ owner }: Pick<ManagedApplication, "owner">): string =>
  owner.kind === "group" ? `/groups/${owner.id}/settings/applications` : HOME;

/** Returns the path of the page of the application whose id is in the form. */
const pageOf = (form: FormData): string => `${HOME}/${readId(form, "id")}`;
const editPageOf = (form: FormData): string => `${pageOf(form)}/edit`;

/**
 * Registers an application. If the user has pressed a template button of the form, the function only replaces
 * the values that the user has not changed by the values of the template.
 */
export async function registerApplication(before: FormState, form: FormData): Promise<FormState> {
  return form instanceof FormData && form.has("template") ? applyTemplate(form) : register(before, form);
}

async function applyTemplate(form: FormData): Promise<FormState> {
  await requireSession(`${HOME}/new`);
  const [before, template] = [
    templateNamed(text(form, "template_before")),
    templateNamed(text(form, "template")),
  ];
  const draft = withTemplate(readApplicationForm(form), before, template);
  return { kind: "editing", draft, problems: {}, template: template.name };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

const register = reauthenticatedFormAction<FormState>(
  () => `${HOME}/new`,
  async (session, form) => {
    // While the registration of applications is disabled, the registration page shows a notice.
    if (!(await applications.registrationIsOpen(systemDeps()))) redirect(`${HOME}/new`);
    const draft = readApplicationForm(form);
    const outcome = await applications.register(systemDeps(), session.user, draft);
    if ("problems" in outcome) return editing(form, draft, outcome.problems);
    const { id, name } = outcome.application;
    if (outcome.secret !== null) return saved(session, id, outcome.secret);
    await setFlash(`${name} is registered.`);
    redirect(`${HOME}/${id}`);
  },
);

export const changeApplication = reauthenticatedFormAction<FormState>(editPageOf, async (session, form) => {
  const { user } = session;
  const draft = readApplicationForm(form);
  const outcome = await applications.change(systemDeps(), user, readId(form, "id"), draft);
  if (outcome === null) redirect(HOME);
  if ("problems" in outcome) return editing(form, draft, outcome.problems);
  const { id, name } = outcome.application;
  const revoked = draft.revokesUncovered ? await revokeUncovered(systemDeps(), outcome.application, user) : 0;
  if (outcome.secret !== null) return saved(session, id, outcome.secret);
  const ended = revoked === 0 ? "" : ` Revoked grants: ${revoked}.`;
  await setFlash(`${name} is saved.${ended}`);
  redirect(`${HOME}/${id}`);
});

const editing = (form: FormData, draft: ApplicationDraft, problems: ApplicationProblems): FormState => ({
  kind: "editing",
  draft,
  problems,
  template: templateNamed(text(form, "template_before")).name,
});

const saved = async (session: Session, id: number, secret: string): Promise<FormState> => ({
  kind: "saved",
  secretAt: await showOnce(session, secretPageOf(id), secret),
});

/**
 * The result of the action that adds a secret: the path of the page that shows the new secret, or an error.
 */
export type SecretState = Readonly<{ secretAt: string | null; problem: string | null }>;

export const addSecret = reauthenticatedFormAction<SecretState>(pageOf, async (session, form) => {
  const id = readId(form, "id");
  const outcome = await secrets.addSecret(systemDeps(), session.user, id);
  if (outcome === "absent") redirect(HOME);
  if (outcome === "full")
    return { secretAt: null, problem: "The application already has two secrets. Remove a secret first." };
  return { secretAt: await showOnce(session, secretPageOf(id), outcome.secret), problem: null };
});

export const removeSecret = reauthenticatedAction(pageOf, async ({ user }, form) => {
  const id = readId(form, "id");
  const outcome = await secrets.removeSecret(systemDeps(), user, id, readId(form, "secret_id"));
  if (outcome === "removed") await setFlash("The secret is removed.");
  if (outcome === "last")
    await setFlash(
      "The only secret of a confidential application cannot be removed. Add another secret first.",
    );
  redirect(pageOf(form));
});

/** The state of the logo form: the error of the uploaded picture, if any. */
export type LogoState = Readonly<{ problem: string | null }>;

export const uploadLogo = reauthenticatedFormAction<LogoState>(editPageOf, async ({ user }, form) => {
  const chosen = await readPicture(form, "logo");
  const held = chosen.byteLength > 0 ? null : await heldFormOf(editPageOf(form));
  const picture = held === null ? chosen : await readPicture(held, "logo");
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
  const removed = await applications.remove(systemDeps(), user, readId(form, "id"));
  if (removed === null) redirect(HOME);
  await setFlash(`${removed.name} is deleted.`);
  redirect(listOf(removed));
});

/** The state of the form that adds a maintainer: the entered username, and the error, if any. */
export type MaintainerState = Readonly<{ username: string; problem: string | null }>;

const MAINTAINER_PROBLEMS = {
  unknown_user: "No active user has this username.",
  is_owner: "This user already owns the application. Enter another username.",
  has_maintainer: "The application already has a second maintainer. Remove the current maintainer first.",
} as const satisfies Record<Exclude<MaintainerRefusal, "absent">, string>;

export const addMaintainer = reauthenticatedFormAction<MaintainerState>(pageOf, async ({ user }, form) => {
  const username = text(form, "username").trim().replace(/^@/, "");
  const outcome = await maintainers.addMaintainer(systemDeps(), user, readId(form, "id"), username);
  if (outcome === "absent") redirect(HOME);
  if (typeof outcome === "string") return { username, problem: MAINTAINER_PROBLEMS[outcome] };
  await setFlash(`@${outcome.username} can now edit the application.`);
  redirect(pageOf(form));
});

/**
 * Removes the maintainer of an application. If a maintainer leaves the application, the action redirects to
 * the list of applications.
 */
export const removeMaintainer = reauthenticatedAction(pageOf, async ({ user }, form) => {
  const id = readId(form, "id");
  const removed = await maintainers.removeMaintainer(systemDeps(), user, id);
  if (removed) await setFlash("The maintainer is removed.");
  redirect((await applications.findOwn(systemDeps(), user, id)) === null ? HOME : pageOf(form));
});
