import type { Settings } from "@/instance/settings/catalog";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Application } from "../applications/rules";
import { accessTokensOf } from "../applications/token-options";
import * as tokens from "../tokens/service";
import { lastPollOf, recordPoll } from "./poll-times";
import { decidePoll, type PollDecision, slowerInterval } from "./rules";
import * as store from "./store";
import { type DeviceRow, findByDeviceDigest } from "./store.sql";

export type PollRefusal =
  | { readonly refused: Exclude<PollDecision, "issue" | "slow_down"> | "unknown" | "lost_race" }
  | { readonly refused: "slow_down"; readonly intervalSeconds: number };

/**
 * Handles a poll of a device (RFC 8628 §3.4, §3.5). While the device authorization request is pending, each
 * poll runs one prepared query, which finds the request by its device code, and `poll-times.ts` writes the
 * time of the poll later. The time of a poll that is too fast is not recorded. A client that always polls too
 * fast therefore still succeeds once in each interval.
 * @param dpopJkt the thumbprint of the key to which the access token is bound; null for a bearer token.
 */
export async function poll(
  deps: Deps,
  settings: Settings,
  application: Application,
  deviceCode: string,
  dpopJkt: string | null = null,
): Promise<tokens.IssuedTokens | PollRefusal> {
  const row = await findByDeviceDigest(deps.prepared, digest(deviceCode));
  if (row === null) return { refused: "unknown" };
  const now = deps.clock();
  const last = lastPollOf(row);
  const decision = decidePoll({ ...row, ...last, status: store.statusFrom(row.status) }, application, now);
  if (decision === "issue") return redeem(deps, settings, row, application, dpopJkt);
  if (decision === "authorization_pending") recordPoll(row.id, { ...last, lastPolledAt: now });
  if (decision !== "slow_down") return { refused: decision };
  const intervalSeconds = slowerInterval(last.intervalSeconds);
  recordPoll(row.id, { ...last, intervalSeconds });
  return { refused: decision, intervalSeconds };
}

/**
 * Issues tokens in the transaction that marks the device authorization request as redeemed, so that exactly
 * one of several concurrent callers gets the tokens.
 */
async function redeem(
  deps: Deps,
  settings: Settings,
  row: DeviceRow,
  application: Application,
  dpopJkt: string | null,
): Promise<tokens.IssuedTokens | PollRefusal> {
  const { userId } = row;
  if (userId === null) return { refused: "unknown" };
  return deps.transaction(async (within) => {
    if (!(await store.claim(within.db, row.id, within.clock()))) return { refused: "lost_race" };
    return tokens.issue(within, settings, {
      type: "device_code",
      applicationId: row.applicationId,
      userId,
      scopes: row.scopes.split(" "),
      dpopJkt,
      accessToken: accessTokensOf(application),
      ...(row.authTime === null ? {} : { authTime: row.authTime }),
      acr: row.acr,
      amr: row.amr,
    });
  });
}
