import type { BearerRow } from "./db.ts";

/** @param parameter how this database writes the place of the digest. */
export const bearerQuery = (parameter: "?" | "$1"): string => `
  SELECT t."id", t."scopes", t."createdAt", t."expiresAt", t."revokedAt", t."applicationId", a."uid",
         u."id", u."username", u."name", u."email", u."emailVerified", u."admin", u."state", u."createdAt"
  FROM "OauthToken" t
  JOIN "User" u ON u."id" = t."userId"
  LEFT JOIN "Application" a ON a."id" = t."applicationId"
  WHERE t."accessDigest" = ${parameter}`;

/** The columns of `bearerQuery`, in its order. Times and flags are what the database's driver makes of them. */
export type BearerColumns<Time, Flag> = [
  tokenId: number,
  scopes: string,
  createdAt: Time,
  expiresAt: Time | null,
  revokedAt: Time | null,
  applicationId: number | null,
  applicationUid: string | null,
  userId: number,
  username: string,
  name: string,
  email: string,
  emailVerified: Flag,
  admin: Flag,
  state: string,
  userCreatedAt: Time,
];

/** One answer of `bearerQuery`, with its times and flags read by `date` and `flag`. */
export function bearerRow<Time, Flag>(
  columns: BearerColumns<Time, Flag>,
  date: (time: Time) => Date,
  flag: (value: Flag) => boolean,
): BearerRow {
  const [tokenId, scopes, createdAt, expiresAt, revokedAt, applicationId, applicationUid, ...user] = columns;
  const [id, username, name, email, emailVerified, admin, state, userCreatedAt] = user;
  return {
    tokenId,
    scopes,
    createdAt: date(createdAt),
    expiresAt: expiresAt === null ? null : date(expiresAt),
    revokedAt: revokedAt === null ? null : date(revokedAt),
    applicationId,
    applicationUid,
    user: {
      id,
      username,
      name,
      email,
      emailVerified: flag(emailVerified),
      admin: flag(admin),
      state,
      createdAt: date(userCreatedAt),
    },
  };
}
