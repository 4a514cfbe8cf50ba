/**
 * The minimum interval between two recorded uses of the same token, application, client secret or session.
 */
export const RECORDED_EVERY_MS = 5 * 60_000;

/**
 * Returns whether a use of a token, application, client secret or session must be recorded. A use is recorded
 * if the last recorded use is at least `RECORDED_EVERY_MS` old.
 */
export const isNews = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RECORDED_EVERY_MS;
