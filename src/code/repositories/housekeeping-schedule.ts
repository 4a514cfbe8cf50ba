import type { Deps } from "@/kernel/deps/deps";
import { stopHousekeeping } from "./housekeeping";
import { deleteReplaceRefs } from "./replace-refs";

/** Starts what a server does to repositories by itself. @returns stops it; settled when no program of Git is left. */
export function scheduleRepositoryHousekeeping(deps: Deps): () => Promise<void> {
  void deleteReplaceRefs(deps);
  return stopHousekeeping;
}
