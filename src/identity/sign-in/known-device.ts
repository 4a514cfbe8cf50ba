import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import type { KnownDevice } from "../users/password-attempt";

const PURPOSE = "known_device";
const DAYS = 365;
const SECONDS = DAYS * 86_400;

/**
 * The maximum number of users who are stored in the device cookie of one browser: the users who signed in
 * last.
 */
const USERS_MAX = 8;

/**
 * Returns the users who have signed in with the browser before. The device cookie of the browser contains
 * these users (OWASP, "Slow down online guessing attacks with device cookies"). The device cookie does not
 * create a session, but gives the browser a separate counter of failed sign-ins.
 */
export function knownDevices(deps: Deps, cookieHeader: string | null): readonly KnownDevice[] {
  const sealed = cookieValue(deps.config, cookieHeader, "device");
  const opened = sealed === null ? null : openSealedToken(deps, PURPOSE, sealed);
  return (opened?.text.split(" ") ?? []).map((entry) => {
    const [userId = "", id = ""] = entry.split(":");
    return { userId: Number(userId), id };
  });
}

/** Returns the `Set-Cookie` line that adds this user to the users who have signed in with the browser. */
export function deviceCookie(deps: Deps, cookieHeader: string | null, userId: number): string {
  const devices = knownDevices(deps, cookieHeader);
  const own = devices.find((device) => device.userId === userId) ?? { userId, id: newDeviceId(deps) };
  const others = devices.filter((device) => device.userId !== userId);
  const entries = [own, ...others].slice(0, USERS_MAX).map((device) => `${device.userId}:${device.id}`);
  const sealed = sealToken(deps, PURPOSE, entries.join(" "), SECONDS);
  return setCookie(deps.config, "device", sealed, SECONDS);
}

const newDeviceId = (deps: Deps): string => Buffer.from(deps.randomBytes(9)).toString("base64url");
