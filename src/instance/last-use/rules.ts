/** The minimum interval between two recorded uses of the same row. */
export const RECORDED_EVERY_MS = 5 * 60_000;

/** Returns whether a use must be recorded, because the last recorded use is old enough. */
export const isNews = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RECORDED_EVERY_MS;
