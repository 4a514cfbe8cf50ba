import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** Cancels the unused authorization codes that were issued in sessions of a user. */
export async function cancelCodesOfSessions(
  deps: Deps,
  userId: number,
  sids: readonly string[],
): Promise<void> {
  await store.spendUnusedCodes(deps.db, { userId, sid: { in: [...sids] } }, deps.clock());
}
