"use server";

import { notFound, redirect } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { findGroup } from "../groups/service";
import type { FieldErrors } from "../naming/path";
import { type ProjectFormDraft, type RemovalState, readProjectForm } from "../naming/schema";
import { mergeRequestSettingsPath, PROJECTS, requireProject } from "./loaders";
import { readMergeMethod } from "./schema";
import * as projects from "./service";
import { findTransferTarget, transferProject as transfer, transferProblemText } from "./transfer";

/** The state of the project form: the entered values, and the error texts by field. */
export type ProjectFormState = Readonly<{ draft: ProjectFormDraft; problems: FieldErrors }>;

const NOT_ALLOWED: FieldErrors = {
  namespace: ["You cannot create projects in this namespace. Select another namespace."],
};

export async function createProject(_before: ProjectFormState, form: FormData): Promise<ProjectFormState> {
  const { user } = await requireSession(`${PROJECTS}/new`);
  const draft = readProjectForm(form);
  const group = draft.namespace === "" ? null : await findGroup(systemDeps(), draft.namespace, user);
  if (draft.namespace !== "" && group === null) return { draft, problems: NOT_ALLOWED };
  const { name, path, description, visibility, readme } = draft;
  const input = { name, path: path === "" ? undefined : path, description, visibility, readme };
  const outcome = await projects.createProject(systemDeps(), user, input, group);
  if (outcome === "not_allowed" || outcome === "gone") return { draft, problems: NOT_ALLOWED };
  if ("problems" in outcome) return { draft, problems: outcome.problems };
  await setFlash("The project is created.");
  redirect(`${PROJECTS}/${outcome.project.id}`);
}

const settingsOf = (project: string): string => `${project}/settings`;

export async function changeProject(_before: ProjectFormState, form: FormData): Promise<ProjectFormState> {
  const reference = readReference(form, "id");
  const { project, session } = await requireProject(reference, settingsOf, "maintainer");
  const draft = readProjectForm(form);
  const { name, description, visibility } = draft;
  const changes = { name, description, visibility };
  const outcome = await projects.updateProject(systemDeps(), project, changes, session.user);
  if (outcome === "gone") notFound();
  if (outcome !== "not_allowed" && "problems" in outcome) return { draft, problems: outcome.problems };
  await setFlash("The project is saved.");
  redirect(settingsOf(`${PROJECTS}/${reference}`));
}

/** The state of the merge method form: the error text, or null. */
export type MergeMethodState = Readonly<{ problem: string | null }>;

export async function changeMergeMethod(
  _before: MergeMethodState,
  form: FormData,
): Promise<MergeMethodState> {
  const reference = readReference(form, "project");
  const { project, session } = await requireProject(reference, mergeRequestSettingsPath, "maintainer");
  const mergeMethod = readMergeMethod(form);
  if (mergeMethod === null) return { problem: "Select a merge method." };
  const outcome = await projects.updateProject(systemDeps(), project, { mergeMethod }, session.user);
  if (outcome === "gone") notFound();
  if (outcome === "not_allowed" || "problems" in outcome)
    return { problem: "The merge method was not saved. Reload the page, and try again." };
  await setFlash("The merge method is saved.");
  redirect(mergeRequestSettingsPath(`${PROJECTS}/${reference}`));
}

/** The state of the transfer form: the error text, or null. */
export type TransferState = Readonly<{ namespace: string; problem: string | null }>;

const NO_TARGET = "Select a group in which you have the Maintainer role, or your own namespace.";

export async function transferProject(_before: TransferState, form: FormData): Promise<TransferState> {
  const reference = readReference(form, "id");
  const { project, session } = await requireProject(reference, settingsOf, "owner");
  const namespace = String(form.get("namespace") ?? "").slice(0, 1_000);
  const target = await findTransferTarget(systemDeps(), session.user, namespace);
  if (target === null) return { namespace, problem: NO_TARGET };
  const outcome = await transfer(systemDeps(), project, target, session.user);
  if (typeof outcome === "string" || "problem" in outcome)
    return { namespace, problem: transferProblemText(outcome) };
  await setFlash(`The project is transferred to ${outcome.fullPath}.`);
  redirect(settingsOf(`${PROJECTS}/${reference}`));
}

export async function removeProject(_before: RemovalState, form: FormData): Promise<RemovalState> {
  const reference = readReference(form, "id");
  const { project, session } = await requireProject(reference, settingsOf, "owner");
  const typed = form.get("path");
  if (typeof typed !== "string" || typed.trim().toLowerCase() !== project.fullPath.toLowerCase())
    return { problem: `Nothing was deleted. Type ${project.fullPath} to confirm.` };
  await projects.deleteProject(systemDeps(), project, session.user);
  await setFlash(`${project.fullPath} is deleted.`);
  redirect(PROJECTS);
}
