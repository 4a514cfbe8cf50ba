import type { Deps } from "@/kernel/deps/deps";
import type { ManagedApplication } from "../applications/rules";
import { listTried, type StoredClientSession } from "../client-sessions/service";

/** The number of logout tokens that the page of an application shows. */
const SHOWN_MAX = 5;

/** A logout token that was sent, with the result of the last attempt to send the token. */
export type LogoutDelivery = Pick<StoredClientSession, "id" | "attempts" | "responseStatus" | "lastError"> &
  Readonly<{
    state: "waiting" | "delivered" | "failed";
    /**
     * The time of the final result of the delivery. While there is no final result, the value is the time at
     * which the session ended.
     */
    at: Date;
  }>;

/**
 * Returns the last logout tokens that were sent to an application; null for an application that receives no
 * logout tokens.
 */
export async function logoutDeliveriesOf(
  deps: Deps,
  { id, backchannelLogout }: ManagedApplication,
): Promise<readonly LogoutDelivery[] | null> {
  if (backchannelLogout.uri === null) return null;
  const rows = await listTried(deps, id, SHOWN_MAX);
  return rows.map(({ finishedAt, endsAt, state, ...row }) => ({
    ...row,
    state: state === "delivered" || state === "failed" ? state : "waiting",
    at: finishedAt ?? endsAt,
  }));
}
