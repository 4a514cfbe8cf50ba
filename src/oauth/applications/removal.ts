import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Deletes the consents, the codes and the grants of an application that is deleted in the transaction of
     * `deps`.
     */
    applicationRemoval: (deps: Deps, applicationId: number) => Promise<void>;
  }
}

/**
 * Deletes an application with its authorization codes, tokens and consents, in the transaction that `deps`
 * contains.
 */
export async function removeWithAccess(deps: Deps, id: number): Promise<void> {
  await deps.hooks.applicationRemoval(deps, id);
  await store.remove(deps.db, id);
}
