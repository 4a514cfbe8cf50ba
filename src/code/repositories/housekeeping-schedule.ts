import { stopObjectProcesses } from "@/code/git/object-process";
import type { Deps } from "@/kernel/deps/deps";
import { stopHousekeeping } from "./housekeeping";
import { deleteReplaceRefs } from "./replace-refs";

/**
 * Starts the housekeeping of repositories. @returns a function that ends the processes of housekeeping, and those that read
 * objects. The promise of the function resolves when no Git process is left.
 */
export function scheduleRepositoryHousekeeping(deps: Deps): () => Promise<void> {
  void deleteReplaceRefs(deps);
  return async () => {
    await Promise.all([stopHousekeeping(), stopObjectProcesses()]);
  };
}
