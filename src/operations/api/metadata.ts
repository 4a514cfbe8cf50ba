import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";

/** Returns the GitLab version that is reported to clients. */
export const reportedVersion = async (deps: Deps): Promise<string> =>
  (await readSettings(deps)).reported_version;
