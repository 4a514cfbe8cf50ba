/** Something that v5 has not, used by somebody with some program. */
export type DeprecatedUse = Readonly<{
  id: number;
  /** Of the row in the table of what the versions differ in. */
  name: string;
  count: number;
  lastUsedAt: Date;
  /** Whose token it was; null where nobody is told, or there was none. */
  user: Readonly<{ id: number; username: string; name: string }> | null;
  /** Whom the token was issued to; null for a personal access token, and without one. */
  application: Readonly<{ id: number; name: string; uid: string }> | null;
}>;

/**
 * Which uses are asked for: those with somebody's own tokens, those by the applications that somebody registered,
 * whoever used them, or all of the instance.
 */
export const USE_CIRCLES = ["own", "applications", "all"] as const;
export type UseCircle = (typeof USE_CIRCLES)[number];
