/**
 * The states of a user. Only active users can use the instance. A deactivated user becomes active again by
 * signing in. A user in the state `blocked_pending_approval` has registered and waits for the approval of an
 * administrator.
 */
export const USER_STATES = ["active", "blocked", "deactivated", "blocked_pending_approval"] as const;

export type UserState = (typeof USER_STATES)[number];

/**
 * Returns the state of a user from the value that the database stores. Returns `blocked` for a stored value
 * that is not in `USER_STATES`, such as the state of the ghost user.
 */
export const userStateOf = (stored: string): UserState =>
  USER_STATES.find((state) => state === stored) ?? "blocked";

/** Returns whether a user in this state can sign in. */
export const canSignIn = (state: UserState): boolean => state === "active" || state === "deactivated";

/** The kinds of users. Only humans can sign in. Bots use tokens. */
export const USER_KINDS = ["human", "access_token_bot", "application_bot"] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** The user in whose name a request acts. */
export type User = Readonly<{
  id: number;
  kind: UserKind;
  username: string;
  name: string;
  /**
   * The e-mail address, which is a placeholder while `emailVerified` is false. Callers use `confirmedEmail`
   * instead of the property `email`.
   */
  email: string;
  emailVerified: boolean;
  admin: boolean;
  state: UserState;
  /** Whether the user has set up a second factor. */
  twoFactor: boolean;
  /** Whether other users can see only the name and the username of this user. */
  privateProfile: boolean;
  /**
   * The digest of the avatar, which is a part of the URL of the avatar; null for a user without an avatar.
   */
  avatarDigest: string | null;
  createdAt: Date;
}>;

/** Returns whether a user is a bot, which cannot sign in. */
export const isBot = ({ kind }: Pick<User, "kind">): boolean => kind !== "human";

/**
 * Returns the confirmed e-mail address, on which clients and other users may rely; null for a user without a
 * confirmed e-mail address.
 */
export const confirmedEmail = ({
  email,
  emailVerified,
}: Pick<User, "email" | "emailVerified">): string | null => (emailVerified ? email : null);

/**
 * The project or the group that a deploy token can access. If `projectId` is null, the deploy token can
 * access all projects of the group `groupId`.
 */
export type DeployReach = Readonly<{ projectId: number | null; groupId: number | null }>;

/**
 * The user and the scopes of a request with a valid token. For a deploy token, the user is the creator of the
 * token, and the request can access only the project or the group in `reach`.
 */
export type Principal = Readonly<{
  user: User;
  scopes: readonly string[];
  /** `applicationId` is the application of an OAuth token; null for a token without an application. */
  token: Readonly<{ id: number; applicationId: number | null }> &
    (
      | Readonly<{ kind: "oauth" }>
      | Readonly<{
          kind: "personal";
          /** The administrator who created an impersonation token; null or undefined for other tokens. */
          impersonatorId?: number | null;
        }>
      | Readonly<{ kind: "deploy"; reach: DeployReach }>
    );
}>;
