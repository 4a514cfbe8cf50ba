import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";

/** The GitLab version that clients are told. */
export const reportedVersion = async (deps: Deps): Promise<string> =>
  (await readSettings(deps)).reported_version;
