import { requireAdmin } from "@/identity/sessions/loaders";
import { listFlags } from "@/instance/flags/service";
import { systemDeps } from "@/kernel/deps/deps";

export const FLAGS_PAGE = "/admin/features";

/** Loads all feature flags with their current states, for an administrator. */
export async function loadFlags() {
  await requireAdmin(FLAGS_PAGE);
  const deps = systemDeps();
  return { flags: await listFlags(deps), now: deps.clock() };
}
