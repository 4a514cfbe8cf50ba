/**
 * The status of a device request: `waiting` until the user allows or denies access, `redeemed` when the device
 * has its tokens, and `withdrawn` if the server revoked the approval before the device requested its
 * tokens.
 */
export type DeviceStatus = "waiting" | "approved" | "denied" | "redeemed" | "withdrawn";

/** The properties of a device request on which the decision about a poll depends. */
export type PolledRequest = Readonly<{
  applicationId: number;
  /** The scopes of the device request, separated by spaces. */
  scopes: string;
  status: DeviceStatus;
  expiresAt: Date;
  intervalSeconds: number;
  /** The time of the last poll that was not too fast; null before the first poll. */
  lastPolledAt: Date | null;
}>;

export type PollDecision =
  | "issue"
  | "foreign"
  | "redeemed"
  | "withdrawn"
  | "expired_token"
  | "access_denied"
  | "slow_down"
  | "authorization_pending";

/** The tolerance for early polls, because clocks and networks are not exact. */
const TOLERANCE_MS = 1000;

/**
 * The number of seconds by which the polling interval increases after a poll that was too fast (RFC 8628
 * §3.5).
 */
const SLOWER_BY_SECONDS = 5;

/**
 * The maximum interval between two polls. Even a client that always polls too early receives a regular
 * response about once in each interval of this length.
 */
const INTERVAL_SECONDS_MAX = 60;

/**
 * Returns the decision about a poll by an authenticated client (RFC 8628 §3.5). A poll is refused as too fast
 * only while the device request is pending. After the user has allowed or denied access, every poll receives
 * the result of this decision.
 */
export function decidePoll(
  request: PolledRequest,
  application: Readonly<{ id: number; scopes: readonly string[] }>,
  now: Date,
): PollDecision {
  if (request.applicationId !== application.id) return "foreign";
  if (request.status === "redeemed") return "redeemed";
  if (now >= request.expiresAt) return "expired_token";
  if (request.status === "withdrawn") return "withdrawn";
  // If the application no longer has a requested scope, the device must start again.
  if (request.status === "denied" || !isCovered(request.scopes, application.scopes)) return "access_denied";
  if (request.status === "approved") return "issue";
  const { lastPolledAt, intervalSeconds } = request;
  if (lastPolledAt === null) return "authorization_pending";
  const earliest = lastPolledAt.getTime() + intervalSeconds * 1000 - TOLERANCE_MS;
  return now.getTime() < earliest ? "slow_down" : "authorization_pending";
}

/** Returns whether an application has all scopes of a device request. */
export const isCovered = (scopes: string, ofApplication: readonly string[]): boolean =>
  scopes.split(" ").every((scope) => ofApplication.includes(scope));

/** Returns the polling interval after a poll that was too fast. */
export const slowerInterval = (intervalSeconds: number): number =>
  Math.max(intervalSeconds, Math.min(intervalSeconds + SLOWER_BY_SECONDS, INTERVAL_SECONDS_MAX));

/**
 * The decisions of a user about a device request. The decision `report` denies the device request and records
 * that the user did not start the request.
 */
export const DECISIONS = ["allow", "deny", "report"] as const;
export type Decision = (typeof DECISIONS)[number];

export const statusAfter = (decision: Decision): "approved" | "denied" =>
  decision === "allow" ? "approved" : "denied";

/**
 * The outcome of the decision of a user about a device request. `answered` means that another decision was
 * stored first.
 */
export type DecisionOutcome = "approved" | "denied" | "expired" | "answered";

/**
 * Returns the outcome for a user whose decision was not stored, because another decision was stored first or
 * the device request has expired. A user may repeat the same decision without an error.
 * @param request the current state of the device request; null when the request no longer exists.
 */
export function standingOutcome(
  request: Readonly<{ status: DeviceStatus; userId: number | null }> | null,
  attempt: Readonly<{ decision: Decision; userId: number }>,
): DecisionOutcome {
  if (request === null || request.status === "waiting") return "expired";
  if (request.userId !== attempt.userId || request.status === "withdrawn") return "answered";
  const before = request.status === "denied" ? "denied" : "approved";
  return before === statusAfter(attempt.decision) ? before : "answered";
}
