import * as undoubledEnvelope from "@app/api/v4/error_tracking/collector/[id]/envelope/route.ts";
import * as undoubledStore from "@app/api/v4/error_tracking/collector/[id]/store/route.ts";
import * as envelopeRoute from "@app/api/v4/error_tracking/collector/api/[id]/envelope/route.ts";
import * as storeRoute from "@app/api/v4/error_tracking/collector/api/[id]/store/route.ts";
import type { User } from "@/access/principal.ts";
import { changeSettings, createClientKey } from "@/error-tracking/settings/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { serveRoutes } from "./mounted-routes.ts";
import { projectOf } from "./projects.ts";

const COLLECTOR = "/api/v4/error_tracking/collector";

/** The route files of the error collector, by their folders in `app`. */
export const COLLECTOR_ROUTES = {
  [`${COLLECTOR}/api/[id]/envelope`]: envelopeRoute,
  [`${COLLECTOR}/api/[id]/store`]: storeRoute,
  [`${COLLECTOR}/[id]/envelope`]: undoubledEnvelope,
  [`${COLLECTOR}/[id]/store`]: undoubledStore,
};

/** Starts a server with the routes of the error collector. @returns the URL of the server. */
export const serveCollector = async (): Promise<string> => (await serveRoutes(COLLECTOR_ROUTES)) + COLLECTOR;

/**
 * Creates a project that collects errors.
 * @returns the project, and the public part of a client key of the project.
 */
export async function collectingProject(
  deps: Deps,
  owner: User,
  path: string,
): Promise<Readonly<{ project: AuthorizedProject; key: string }>> {
  const project = await projectOf(deps, owner, path);
  await changeSettings(deps, project, { active: true, integrated: true }, owner);
  const key = await createClientKey(deps, project, owner);
  if (key === null) throw new Error("The project has too many keys.");
  return { project, key: key.publicKey };
}

/**
 * Returns an envelope of the error tracking protocol with the given items. A payload that is an object is
 * serialized as JSON.
 */
export function envelopeOf(
  items: readonly (readonly [type: string, payload: object | string])[],
  header: object = {},
): Uint8Array {
  const lines = items.flatMap(([type, payload]) => {
    const body = typeof payload === "string" ? payload : JSON.stringify(payload);
    return [JSON.stringify({ type, length: Buffer.byteLength(body) }), body];
  });
  return Buffer.from([JSON.stringify(header), ...lines, ""].join("\n"));
}
