import { z } from "zod";
import {
  CONTACT_STATUSES,
  contactStatus,
  RUNNER_ACCESS_LEVELS,
  RUNNER_KINDS,
  type Runner,
} from "@/fleet/runners/rules";
import type { CreatedRunner, RunnerDetails } from "@/fleet/runners/service";
import { defineEntity, moment } from "@/http-api/entity";
import type { Deps } from "@/kernel/deps/deps";
import { nameWithNamespaceOf } from "@/workspace/projects/rules";

const fields = {
  id: z.int(),
  description: z.string(),
  paused: z.boolean(),
  is_shared: z.boolean(),
  runner_type: z.enum(RUNNER_KINDS),
  name: z.string().nullable(),
  online: z.boolean(),
  status: z.enum(CONTACT_STATUSES),
};

const runnerOf = (input: Runner, { clock }: Pick<Deps, "clock">) => {
  const status = contactStatus(input.contactedAt, clock());
  return {
    id: input.id,
    description: input.description,
    paused: input.paused,
    is_shared: input.kind === "instance_type",
    runner_type: input.kind,
    name: input.name,
    online: status === "online",
    status,
  };
};

/**
 * The entry for a runner in a list. The status of a runner depends only on its last contact, so a paused
 * runner can be online.
 */
export const runner = defineEntity("runner", fields, runnerOf);

/** The response with the details of a runner. */
export const runnerDetails = defineEntity(
  "runner_details",
  {
    ...fields,
    tag_list: z.array(z.string()),
    run_untagged: z.boolean(),
    locked: z.boolean(),
    maximum_timeout: z.int().nullable(),
    access_level: z.enum(RUNNER_ACCESS_LEVELS),
    version: z.string().nullable(),
    revision: z.string().nullable(),
    platform: z.string().nullable(),
    architecture: z.string().nullable(),
    contacted_at: moment.nullable(),
    maintenance_note: z.string().nullable(),
    projects: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        name_with_namespace: z.string(),
        path: z.string(),
        path_with_namespace: z.string(),
      }),
    ),
    groups: z.array(z.object({ id: z.int(), web_url: z.url(), name: z.string() })),
  },
  (input: RunnerDetails, deps) => ({
    ...runnerOf(input, deps),
    tag_list: [...input.tags],
    run_untagged: input.runUntagged,
    locked: input.locked,
    maximum_timeout: input.maximumTimeout,
    access_level: input.accessLevel,
    version: input.version,
    revision: input.revision,
    platform: input.platform,
    architecture: input.architecture,
    contacted_at: input.contactedAt?.toISOString() ?? null,
    maintenance_note: input.maintenanceNote,
    projects: input.projects.map((project) => ({
      id: project.id,
      name: project.name,
      name_with_namespace: nameWithNamespaceOf(project),
      path: project.path,
      path_with_namespace: project.fullPath,
    })),
    groups: input.groups.map(({ id, fullPath, name }) => ({
      id,
      web_url: `${deps.config.issuer}/groups/${fullPath}`,
      name,
    })),
  }),
);

const tokenFields = { token: z.string(), token_expires_at: z.null() };

/** The response with the token of a runner. The token does not expire. */
export const runnerToken = defineEntity("runner_token", tokenFields, ({ token }: CreatedRunner) => ({
  token,
  token_expires_at: null,
}));

/** The response with the token of a runner and the id of the runner. */
export const registeredRunner = defineEntity(
  "registered_runner",
  { id: z.int(), ...tokenFields },
  ({ runner: { id }, token }: CreatedRunner) => ({ id, token, token_expires_at: null }),
);
