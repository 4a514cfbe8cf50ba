/** `waiting` until a person decides, `redeemed` once the device has its tokens. */
export type DeviceStatus = "waiting" | "approved" | "denied" | "redeemed";

/** A device authorization request as far as a poll is concerned. */
export type PolledRequest = Readonly<{
  applicationId: number;
  /** With spaces between them. */
  scopes: string;
  status: DeviceStatus;
  expiresAt: Date;
  intervalSeconds: number;
  /** Of the last poll that was not too fast; null before the first. */
  lastPolledAt: Date | null;
}>;

export type PollVerdict =
  | "issue"
  | "foreign"
  | "redeemed"
  | "expired_token"
  | "access_denied"
  | "slow_down"
  | "authorization_pending";

/** Clocks and networks are not exact: a poll that comes this much early is not too fast. */
const TOLERANCE_MS = 1000;

/** RFC 8628 §3.5: how much longer a client that was too fast has to wait. */
const SLOWER_BY_SECONDS = 5;

/** An interval that only ever grew would shut out a client that pays no heed to it. */
const INTERVAL_SECONDS_MAX = 60;

/**
 * Judges a poll by an authenticated client (RFC 8628 §3.5). What is decided is said at once: only one that would
 * still be pending can be too fast.
 */
export function decidePoll(
  request: PolledRequest,
  application: Readonly<{ id: number; scopes: readonly string[] }>,
  now: Date,
): PollVerdict {
  if (request.applicationId !== application.id) return "foreign";
  if (request.status === "redeemed") return "redeemed";
  if (now >= request.expiresAt) return "expired_token";
  // An application that has lost a scope since then must ask again.
  const isCovered = request.scopes.split(" ").every((scope) => application.scopes.includes(scope));
  if (request.status === "denied" || !isCovered) return "access_denied";
  if (request.status === "approved") return "issue";
  const { lastPolledAt, intervalSeconds } = request;
  if (lastPolledAt === null) return "authorization_pending";
  const earliest = lastPolledAt.getTime() + intervalSeconds * 1000 - TOLERANCE_MS;
  return now.getTime() < earliest ? "slow_down" : "authorization_pending";
}

/** The interval after a poll that was too fast. */
export const slowerInterval = (intervalSeconds: number): number =>
  Math.max(intervalSeconds, Math.min(intervalSeconds + SLOWER_BY_SECONDS, INTERVAL_SECONDS_MAX));

/** What a person can answer a device: `report` denies it too, and says that it was not theirs. */
export const DECISIONS = ["allow", "deny", "report"] as const;
export type Decision = (typeof DECISIONS)[number];

export const statusAfter = (decision: Decision): "approved" | "denied" =>
  decision === "allow" ? "approved" : "denied";

/** What became of an answer; `answered` when another one came first. */
export type DecisionOutcome = "approved" | "denied" | "expired" | "answered";

/**
 * What became of an answer that changed nothing. The same answer of the same person, sent twice, is no error.
 * @param request as it stands now; null when it is gone.
 */
export function standingOutcome(
  request: Readonly<{ status: DeviceStatus; userId: number | null }> | null,
  answer: Readonly<{ decision: Decision; userId: number }>,
): DecisionOutcome {
  if (request === null || request.status === "waiting") return "expired";
  if (request.userId !== answer.userId) return "answered";
  const before = request.status === "denied" ? "denied" : "approved";
  return before === statusAfter(answer.decision) ? before : "answered";
}
