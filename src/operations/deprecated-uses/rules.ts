/** The uses of a part of the API that exists in v4 but not in v5. */
export type DeprecatedUse = Readonly<{
  id: number;
  /** The name of the row in the table of version differences. */
  name: string;
  count: number;
  lastUsedAt: Date;
  /**
   * The owner of the token. The owner is null for a use without a token, and if the reader may not see the
   * owner.
   */
  user: Readonly<{ id: number; username: string; name: string }> | null;
  /**
   * The application to which the token was issued. The application is null for a personal access token, and
   * for a use without a token.
   */
  application: Readonly<{ id: number; name: string; uid: string }> | null;
}>;

/**
 * The set of uses in a list. `own` contains uses with the user's own tokens. `applications` contains uses by
 * the applications that the user registered, with the tokens of any user. `all` contains all uses of the
 * instance.
 */
export const USE_CIRCLES = ["own", "applications", "all"] as const;
export type UseCircle = (typeof USE_CIRCLES)[number];
