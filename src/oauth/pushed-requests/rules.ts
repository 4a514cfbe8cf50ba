/** The start of every `request_uri` of this server (RFC 9126 §2.2). */
export const REQUEST_URI_PREFIX = "urn:ietf:params:oauth:request_uri:";

/** The number of seconds within which a browser must open a pushed authorization request. */
export const OPENED_WITHIN_SECONDS = 90;

/**
 * The number of hours after the push within which the user can complete a request that a browser has opened.
 */
const COMPLETED_WITHIN_HOURS = 24;

/**
 * The state of a pushed authorization request. A pushed authorization request is `new` until a browser opens
 * it.
 */
export type PushedState = "new" | "opened" | "expired" | "used";

export function pushedState(
  row: Readonly<{ createdAt: Date; expiresAt: Date; openedAt: Date | null; usedAt: Date | null }>,
  now: Date,
): PushedState {
  if (row.usedAt !== null) return "used";
  if (row.openedAt === null) return now < row.expiresAt ? "new" : "expired";
  const completedBefore = row.createdAt.getTime() + COMPLETED_WITHIN_HOURS * 3_600_000;
  return now.getTime() < completedBefore ? "opened" : "expired";
}
