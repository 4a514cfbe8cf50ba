/** Often enough to see that something is in use, seldom enough to cost nothing. */
export const RECORDED_EVERY_MS = 5 * 60_000;

/** Whether a use is worth writing down, after the last one that was. */
export const isNews = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RECORDED_EVERY_MS;
