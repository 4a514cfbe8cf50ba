import type { BearerRow, ClientRow, PersonalTokenRow } from "./db.ts";

/** How this database writes the place of a value. */
export type Parameter = "?" | "$1";

const USER = `u."id", u."username", u."name", u."email", u."emailVerified", u."admin", u."state", u."createdAt", u."twoFactorSince", u."privateProfile"`;

type UserColumns<Time, Flag> = [
  id: number,
  username: string,
  name: string,
  email: string,
  emailVerified: Flag,
  admin: Flag,
  state: string,
  createdAt: Time,
  twoFactorSince: Time | null,
  privateProfile: Flag,
];

/** What this database's driver makes of times and flags. */
export type Readers<Time, Flag> = Readonly<{ date: (time: Time) => Date; flag: (value: Flag) => boolean }>;

/** An application `a` is refused because of its owner `o`; the same condition as `isOwnerBlocked`. */
const OWNER_BLOCKED = `COALESCE(o."state" <> 'active' AND NOT o."admin" AND NOT a."trusted", FALSE)`;

/** An application `a` with the owner `o` is refused. */
export const APPLICATION_BLOCKED = `(a."blockedAt" IS NOT NULL OR ${OWNER_BLOCKED})`;

export const bearerQuery = (parameter: Parameter): string => `
  SELECT t."id", t."familyId", t."scopes", t."createdAt", t."expiresAt", t."revokedAt",
         t."applicationId", a."uid", f."lastUsedAt", ${APPLICATION_BLOCKED}, ${USER}
  FROM "OauthToken" t
  JOIN "User" u ON u."id" = t."userId"
  JOIN "TokenFamily" f ON f."id" = t."familyId"
  LEFT JOIN "Application" a ON a."id" = t."applicationId"
  LEFT JOIN "User" o ON o."id" = a."ownerId"
  WHERE t."accessDigest" = ${parameter}`;

/** The columns of `bearerQuery`, in its order. */
export type BearerColumns<Time, Flag> = [
  tokenId: number,
  familyId: number,
  scopes: string,
  createdAt: Time,
  expiresAt: Time | null,
  revokedAt: Time | null,
  applicationId: number | null,
  applicationUid: string | null,
  lastUsedAt: Time | null,
  applicationBlocked: Flag,
  ...user: UserColumns<Time, Flag>,
];

export function bearerRow<Time, Flag>(
  columns: BearerColumns<Time, Flag>,
  readers: Readers<Time, Flag>,
): BearerRow {
  const [tokenId, familyId, scopes, createdAt, expiresAt, revokedAt, ...rest] = columns;
  const [applicationId, applicationUid, lastUsedAt, applicationBlocked, ...user] = rest;
  return {
    tokenId,
    familyId,
    scopes,
    createdAt: readers.date(createdAt),
    expiresAt: dateOrNull(expiresAt, readers),
    revokedAt: dateOrNull(revokedAt, readers),
    applicationId,
    applicationUid,
    lastUsedAt: dateOrNull(lastUsedAt, readers),
    applicationBlocked: readers.flag(applicationBlocked),
    user: userRow(user, readers),
  };
}

export const personalTokenQuery = (parameter: Parameter): string => `
  SELECT t."id", t."name", t."scopes", t."createdAt", t."expiresAt", t."revokedAt", t."lastUsedAt", t."familyId", ${USER}
  FROM "PersonalAccessToken" t
  JOIN "User" u ON u."id" = t."userId"
  WHERE t."digest" = ${parameter}`;

/** The columns of `personalTokenQuery`, in its order. */
export type PersonalTokenColumns<Time, Flag> = [
  tokenId: number,
  name: string,
  scopes: string,
  createdAt: Time,
  expiresAt: Time | null,
  revokedAt: Time | null,
  lastUsedAt: Time | null,
  familyId: number | null,
  ...user: UserColumns<Time, Flag>,
];

