import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { browserOf } from "@/kernel/http/form-response";
import { siteNetwork } from "@/kernel/http/ip-address";
import { notify } from "../notices/service";
import { knownDevices } from "./known-device";

/** The time for which a network counts as known after a sign-in. */
const KNOWN_DAYS = 90;

/**
 * Sends a notice to a user who has just signed in with a new browser, or from a network (IPv4 /24, IPv6 /48) without a
 * sign-in in the last `KNOWN_DAYS` days. The first sign-in of a user causes no notice.
 */
export async function notifyOfNewSignIn(deps: Deps, request: Request, user: User): Promise<void> {
  const browser = browserOf(request);
  const since = new Date(deps.clock().getTime() - KNOWN_DAYS * 86_400_000);
  const [, ...earlier] = await audit.recentSignIns(deps, user.id, since);
  if (earlier.length === 0) return;
  const network = siteNetwork(browser.ipAddress);
  const isKnownBrowser = knownDevices(deps, request.headers.get("cookie")).some(
    ({ userId }) => userId === user.id,
  );
  const isKnownNetwork = earlier.some(({ ipAddress }) => siteNetwork(ipAddress) === network);
  if (!isKnownBrowser || !isKnownNetwork) await notify(deps, user, "new_sign_in", { browser });
}
