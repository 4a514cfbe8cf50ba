"use server";

import { notFound, redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import type { FieldErrors } from "@/workspace/naming/path";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { licensePoliciesPath } from "./loaders";
import { type PolicyDraft, type PolicyProblems, policyTermsFrom, readPolicyForm } from "./schema";
import * as service from "./service";

/**
 * The state of the license policy form. `refusal` is an error text that does not belong to a single form
 * field.
 */
export type PolicyFormState = Readonly<{
  draft: PolicyDraft;
  problems: PolicyProblems;
  refusal: string | null;
}>;

const requireMaintainer = (form: FormData) =>
  requireProject(readReference(form, "project"), licensePoliciesPath, "maintainer");

const policyIn = (form: FormData): number => readId(readReference(form, "policy_id")) ?? notFound();

export async function addPolicy(_before: PolicyFormState, form: FormData): Promise<PolicyFormState> {
  const { project, session } = await requireMaintainer(form);
  const draft = readPolicyForm(form);
  const terms = policyTermsFrom(draft);
  if ("problems" in terms) return { draft, ...terms, refusal: null };
  const outcome = await service.createPolicy(systemDeps(), project, terms, session.user);
  if ("problems" in outcome) return { draft, ...refused(outcome.problems) };
  await setFlash("The policy is created. The policy applies to all open merge requests.");
  redirect(licensePoliciesPath(`${PROJECTS}/${project.id}`));
}

export async function changePolicy(_before: PolicyFormState, form: FormData): Promise<PolicyFormState> {
  const { project, session } = await requireMaintainer(form);
  const deps = systemDeps();
  const policy = (await service.findPolicy(deps, project, policyIn(form))) ?? notFound();
  const draft = readPolicyForm(form);
  const terms = policyTermsFrom(draft, [...policy.allowList, ...policy.denyList]);
  if ("problems" in terms) return { draft, ...terms, refusal: null };
  const edit = { changes: terms, by: session.user };
  const outcome = (await service.changePolicy(deps, project, policy.id, edit)) ?? notFound();
  if ("problems" in outcome) return { draft, ...refused(outcome.problems) };
  await setFlash("The policy is saved.");
  redirect(licensePoliciesPath(`${PROJECTS}/${project.id}`));
}

export async function removePolicy(form: FormData): Promise<void> {
  const { project, session } = await requireMaintainer(form);
  if (await service.removePolicy(systemDeps(), project, policyIn(form), session.user))
    await setFlash("The policy is deleted.");
  redirect(licensePoliciesPath(`${PROJECTS}/${project.id}`));
}

export async function convertManagedLicenses(form: FormData): Promise<void> {
  const { project, session } = await requireMaintainer(form);
  const outcome = await service.convertManagedLicenses(systemDeps(), project, session.user);
  await setFlash(
    "problems" in outcome
      ? `The managed licenses were not converted. ${Object.values(refused(outcome.problems).problems).flat().join(" ")}`
      : "The managed licenses are converted to a policy.",
  );
  redirect(licensePoliciesPath(`${PROJECTS}/${project.id}`));
}

/**
 * Converts the error texts of the service, which are parts of sentences, to complete sentences for the form.
 */
const refused = ({
  allow_list: allowList = [],
  deny_list: denyList = [],
  base = [],
}: FieldErrors): Omit<PolicyFormState, "draft"> => ({
  problems: {
    ...(allowList.length === 0 ? {} : { allowList: allowList.map((error) => `The allow list ${error}.`) }),
    ...(denyList.length === 0 ? {} : { denyList: denyList.map((error) => `The deny list ${error}.`) }),
  },
  refusal: base.length === 0 ? null : `${base.join(". ")}.`,
});