export function personalTokenRow<Time, Flag>(
  columns: PersonalTokenColumns<Time, Flag>,
  readers: Readers<Time, Flag>,
): PersonalTokenRow {
  const [tokenId, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, ...rest] = columns;
  const [familyId, ...user] = rest;
  return {
    tokenId,
    name,
    scopes,
    createdAt: readers.date(createdAt),
    expiresAt: dateOrNull(expiresAt, readers),
    revokedAt: dateOrNull(revokedAt, readers),
    lastUsedAt: dateOrNull(lastUsedAt, readers),
    familyId,
    user: userRow(user, readers),
  };
}

/** One row for each live secret, and one for an application without any. */
export const clientQuery = (parameter: Parameter): string => `
  SELECT a."id", a."uid", a."name", a."redirectUris", a."scopes", a."confidential", a."trusted",
         a."requiresPkce", a."allowsPassword", a."createdAt", a."lastUsedAt", a."blockedAt",
         o."id", o."username", o."name", ${OWNER_BLOCKED}, s."id", s."digest", s."lastUsedAt"
  FROM "Application" a
  JOIN "User" o ON o."id" = a."ownerId"
  LEFT JOIN "ApplicationSecret" s ON s."applicationId" = a."id"
  WHERE a."uid" = ${parameter}`;

/** The columns of `clientQuery`, in its order. */
export type ClientColumns<Time, Flag> = [
  id: number,
  uid: string,
  name: string,
  redirectUris: string,
  scopes: string,
  confidential: Flag,
  trusted: Flag,
  requiresPkce: Flag,
  allowsPassword: Flag,
  createdAt: Time,
  lastUsedAt: Time | null,
  blockedAt: Time | null,
  ownerId: number,
  ownerUsername: string,
  ownerName: string,
  ownerBlocked: Flag,
  ...secret: SecretColumns<Time>,
];

type SecretColumns<Time> = [
  secretId: number | null,
  secretDigest: string | null,
  secretLastUsedAt: Time | null,
];

export function clientRow<Time, Flag>(
  rows: readonly ClientColumns<Time, Flag>[],
  readers: Readers<Time, Flag>,
): ClientRow | null {
  const { date, flag } = readers;
  const [first] = rows;
  if (first === undefined) return null;
  const [id, uid, name, redirectUris, scopes, confidential, trusted, requiresPkce, allowsPassword, ...rest] =
    first;
  const [createdAt, lastUsedAt, blockedAt, ownerId, ownerUsername, ownerName, ownerBlocked] = rest;
  return {
    id,
    uid,
    name,
    redirectUris,
    scopes,
    confidential: flag(confidential),
    trusted: flag(trusted),
    requiresPkce: flag(requiresPkce),
    allowsPassword: flag(allowsPassword),
    createdAt: date(createdAt),
    lastUsedAt: dateOrNull(lastUsedAt, readers),
    blockedAt: dateOrNull(blockedAt, readers),
    owner: { id: ownerId, username: ownerUsername, name: ownerName },
    ownerBlocked: flag(ownerBlocked),
    secrets: rows.flatMap((row) => secretOf(row, readers) ?? []),
  };
}

function secretOf<Time, Flag>(
  row: ClientColumns<Time, Flag>,
  readers: Readers<Time, Flag>,
): ClientRow["secrets"][number] | null {
  const [id, digest, lastUsedAt] = [row[16], row[17], row[18]];
  return id === null || digest === null ? null : { id, digest, lastUsedAt: dateOrNull(lastUsedAt, readers) };
}

export const SETTINGS_QUERY = `SELECT "key", "value" FROM "Setting"`;
export const FLAGS_QUERY = `SELECT "name", "enabled" FROM "FeatureFlag"`;

export const dateOrNull = <Time, Flag>(time: Time | null, { date }: Readers<Time, Flag>): Date | null =>
  time === null ? null : date(time);

function userRow<Time, Flag>(
  columns: UserColumns<Time, Flag>,
  { date, flag }: Readers<Time, Flag>,
): BearerRow["user"] {
  const [id, username, name, email, emailVerified, admin, state, createdAt, ...rest] = columns;
  const [twoFactorSince, privateProfile] = rest;
  return {
    id,
    username,
    name,
    email,
    emailVerified: flag(emailVerified),
    admin: flag(admin),
    state,
    createdAt: date(createdAt),
    twoFactor: twoFactorSince !== null,
    privateProfile: flag(privateProfile),
  };
}
