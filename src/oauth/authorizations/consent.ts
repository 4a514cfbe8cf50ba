import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** Adds to what a person has allowed an application. Call it inside the transaction that records the decision. */
export const extendConsent = (
  deps: Deps,
  consent: Readonly<{ userId: number; applicationId: number; scopes: readonly string[] }>,
): Promise<void> => store.recordConsent(deps.db, { ...consent, now: deps.clock() });
