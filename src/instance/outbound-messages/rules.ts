const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The time during which a failed message is sent again. */
export const SENT_WITHIN_MS = 24 * HOUR_MS;

/** The time for which the results of messages are stored. */
export const LOGGED_MS = 7 * 24 * HOUR_MS;

/** The pauses after the first failed attempts; later attempts use the last pause. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
] as const;

/**
 * Returns the pause after a failed attempt to send a message.
 * @param attempts the number of failed attempts so far, at least 1.
 */
export const pauseAfterAttempts = (attempts: number): number =>
  PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? SECOND_MS;

/** The time for which a process that has claimed a message may send the message. */
export const SENDING_MS = MINUTE_MS;

/** The maximum duration of a request, and the maximum size of its response. */
export const REQUEST_MS = 10 * SECOND_MS;
export const RESPONSE_BYTES_MAX = 1_048_576;

/**
 * The maximum number of messages that a process sends simultaneously. Each of these messages is sent to a
 * different receiver.
 */
export const SENT_AT_ONCE = 8;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
