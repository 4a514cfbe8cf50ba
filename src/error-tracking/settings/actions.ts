"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import type { FieldErrors } from "@/workspace/naming/path";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { trackingSettingsPath } from "./loaders";
import { readTrackingForm, type TrackingDraft } from "./schema";
import * as tracking from "./service";

/** The submitted values of the error tracking form, and its field errors. */
export type TrackingFormState = Readonly<{ draft: TrackingDraft; problems: FieldErrors }>;

const maintained = (form: FormData) =>
  requireProject(readReference(form, "id"), trackingSettingsPath, "maintainer");

const homeOf = (project: Readonly<{ id: number }>): string =>
  trackingSettingsPath(`${PROJECTS}/${project.id}`);

export async function changeTracking(_before: TrackingFormState, form: FormData): Promise<TrackingFormState> {
  const { project, session } = await maintained(form);
  const { draft, token } = readTrackingForm(form);
  const { active, backend, apiUrl, projectName } = draft;
  const integrated = backend === "integrated";
  // When error tracking is turned off, the fields of the external service may be empty.
  const configured = !integrated && (active || apiUrl !== "");
  const remote = configured ? { apiUrl, projectName: projectName || null, token } : undefined;
  const change = { active, integrated, remote };
  const outcome = await tracking.changeSettings(systemDeps(), project, change, session.user);
  if ("problems" in outcome) return { draft, problems: outcome.problems };
  await setFlash(active ? "Error tracking is on." : "Error tracking is off.");
  redirect(homeOf(project));
}

export async function createKey(form: FormData): Promise<void> {
  const { project, session } = await maintained(form);
  const key = await tracking.createClientKey(systemDeps(), project, session.user);
  await setFlash(
    key === null
      ? "The project has too many client keys. Delete a key before you create another one."
      : "The client key is created.",
  );
  redirect(homeOf(project));
}

export async function removeKey(form: FormData): Promise<void> {
  const { project, session } = await maintained(form);
  const keyId = readId(readReference(form, "key_id")) ?? 0;
  const key = await tracking.removeClientKey(systemDeps(), project, keyId, session.user);
  if (key !== null)
    await setFlash(
      "The client key is deleted. Programs that use this client key can no longer report errors.",
    );
  redirect(homeOf(project));
}
