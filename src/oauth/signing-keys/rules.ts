/** How long a client may keep the published keys: none can verify by a key that it has not fetched. */
const CLIENT_CACHE_SECONDS = 86_400;

/** A key that was retired before this moment is no longer needed by anybody: what it signed has expired. */
export const publishedSince = (now: Date, idTokenSeconds: number): Date =>
  new Date(now.getTime() - (CLIENT_CACHE_SECONDS + idTokenSeconds) * 1000);
