import type { Deps } from "@/kernel/deps/deps";
import { stopTidying } from "./housekeeping";
import { deleteReplaceRefs } from "./replace-refs";

/** Starts what a server does to repositories by itself. @returns stops it; settled when no program of Git is left. */
export function keepRepositories(deps: Deps): () => Promise<void> {
  void deleteReplaceRefs(deps);
  return stopTidying;
}
