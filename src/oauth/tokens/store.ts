import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type NewFamily = Readonly<{
  applicationId: number | null;
  userId: number;
  grantType: string;
  scopes: string;
  redirectUri: string | null;
  codeChallenge: string | null;
  resource: string | null;
  authTime: Date | null;
  acr: string | null;
  amr: string | null;
  sid: string | null;
  offlineAccess: boolean;
  authorizationCodeId: number | null;
  createdAt: Date;
}>;

/**
 * Stores a token family.
 * @returns the id of the new family.
 */
export async function insertFamily(db: Db, family: NewFamily): Promise<number> {
  const { id } = await db.tokenFamily.create({ data: { ...family, rotations: 0 }, select: { id: true } });
  return id;
}

/** Returns the application of a user's grant; null when the user has no grant with this id. */
export const findFamily = (
  db: Db,
  grant: Readonly<{ id: number; userId: number }>,
): Promise<Readonly<{ applicationId: number | null }> | null> =>
  db.tokenFamily.findFirst({ where: grant, select: { applicationId: true } });

export type NewOauthToken = Readonly<{
  familyId: number;
  accessDigest: TokenDigest;
  refreshDigest: TokenDigest | null;
  applicationId: number | null;
  userId: number;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
  endsAt: Date | null;
  /** The thumbprint of the DPoP key to which the access token is bound. */
  dpopJkt: string | null;
}>;

export async function insert(db: Db, token: NewOauthToken): Promise<void> {
  await db.oauthToken.create({ data: token });
}

/** Selects the token families to revoke. */
export type FamilyChoice =
  | { readonly id: number | { readonly in: number[] } }
  | { readonly authorizationCodeId: number }
  | { readonly userId: number; readonly applicationId: number | null }
  | { readonly userId: number }
  | { readonly userId: number; readonly sid: { readonly in: string[] }; readonly offlineAccess: false };

/**
 * Revokes token families with their tokens. The function updates the families before the tokens, because a
 * concurrent rotation locks the family first. Either this function revokes the new token of the rotation, or
 * the rotation finds that the token family is revoked. Callers must be inside a transaction.
 * @returns the number of active families that were revoked.
 */
export async function revokeFamilies(db: Db, choice: FamilyChoice, now: Date): Promise<number> {
  const { count } = await db.tokenFamily.updateMany({
    where: { ...choice, revokedAt: null },
    data: { revokedAt: now },
  });
  await db.oauthToken.updateMany({ where: { family: choice, revokedAt: null }, data: { revokedAt: now } });
  return count;
}

/**
 * Returns at most `most` ids of active families of an application. If the caller passes scope lists, the
 * result contains only token families with one of these scope lists.
 */
export async function liveFamilies(
  db: Db,
  slice: Readonly<{ applicationId: number; scopes?: readonly string[]; after: number; most: number }>,
): Promise<number[]> {
  const { applicationId, scopes, after, most } = slice;
  const rows = await db.tokenFamily.findMany({
    where: {
      applicationId,
      id: { gt: after },
      revokedAt: null,
      ...(scopes === undefined ? {} : { scopes: { in: [...scopes] } }),
    },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Returns the distinct stored scope lists of the active families of an application. */
export async function scopeListsOf(db: Db, applicationId: number): Promise<readonly string[]> {
  const where = { applicationId, revokedAt: null };
  const rows = await db.tokenFamily.groupBy({ by: ["scopes"], where });
  return rows.map(({ scopes }) => scopes);
}

/** Deletes all token families of an application with their tokens. */
export async function deleteFamiliesOf(db: Db, applicationId: number): Promise<void> {
  await db.tokenFamily.deleteMany({ where: { applicationId } });
}

/** Deletes at most `most` token families with their tokens. @returns the number of deleted families. */
export async function deleteSomeFamilies(
  db: Db,
  of: Readonly<{ userId: number } | { applicationId: number }>,
  most: number,
): Promise<number> {
  const rows = await db.tokenFamily.findMany({ where: of, select: { id: true }, take: most });
  await db.tokenFamily.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  return rows.length;
}

/**
 * Returns the token families of a user whose ids are greater than `after`, with the names of their
 * applications.
 */
export const familiesOfUser = (
  db: Db,
  userId: number,
  { after, most }: Readonly<{ after: number; most: number }>,
) =>
  db.tokenFamily.findMany({
    where: { userId, id: { gt: after } },
    select: {
      ...{ id: true, grantType: true, scopes: true, createdAt: true, revokedAt: true, lastUsedAt: true },
      ...{ lastAddress: true, lastUserAgent: true, application: { select: { name: true } } },
    },
    orderBy: { id: "asc" },
    take: most,
  });
