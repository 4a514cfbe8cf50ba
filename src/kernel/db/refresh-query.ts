import type { RefreshRow } from "./db.ts";
import { APPLICATION_BLOCKED, dateOrNull, type Parameter, type Readers } from "./hot-queries.ts";

export const refreshQuery = (parameter: Parameter): string => `
  SELECT t."id", t."createdAt", t."refreshExpiresAt", t."revokedAt", t."rotatedAt", t."sealedAnswer",
         t."applicationId", a."uid", ${APPLICATION_BLOCKED}, u."id", u."username", u."state",
         f."id", f."scopes", f."redirectUri", f."codeChallenge", f."authTime", f."createdAt", f."revokedAt"
  FROM "OauthToken" t
  JOIN "TokenFamily" f ON f."id" = t."familyId"
  JOIN "User" u ON u."id" = t."userId"
  LEFT JOIN "Application" a ON a."id" = t."applicationId"
  LEFT JOIN "User" o ON o."id" = a."ownerId"
  WHERE t."refreshDigest" = ${parameter}`;

/** The columns of `refreshQuery`, in its order. */
export type RefreshColumns<Time, Flag> = [
  tokenId: number,
  createdAt: Time,
  refreshExpiresAt: Time | null,
  revokedAt: Time | null,
  rotatedAt: Time | null,
  sealedAnswer: string | null,
  applicationId: number | null,
  applicationUid: string | null,
  applicationBlocked: Flag,
  userId: number,
  username: string,
  userState: string,
  ...family: FamilyColumns<Time>,
];

type FamilyColumns<Time> = [
  id: number,
  scopes: string,
  redirectUri: string | null,
  codeChallenge: string | null,
  authTime: Time | null,
  createdAt: Time,
  revokedAt: Time | null,
];

export function refreshRow<Time, Flag>(
  columns: RefreshColumns<Time, Flag>,
  readers: Readers<Time, Flag>,
): RefreshRow {
  const [tokenId, createdAt, refreshExpiresAt, revokedAt, rotatedAt, sealedAnswer, ...others] = columns;
  const [applicationId, applicationUid, applicationBlocked, userId, username, state, ...family] = others;
  return {
    tokenId,
    createdAt: readers.date(createdAt),
    refreshExpiresAt: dateOrNull(refreshExpiresAt, readers),
    revokedAt: dateOrNull(revokedAt, readers),
    rotatedAt: dateOrNull(rotatedAt, readers),
    sealedAnswer,
    applicationId,
    applicationUid,
    applicationBlocked: readers.flag(applicationBlocked),
    user: { id: userId, username, state },
    family: familyRow(family, readers),
  };
}

const familyRow = <Time, Flag>(
  [id, scopes, redirectUri, codeChallenge, authTime, createdAt, revokedAt]: FamilyColumns<Time>,
  readers: Readers<Time, Flag>,
): RefreshRow["family"] => ({
  id,
  scopes,
  redirectUri,
  codeChallenge,
  authTime: dateOrNull(authTime, readers),
  createdAt: readers.date(createdAt),
  revokedAt: dateOrNull(revokedAt, readers),
});
