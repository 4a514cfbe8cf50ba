/** The person that a request acts for. */
export type User = Readonly<{
  id: number;
  username: string;
  name: string;
  /** A placeholder unless `emailVerified`: read it through `confirmedEmail`. */
  email: string;
  emailVerified: boolean;
  admin: boolean;
  state: "active" | "blocked";
  /** Whether a second factor has been set up. */
  twoFactor: boolean;
  /** Whether other people see no more of them than who they are. */
  privateProfile: boolean;
  createdAt: Date;
}>;

/** The e-mail address that clients and other users may rely on; null while no administrator has confirmed one. */
export const confirmedEmail = ({
  email,
  emailVerified,
}: Pick<User, "email" | "emailVerified">): string | null => (emailVerified ? email : null);

/** A request that presented a valid token: who it acts for and with which scopes. */
export type Principal = Readonly<{
  user: User;
  scopes: readonly string[];
  /** `applicationId`: whom an OAuth token was issued to; null for a token that needs no application. */
  token: Readonly<{ kind: "oauth" | "personal"; id: number; applicationId: number | null }>;
}>;
