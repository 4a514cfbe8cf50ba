"use server";

import { redirect } from "next/navigation";
import { reauthenticatedAction, reauthenticatedFormAction, showOnce } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readReference, urlWithQuery } from "@/kernel/http/query";
import { readApplicationForm, readId } from "@/oauth/applications/schema";
import { registerForGroup } from "@/oauth/applications/service";
import { templateNamed, withTemplate } from "@/oauth/applications/template";
import { transferApplication } from "@/oauth/applications/transfer";
import type { FormState } from "@/oauth/own-applications/actions";
import { secretPageOf } from "@/oauth/own-applications/secret-page-path";
import { setFlash } from "@/ui/appearance/flash";
import { GROUPS, requireGroup } from "../groups/loaders";
import { listPathOf } from "./loaders";
import { findTarget } from "./service";

const APPLICATIONS = "/user_settings/applications";

const listOf = (form: FormData): string => listPathOf(`${GROUPS}/${readId(form, "group")}`);
const formPageOf = (form: FormData): string => `${listOf(form)}/new`;

/**
 * Registers an application of a group. If the user presses a template button, the form gets the values of the
 * template, and no application is registered.
 */
export async function registerGroupApplication(before: FormState, form: FormData): Promise<FormState> {
  return form instanceof FormData && form.has("template") ? applyTemplate(form) : register(before, form);
}

async function applyTemplate(form: FormData): Promise<FormState> {
  await requireGroup(String(readId(form, "group")), (home) => `${listPathOf(home)}/new`, "owner");
  const after = templateNamed(readReference(form, "template"));
  const before = templateNamed(readReference(form, "template_before"));
  const draft = withTemplate(readApplicationForm(form), before, after);
  return { kind: "editing", draft, problems: {}, template: after.name };
}

const register = reauthenticatedFormAction<FormState>(formPageOf, async (session, form) => {
  const draft = readApplicationForm(form);
  const outcome = await registerForGroup(systemDeps(), session.user, readId(form, "group"), draft);
  if (outcome === null) redirect(GROUPS);
  if ("problems" in outcome) {
    const template = templateNamed(readReference(form, "template_before")).name;
    return { kind: "editing", draft, problems: outcome.problems, template };
  }
  const { id, name } = outcome.application;
  if (outcome.secret !== null)
    return { kind: "saved", secretAt: await showOnce(session, secretPageOf(id), outcome.secret) };
  await setFlash(`${name} is registered.`);
  redirect(`${APPLICATIONS}/${id}`);
});

const transferPageOf = (form: FormData): string =>
  urlWithQuery(`${APPLICATIONS}/${readId(form, "id")}/transfer`, { to: readReference(form, "to") });

/** Transfers an application to the owner that the confirmation page named. */
export const transfer = reauthenticatedAction(transferPageOf, async ({ user }, form) => {
  const id = readId(form, "id");
  const target = await findTarget(systemDeps(), user, readReference(form, "to"));
  if (typeof target === "string") redirect(transferPageOf(form));
  const outcome = await transferApplication(systemDeps(), user, id, target.owner);
  if (outcome === "absent") redirect(APPLICATIONS);
  if (outcome !== "same") await setFlash(`${outcome.name} now belongs to ${target.path}.`);
  redirect(`${APPLICATIONS}/${id}`);
});
