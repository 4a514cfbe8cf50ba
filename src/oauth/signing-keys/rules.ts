/** The time for which a client may cache the published keys, in seconds. */
const CLIENT_CACHE_SECONDS = 86_400;

/**
 * Returns the time before which retired keys are no longer published, because all tokens that they signed
 * have expired.
 */
export const publishedSince = (now: Date, idTokenSeconds: number): Date =>
  new Date(now.getTime() - (CLIENT_CACHE_SECONDS + idTokenSeconds) * 1000);
