import type { User } from "@/access/principal";
import { isScope, type Scope } from "@/access/scopes";
import { requireLiveSession } from "@/identity/sessions/sessions-ended";
import * as audit from "@/instance/audit/service";
import { refund, reserveInOrder } from "@/instance/rate-limits/counter";
import { LIMITS } from "@/instance/rate-limits/limits";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf } from "@/instance/settings/service";
import { userCodeDigest, userCodeDigests } from "@/kernel/crypto/keys";
import { digest, newToken } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { keptUserAgent } from "@/kernel/http/user-agent";
import type { Application } from "../applications/rules";
import { extendConsent, lockConsent } from "../consents/service";
import { type Decision, type DecisionOutcome, isCovered, standingOutcome, statusAfter } from "./rules";
import * as store from "./store";
import { newUserCode, readUserCode } from "./user-code";

/**
 * The IP address and the user agent of a device request. The page on which the user allows or denies the
 * device shows the IP address and the user agent.
 */
export type Origin = Readonly<{ ipAddress: string; userAgent: string | null }>;

/**
 * The device code and the user code of a new device request in plain text, which the server does not store.
 */
export type DeviceCodes = Readonly<{
  deviceCode: string;
  /** The user code without the dash between its two groups of letters. */
  userCode: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}>;

/**
 * The maximum number of attempts to find an unused user code. With a million active user codes, one of 25,000
 * new user codes is already in use.
 */
const TRIES_MAX = 8;

/**
 * Creates a device authorization request (RFC 8628 §3.1). The function generates another user code when the
 * first user code is already in use.
 * @param request.scopes the requested scopes, all of which the application has.
 */
export async function begin(
  deps: Deps,
  settings: Settings,
  request: Readonly<{ application: Application; scopes: readonly Scope[]; origin: Origin }>,
): Promise<DeviceCodes> {
  const { application, scopes, origin } = request;
  const deviceCode = newToken(deps.randomBytes, "device");
  const createdAt = deps.clock();
  const expiresInSeconds = settings.device_code_expires_in;
  const intervalSeconds = settings.device_poll_interval;
  for (let tries = 1; ; tries++) {
    const userCode = newUserCode(deps.randomBytes);
    try {
      await store.insert(deps.db, {
        deviceDigest: digest(deviceCode),
        userCodeDigest: userCodeDigest(deps.keys, userCode),
        applicationId: application.id,
        scopes: scopes.join(" "),
        address: origin.ipAddress,
        userAgent: keptUserAgent(origin.userAgent),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + expiresInSeconds * 1000),
        intervalSeconds,
      });
      return { deviceCode, userCode, expiresInSeconds, intervalSeconds };
    } catch (cause) {
      if (!isUniqueViolation(cause) || tries === TRIES_MAX) throw cause;
    }
  }
}

/** A device request that waits for the decision of the user who entered its user code. */
export type PendingDeviceRequest = Omit<store.ShownRequest, "scopes"> &
  Readonly<{ userCode: string; scopes: readonly Scope[] }>;

/**
 * Returns the pending device request with this user code. The attempt to enter a user code is counted before
 * the query, so that each of several simultaneous guesses of a user code is counted. If the user code is
 * valid, the attempt is removed from the count (RFC 8628 §5.1).
 * @param attempt.typed the entered user code in upper or lower case, with or without dash and spaces.
 * @returns `wrong` if the user code is unknown, used or expired, or if the application no longer has a requested scope;
 * the time to wait if the user has made too many attempts.
 */
export async function enterCode(
  deps: Deps,
  settings: Settings,
  attempt: Readonly<{ typed: string; user: User; ipAddress: string }>,
): Promise<PendingDeviceRequest | "wrong" | { readonly retryAfterSeconds: number }> {
  // The period of the rate limit is at least the lifetime of a user code (RFC 8628 §5.1).
  const perSeconds = Math.max(LIMITS.user_code_per_user.perSeconds, settings.device_code_expires_in);
  const subjects = [
    { ...limitOf(settings, "user_code_per_user", String(attempt.user.id)), perSeconds },
    limitOf(settings, "user_code_per_address", sourceNetwork(attempt.ipAddress)),
    limitOf(settings, "user_code_per_instance", "all"),
  ];
  const retryAfterSeconds = await reserveInOrder(deps.db, subjects, deps.clock());
  if (retryAfterSeconds !== null) return { retryAfterSeconds };
  const userCode = readUserCode(attempt.typed);
  const row =
    userCode === null
      ? null
      : await store.findWaiting(deps.db, userCodeDigests(deps.keys, userCode), deps.clock());
  if (userCode === null || row === null || !isCovered(row.scopes, row.application.scopes.split(" ")))
    return "wrong";
  await refund(deps.db, subjects, deps.clock());
  return { ...row, userCode, scopes: row.scopes.split(" ").filter(isScope) };
}

/** Returns the requested scopes of a device request; empty when the request no longer exists. */
export async function scopesOfRequest(deps: Deps, requestId: number): Promise<readonly Scope[]> {
  return (await store.find(deps.db, requestId))?.scopes.split(" ").filter(isScope) ?? [];
}

/**
 * Records the decision of a user about a device request. If several users allow or deny the device request
 * simultaneously, only the first decision is stored.
 * @param attempt.sessionId the opaque id of the browser session.
 * @throws SessionEnded if the session of the user has ended.
 */
export async function decide(
  deps: Deps,
  attempt: Readonly<{
    requestId: number;
    decision: Decision;
    user: User;
    sessionId: string;
    authentication: store.Authentication;
  }>,
): Promise<DecisionOutcome> {
  const { requestId, decision, user } = attempt;
  return deps.transaction(async (within) => {
    await requireLiveSession(within, attempt.sessionId);
    const status = statusAfter(decision);
    const before = await store.find(within.db, requestId);
    if (before !== null && status === "approved") {
      // Every transaction that locks a consent and a device request locks the consent first.
      await lockConsent(within, { userId: user.id, applicationId: before.applicationId });
      const locked = await store.find(within.db, requestId);
      if (locked !== null && !isCovered(locked.scopes, locked.application.scopes.split(" ")))
        return "expired";
    }
    const values = { status, userId: user.id, ...attempt.authentication, now: within.clock() };
    const won = await store.decide(within.db, requestId, values);
    const request = await store.find(within.db, requestId);
    if (!won || request === null) return standingOutcome(request, { decision, userId: user.id });
    const about = { userId: user.id, applicationId: request.applicationId };
    const scopes = request.scopes.split(" ");
    if (status === "approved") {
      await extendConsent(within, { ...about, scopes });
      await audit.record(within, "device.approved", { scopes }, about);
    } else await audit.record(within, "device.denied", { reported: decision === "report" }, about);
    return status;
  });
}

/**
 * Revokes the approvals of devices that have not yet requested their tokens. The function revokes the
 * approvals of one user, of one application, or of one user for one application.
 * @param by the party that has ended the access. If the user has withdrawn the consent, the device gets
 * `access_denied`, as after a denial. Otherwise, the device code is invalid.
 */
export const withdrawApprovals = (deps: Deps, about: store.Approvals, by: "user" | "server"): Promise<void> =>
  store.endApproved(deps.db, about, by === "user" ? "denied" : "withdrawn");

/** Deletes the device requests of an application. */
export const removeRequestsOf = (deps: Deps, applicationId: number): Promise<void> =>
  store.removeOf(deps.db, applicationId);
