import type { z } from "zod";
import type { Principal } from "@/access/principal";
import { invalidParameters, unacceptable } from "@/http-api/errors";
import type { Settings } from "@/instance/settings/catalog";
import { sentSettings, type settingsInput } from "@/instance/settings/schema";
import { changeSettings, readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";

/**
 * Changes all settings that the request contains, or none of them.
 * @returns all settings of the instance.
 * @throws ApiError 400 if the request contains no setting, or invalid values. The message names each invalid
 * value.
 */
export async function changeApplicationSettings(
  deps: Deps,
  { user }: Principal,
  input: z.infer<typeof settingsInput>,
): Promise<Settings> {
  const changes = sentSettings(input);
  const count = Object.keys(changes).length;
  if (count === 0) throw invalidParameters(["settings are missing, at least one parameter must be provided"]);
  const problems = await changeSettings(deps, changes, user);
  if (problems.length > 0)
    throw unacceptable(Object.fromEntries(problems.map(({ key, text }) => [key, [text]])));
  return readSettings(deps);
}
