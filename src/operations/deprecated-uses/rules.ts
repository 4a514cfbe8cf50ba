/** A use of something that v5 does not have. */
export type DeprecatedUse = Readonly<{
  id: number;
  /** The name of the row in the table of version differences. */
  name: string;
  count: number;
  lastUsedAt: Date;
  /** The owner of the token; null where the reader may not see it, and without a token. */
  user: Readonly<{ id: number; username: string; name: string }> | null;
  /** The application that the token was issued to; null for a personal access token, and without a token. */
  application: Readonly<{ id: number; name: string; uid: string }> | null;
}>;

/**
 * Which uses to list: those with the user's own tokens, those by the applications that the user registered
 * (by any user), or all of the instance.
 */
export const USE_CIRCLES = ["own", "applications", "all"] as const;
export type UseCircle = (typeof USE_CIRCLES)[number];
