import { z } from "zod";
import type { ClientKey, Settings } from "@/error-tracking/settings/rules";
import * as tracking from "@/error-tracking/settings/service";
import { badRequest, notFound, unacceptable } from "@/http-api/errors";
import { flag, id } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { InProject } from "@/workspace/api/access-rules";

/** PUT replaces all error tracking settings, so the parameters `active` and `integrated` are required. */
export const configuration = z.object({ active: flag, integrated: flag });
/** PATCH changes existing error tracking settings. The parameter `integrated` is optional. */
export const toggle = z.object({ active: flag, integrated: flag.optional() });
export const keyReference = z.object({ key_id: id });

/**
 * Returns the error tracking settings of a project.
 * @throws ApiError 404 if the project has no stored settings.
 */
export async function readSettings(deps: Deps, { project }: InProject): Promise<Settings> {
  const settings = await tracking.readSettings(deps, project);
  if (settings === null) throw notFound("Error Tracking Setting");
  return settings;
}

/** Creates or replaces the error tracking settings of a project. */
export async function configure(
  deps: Deps,
  { project, user }: InProject,
  change: z.infer<typeof toggle>,
): Promise<Settings> {
  const outcome = await tracking.changeSettings(deps, project, change, user);
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome.settings;
}

/**
 * Changes existing error tracking settings of a project.
 * @throws ApiError 404 if the project has no stored settings.
 */
export async function switchTracking(
  deps: Deps,
  caller: InProject,
  change: z.infer<typeof toggle>,
): Promise<Settings> {
  await readSettings(deps, caller);
  return configure(deps, caller, change);
}

export const listKeys = (
  deps: Deps,
  { project }: InProject,
  _input: object,
  paging: Paging,
): Promise<Page<ClientKey>> => tracking.listClientKeys(deps, project, paging);

/**
 * Creates a client key.
 * @throws ApiError 400 if the project has too many client keys.
 */
export async function createKey(deps: Deps, { project, user }: InProject): Promise<ClientKey> {
  const key = await tracking.createClientKey(deps, project, user);
  if (key === null)
    throw badRequest("The project has too many client keys. Delete client keys that you do not use.");
  return key;
}

/**
 * Deletes a client key and returns it.
 * @throws ApiError 404 if the project has no client key with this id.
 */
export async function removeKey(
  deps: Deps,
  { project, user }: InProject,
  { key_id }: z.infer<typeof keyReference>,
): Promise<ClientKey> {
  const key = await tracking.removeClientKey(deps, project, key_id, user);
  if (key === null) throw notFound();
  return key;
}
