import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { browserOf } from "@/kernel/http/form-response";
import { siteNetwork } from "@/kernel/http/ip-address";
import { notify } from "../notices/service";
import { knownDevices } from "./known-device";

/** The time for which a network counts as known after a sign-in. */
const KNOWN_DAYS = 90;

/**
 * Sends a notice to a user who has just signed in with a new browser or from a new network. A network (IPv4
 * /24, IPv6 /48) is new if the user has not signed in from it in the last `KNOWN_DAYS` days. The first
 * sign-in of a new account causes no notice.
 */
export async function notifyOfNewSignIn(deps: Deps, request: Request, user: User): Promise<void> {
  const browser = browserOf(request);
  const [, ...earlier] = await audit.recentSignIns(deps, user.id, daysAgo(deps, KNOWN_DAYS));
  if (earlier.length === 0 && (await isNewAccount(deps, user))) return;
  const network = siteNetwork(browser.ipAddress);
  const isKnownBrowser = knownDevices(deps, request.headers.get("cookie")).some(
    ({ userId }) => userId === user.id,
  );
  const isKnownNetwork = earlier.some(({ ipAddress }) => siteNetwork(ipAddress) === network);
  if (!isKnownBrowser || !isKnownNetwork) await notify(deps, user, "new_sign_in", { browser });
}

/**
 * Returns whether the audit events of the last `KNOWN_DAYS` days include every sign-in of a user. The result
 * is true if the account is neither older than `KNOWN_DAYS` days nor older than the retention period of audit
 * events.
 */
async function isNewAccount(deps: Deps, user: User): Promise<boolean> {
  const { audit_event_retention_days: retentionDays } = await readSettings(deps);
  const days = retentionDays === 0 ? KNOWN_DAYS : Math.min(KNOWN_DAYS, retentionDays);
  return user.createdAt > daysAgo(deps, days);
}

const daysAgo = (deps: Deps, days: number): Date => new Date(deps.clock().getTime() - days * 86_400_000);
