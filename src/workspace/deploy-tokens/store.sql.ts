import { USER_COLUMNS } from "@/identity/user-columns";
import type { TokenDigest } from "@/kernel/crypto/token";
import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";

const CURRENT = `(m."expiresAt" IS NULL OR m."expiresAt" > :now)`;

/**
 * The SQL condition that is true if the creator of the deploy token has lost the right to create the token.
 * Only maintainers of the project, owners of the group and administrators have the right to create a deploy
 * token.
 */
const RIGHT_ENDED = `NOT (u."state" = 'active' AND (
  u."admin"
  OR EXISTS (
    SELECT 1 FROM "ProjectMember" m
    WHERE m."projectId" = t."projectId" AND m."userId" = u."id" AND ${CURRENT} AND m."role" >= 40)
  OR EXISTS (
    SELECT 1 FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
    WHERE a."groupId" = t."groupId" AND m."userId" = u."id" AND ${CURRENT}
      AND m."role" >= CASE WHEN t."projectId" IS NULL THEN 50 ELSE 40 END)))`;

const COLUMNS = {
  id: [`t."id"`, integer],
  name: [`t."name"`, text],
  username: [`t."username"`, nullable(text)],
  scopes: [`t."scopes"`, text],
  createdAt: [`t."createdAt"`, time],
  expiresAt: [`t."expiresAt"`, nullable(time)],
  projectId: [`t."projectId"`, nullable(integer)],
  groupId: [`t."groupId"`, nullable(integer)],
  rightEnded: [RIGHT_ENDED, flag],
} as const;

/** A stored deploy token. */
export type DeployTokenRow = RowOf<typeof COLUMNS>;

const WITH_CREATOR = { ...COLUMNS, user: USER_COLUMNS } as const;

const DEPLOY_TOKEN = statement({
  name: "deploy_token",
  parameters: { digest: text, now: time },
  columns: WITH_CREATOR,
  sql: (columns) => `
    SELECT ${columns} FROM "DeployToken" t JOIN "User" u ON u."id" = t."creatorId" WHERE t."digest" = :digest`,
});

/**
 * Returns the deploy token with this digest, and the user who created the token; null for an unknown digest.
 */
export const findByDigest = (
  reads: Reads,
  digest: TokenDigest,
  now: Date,
): Eventually<RowOf<typeof WITH_CREATOR> | null> => reads.first(DEPLOY_TOKEN, { digest, now });

const BY_IDS = statement({
  name: "deploy_tokens_by_id",
  parameters: { ids: integers, now: time },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
      SELECT ${columns} FROM "DeployToken" t JOIN "User" u ON u."id" = t."creatorId"
      WHERE ${isIn(`t."id"`, ":ids")}`,
  ),
});

/** Returns the deploy tokens with these ids, in any order. */
export const findByIds = (
  reads: Reads,
  ids: readonly number[],
  now: Date,
): Eventually<readonly DeployTokenRow[]> => reads.all(BY_IDS, { ids, now });
