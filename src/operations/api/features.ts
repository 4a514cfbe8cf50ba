import { z } from "zod";
import type { Principal } from "@/access/principal";
import { badRequest } from "@/http-api/errors";
import { FLAGS, type Flag, isFlag } from "@/instance/flags/catalog";
import { type FlagState, readFlags, resetFlag, setFlag } from "@/instance/flags/service";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";

export const featureName = z.object({ name: z.string().min(1) });

/**
 * The parameters with which GitLab enables a feature only for some actors. In Gatehouse, a feature is enabled
 * or disabled for everyone.
 */
const UNSUPPORTED_PARAMETERS = [
  "key",
  "feature_group",
  "user",
  "group",
  "namespace",
  "project",
  "repository",
] as const;
const UNSUPPORTED = "Not supported, because a feature is on or off for all users.";

export const featureSwitch = featureName.extend({
  value: z.union([z.string().min(1), z.number(), z.boolean()]).meta({ type: "boolean" }),
  ...(Object.fromEntries(
    UNSUPPORTED_PARAMETERS.map((name) => [name, z.unknown().optional().describe(UNSUPPORTED)]),
  ) as Record<(typeof UNSUPPORTED_PARAMETERS)[number], z.ZodOptional<z.ZodUnknown>>),
});

/**
 * Enables or disables a feature.
 * @throws ApiError 400 if the feature is unknown, or if the value is neither true nor false.
 */
export async function switchFeature(
  deps: Deps,
  { user }: Principal,
  { name, value, ...parameters }: z.infer<typeof featureSwitch>,
): Promise<FlagState> {
  if (!isFlag(name))
    throw badRequest(`There is no feature ${printable(name)}. GET /features/definitions lists all features.`);
  const parameter = UNSUPPORTED_PARAMETERS.find(
    (key) => parameters[key] !== undefined && parameters[key] !== "",
  );
  if (parameter !== undefined)
    throw badRequest(
      `A feature is on or off for all users: ${parameter} is not supported. The value must be true or false.`,
    );
  if (String(value) !== "true" && String(value) !== "false")
    throw badRequest(
      "A feature is on or off: percentages are not supported. The value must be true or false.",
    );
  const enabled = String(value) === "true";
  await setFlag(deps, name, enabled, user);
  return { name, enabled, changed: true };
}

/**
 * Resets a feature to its default. The response does not depend on whether the feature exists or was changed.
 */
export async function resetFeature(
  deps: Deps,
  { user }: Principal,
  { name }: z.infer<typeof featureName>,
): Promise<void> {
  if (isFlag(name)) await resetFlag(deps, name, user);
}

export const listFeatures = async (
  deps: Deps,
  _caller: Principal,
  _input: object,
  paging: Paging,
): Promise<Page<FlagState>> => partOf(await readFlags(deps), paging);

export const listDefinitions = (
  _deps: Deps,
  _caller: Principal,
  _input: object,
  paging: Paging,
): Page<Flag> => partOf(Object.keys(FLAGS) as Flag[], paging);

const printable = (name: string): string => name.replace(/[^\w-]/g, "?").slice(0, 64);
