import { USER_COLUMNS } from "@/identity/user-columns";
import type { TokenDigest } from "@/kernel/crypto/token";
import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { keysetStatements, listStatements } from "@/kernel/paging/list-statements";

const current = (member: string) => `(${member}."expiresAt" IS NULL OR ${member}."expiresAt" > :now)`;
const CURRENT = current("m");

/**
 * A subquery that returns a row for a bot user `u` if the tokens of the bot are valid. The tokens are valid
 * if the bot is a direct member of its project or group, and the creator of the tokens is active and could
 * create a token with the role of the bot.
 */
const VALID_BOT = `
  SELECT 1 FROM "AccessTokenBot" b
  JOIN "User" c ON c."id" = b."creatorId" AND c."state" = 'active'
  LEFT JOIN "ProjectMember" p ON p."projectId" = b."projectId" AND p."userId" = b."userId"
    AND ${current("p")}
  LEFT JOIN "GroupMember" g ON b."projectId" IS NULL AND g."groupId" = b."groupId" AND g."userId" = b."userId"
    AND ${current("g")}
  WHERE b."userId" = u."id" AND COALESCE(p."role", g."role") IS NOT NULL AND (
    c."admin"
    OR EXISTS (
      SELECT 1 FROM "ProjectMember" m
      WHERE m."projectId" = b."projectId" AND m."userId" = c."id" AND ${CURRENT}
        AND m."role" >= 40 AND m."role" >= p."role")
    OR EXISTS (
      SELECT 1 FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
      WHERE a."groupId" = b."groupId" AND m."userId" = c."id" AND ${CURRENT}
        AND m."role" >= CASE WHEN b."projectId" IS NULL THEN 50 ELSE 40 END
        AND m."role" >= COALESCE(p."role", g."role")))`;

/**
 * An SQL expression that is true if the creator of a bot token or of an impersonation token no longer has the
 * required right. The creator of an impersonation token must be an administrator.
 */
const RIGHT_ENDED = `CASE
  WHEN u."kind" <> 'human' THEN NOT EXISTS (${VALID_BOT})
  WHEN t."impersonatorId" IS NULL THEN FALSE
  ELSE NOT EXISTS (
    SELECT 1 FROM "User" i WHERE i."id" = t."impersonatorId" AND i."admin" AND i."state" = 'active') END`;

const TOKEN_COLUMNS = {
  name: [`t."name"`, text],
  scopes: [`t."scopes"`, text],
  createdAt: [`t."createdAt"`, time],
  expiresAt: [`t."expiresAt"`, nullable(time)],
  revokedAt: [`t."revokedAt"`, nullable(time)],
  lastUsedAt: [`t."lastUsedAt"`, nullable(time)],
  /** The id of the rotation family; null for a token that was not created by rotation. */
  familyId: [`t."familyId"`, nullable(integer)],
  impersonatorId: [`t."impersonatorId"`, nullable(integer)],
} as const;

const COLUMNS = {
  tokenId: [`t."id"`, integer],
  ...TOKEN_COLUMNS,
  /** Whether the token is invalid because the creator of the token no longer has the required right. */
  rightEnded: [RIGHT_ENDED, flag],
  user: USER_COLUMNS,
} as const;

/** A personal access token with its user. */
export type PersonalTokenRow = RowOf<typeof COLUMNS>;

const PERSONAL_TOKEN = statement({
  name: "personal_token",
  parameters: { digest: text, now: time },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "PersonalAccessToken" t
    JOIN "User" u ON u."id" = t."userId"
    WHERE t."digest" = :digest`,
});

/** Returns the personal access token with this digest, in any state; null for an unknown digest. */
export const findByDigest = (
  prepared: Prepared,
  digest: TokenDigest,
  now: Date,
): Eventually<PersonalTokenRow | null> => prepared.first(PERSONAL_TOKEN, { digest, now });

const VALID_BOTS = statement({
  name: "valid_bots",
  parameters: { userIds: integers, now: time },
  columns: { id: [`u."id"`, integer] },
  sql: withList(
    (columns, isIn) =>
      `SELECT ${columns} FROM "User" u WHERE ${isIn(`u."id"`, ":userIds")} AND EXISTS (${VALID_BOT})`,
  ),
});

const ENDED_RIGHTS = statement({
  name: "personal_tokens_without_right",
  parameters: { ids: integers, now: time },
  columns: { id: [`t."id"`, integer], rightEnded: [RIGHT_ENDED, flag] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns}
    FROM "PersonalAccessToken" t
    JOIN "User" u ON u."id" = t."userId"
    WHERE ${isIn(`t."id"`, ":ids")}`,
  ),
});

/**
 * Returns, from the given ids of tokens, the ids of the tokens that are invalid because their creator has
 * lost the required right.
 */
export async function tokensWithoutRight(
  reads: Reads,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const rows = await reads.all(ENDED_RIGHTS, { ids, now });
  return new Set(rows.flatMap(({ id, rightEnded }) => (rightEnded ? [id] : [])));
}

/** Returns the ids of the given bots whose tokens are valid. */
export async function validBots(
  reads: Reads,
  userIds: readonly number[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const rows = await reads.all(VALID_BOTS, { userIds, now });
  return new Set(rows.map(({ id }) => id));
}

const STORED_COLUMNS = {
  id: [`t."id"`, integer],
  userId: [`t."userId"`, integer],
  ...TOKEN_COLUMNS,
} as const;

const STORED_BY_IDS = statement({
  name: "personal_tokens_by_id",
  parameters: { ids: integers },
  columns: STORED_COLUMNS,
  sql: withList(
    (columns, isIn) => `SELECT ${columns} FROM "PersonalAccessToken" t WHERE ${isIn(`t."id"`, ":ids")}`,
  ),
});

/** Returns the personal access tokens with these ids, in any order. */
export const findByIds = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly RowOf<typeof STORED_COLUMNS>[]> => reads.all(STORED_BY_IDS, { ids });

const OF_USER = `r."userId" = :userId AND r."impersonatorId" IS NULL`;

// PostgreSQL uses the order of the index only if the order names each column of the index.
const NEWEST_FIRST = `r."impersonatorId" DESC, r."id" DESC`;

/** The personal access tokens of a user without the impersonation tokens, newest first. */
export const TOKENS_OF_USER = listStatements({
  name: "personal_tokens_of_user",
  parameters: { userId: integer },
  from: () => `"PersonalAccessToken" r WHERE ${OF_USER}`,
  order: NEWEST_FIRST,
});

/** The active personal access tokens of a user without the impersonation tokens, newest first. */
export const ACTIVE_TOKENS_OF_USER = listStatements({
  name: "active_personal_tokens_of_user",
  parameters: { userId: integer, now: time },
  from: () => `
    "PersonalAccessToken" r
    WHERE ${OF_USER} AND r."revokedAt" IS NULL AND (r."expiresAt" IS NULL OR r."expiresAt" > :now)`,
  order: NEWEST_FIRST,
});

/** The unrevoked personal access tokens of a user without the impersonation tokens, ordered by id. */
export const UNREVOKED_TOKENS_OF_USER = keysetStatements({
  name: "unrevoked_personal_tokens_of_user",
  parameters: { userId: integer },
  columns: STORED_COLUMNS,
  from: () => `
    "PersonalAccessToken" t
    WHERE t."userId" = :userId AND t."impersonatorId" IS NULL AND t."revokedAt" IS NULL`,
  id: `t."id"`,
});
