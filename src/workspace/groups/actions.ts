"use server";

import { notFound, redirect } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { type FieldErrors, pathFromName } from "../naming/path";
import { type NameDraft, type RemovalState, readProjectForm } from "../naming/schema";
import { GROUPS, requireGroup } from "./loaders";
import * as groups from "./service";

/** The state of the group form: the entered values, and the error texts by field. */
export type GroupFormState = Readonly<{ draft: NameDraft; problems: FieldErrors }>;

export async function createGroup(_before: GroupFormState, form: FormData): Promise<GroupFormState> {
  const { user } = await requireSession(`${GROUPS}/new`);
  const reference = readReference(form, "parent");
  const parent =
    reference === "" ? null : (await requireGroup(reference, () => `${GROUPS}/new`, "maintainer")).group;
  const draft = readProjectForm(form);
  const { name, description, visibility } = draft;
  const input = { name, path: draft.path || pathFromName(name), description, visibility };
  const outcome = await groups.createGroup(systemDeps(), user, input, parent);
  if (outcome === "not_allowed")
    return {
      draft,
      problems: { path: ["cannot be used: you do not have permission to create groups in this group"] },
    };
  if (outcome === "gone")
    return { draft, problems: { path: ["cannot be used: the parent group no longer exists"] } };
  if ("problems" in outcome) return { draft, problems: outcome.problems };
  await setFlash("The group is created.");
  redirect(`${GROUPS}/${outcome.group.id}`);
}

const settingsOf = (home: string): string => `${home}/settings`;

export async function changeGroup(_before: GroupFormState, form: FormData): Promise<GroupFormState> {
  const reference = readReference(form, "id");
  const { group, session } = await requireGroup(reference, settingsOf, "owner");
  const draft = readProjectForm(form);
  const { name, description, visibility } = draft;
  const changes = { name, description, visibility };
  const outcome = await groups.updateGroup(systemDeps(), group, changes, session.user);
  if (outcome === "gone") notFound();
  if (outcome !== "not_allowed" && "problems" in outcome) return { draft, problems: outcome.problems };
  await setFlash("The group is saved.");
  redirect(settingsOf(`${GROUPS}/${group.id}`));
}

export async function removeGroup(_before: RemovalState, form: FormData): Promise<RemovalState> {
  const { group, session } = await requireGroup(readReference(form, "id"), settingsOf, "owner");
  const typed = form.get("path");
  if (typeof typed !== "string" || typed.trim().toLowerCase() !== group.fullPath.toLowerCase())
    return { problem: `Nothing was deleted. Type ${group.fullPath} to confirm.` };
  await groups.deleteGroup(systemDeps(), group, session.user);
  await setFlash(`${group.fullPath} is deleted.`);
  redirect(GROUPS);
}
