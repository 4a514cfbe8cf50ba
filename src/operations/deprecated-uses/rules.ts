/** A use of a part of the API that is missing from v5. */
export type DeprecatedUse = Readonly<{
  id: number;
  /** The name of the row in the table of version differences. */
  name: string;
  count: number;
  lastUsedAt: Date;
  /**
   * The owner of the token; null for a use without a token, and if the reader does not have permission to see
   * the owner.
   */
  user: Readonly<{ id: number; username: string; name: string }> | null;
  /**
   * The application to which the token was issued; null for a personal access token and for a use without a
   * token.
   */
  application: Readonly<{ id: number; name: string; uid: string }> | null;
}>;

/**
 * The set of uses to list: uses with the user's own tokens, uses by the applications that the user registered
 * (by any user), or all uses of the instance.
 */
export const USE_CIRCLES = ["own", "applications", "all"] as const;
export type UseCircle = (typeof USE_CIRCLES)[number];
