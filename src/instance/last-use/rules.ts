/** The minimum interval between two recorded uses of the same row. */
export const RECORDED_EVERY_MS = 5 * 60_000;

/** Returns whether a use must be recorded, given the last recorded use. */
export const isNews = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RECORDED_EVERY_MS;
