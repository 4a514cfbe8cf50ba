import type { User } from "@/access/principal";
import { isScope, type Scope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import { refund, reserveInOrder } from "@/instance/rate-limits/counter";
import { LIMITS } from "@/instance/rate-limits/limits";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf } from "@/instance/settings/service";
import { userCodeDigest } from "@/kernel/crypto/keys";
import { digest, newToken } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { keptUserAgent } from "@/kernel/http/user-agent";
import type { Application } from "../applications/rules";
import { extendConsent } from "../consents/service";
import { type Decision, type DecisionOutcome, standingOutcome, statusAfter } from "./rules";
import * as store from "./store";
import { newUserCode, readUserCode } from "./user-code";

/** Where a device asked from, for the person to recognise. */
export type Origin = Readonly<{ ipAddress: string; userAgent: string | null }>;

/** A new request: both codes are in the clear here and nowhere else. */
export type DeviceCodes = Readonly<{
  deviceCode: string;
  /** Without its dash. */
  userCode: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}>;

/** More than ever needed: with a million live codes, one new code in 25 000 is taken. */
const TRIES_MAX = 8;

/**
 * Begins a device authorization (RFC 8628 §3.1). A user code that another request has is made again.
 * @param scopes of the application.
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

/** What a person is asked about, once they have entered its code. */
export type PendingDeviceRequest = Omit<store.ShownRequest, "scopes"> &
  Readonly<{ userCode: string; scopes: readonly Scope[] }>;

/**
 * Looks a user code up. The attempt is counted before it is judged, so that a hundred guesses at once are a hundred
 * guesses, and given back when the code was right (RFC 8628 §5.1).
 * @param typed in any case, with or without dash and spaces.
 * @returns `wrong` for a code that never was, that is used and that has expired: which one, nobody is told.
 */
export async function enterCode(
  deps: Deps,
  settings: Settings,
  attempt: Readonly<{ typed: string; user: User; ipAddress: string }>,
): Promise<PendingDeviceRequest | "wrong" | { readonly retryAfterSeconds: number }> {
  // RFC 8628 §5.1: so many tries while one code can be guessed.
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
      : await store.findWaiting(deps.db, userCodeDigest(deps.keys, userCode), deps.clock());
  if (userCode === null || row === null) return "wrong";
  await refund(deps.db, subjects, deps.clock());
  return { ...row, userCode, scopes: row.scopes.split(" ").filter(isScope) };
}

/** What the request asked for; nothing when it is gone. */
export async function scopesOfRequest(deps: Deps, requestId: number): Promise<readonly Scope[]> {
  return (await store.find(deps.db, requestId))?.scopes.split(" ").filter(isScope) ?? [];
}

/** Records a person's answer. Of answers that arrive together one wins, and whose it was is stored with it. */
export async function decide(
  deps: Deps,
  answer: Readonly<{ requestId: number; decision: Decision; user: User; signedInAt: Date }>,
): Promise<DecisionOutcome> {
  const { requestId, decision, user } = answer;
  return deps.transaction(async (within) => {
    const status = statusAfter(decision);
    const values = { status, userId: user.id, authTime: answer.signedInAt, now: within.clock() };
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

/** Revokes the approvals of devices that have not fetched their tokens yet: of a user, of an application, or of both. */
export const withdrawApprovals = (deps: Deps, about: store.Approvals): Promise<void> =>
  store.denyApproved(deps.db, about);
