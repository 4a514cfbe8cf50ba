import { USER_COLUMNS } from "@/identity/user-columns";
import type { TokenDigest } from "@/kernel/crypto/token";
import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite, Reads } from "@/kernel/db/prepared";
import {
  type IsIn,
  optional,
  postgresqlStatement,
  type RowOf,
  sqliteStatement,
  statement,
  withList,
} from "@/kernel/db/statement";
import { keysetRows, keysetStatements } from "@/kernel/paging/list-statements";
import type { KeysetPaging } from "@/kernel/paging/paging";
import { OWNER_PATH_COLUMNS, OWNER_PATH_JOINS } from "../applications/owner";
import { APPLICATION_BLOCKED } from "../applications/owner-blocked";
import { CLAIM, CLAIM_JWT_SQL, JWT_PARAMETERS, type UsedJwt } from "../used-jwts/claim-jwt";
import {
  GRANT_PARAMETERS,
  type GrantRows,
  INSERT_TOKEN,
  insertGrant,
  insertGrantSql,
  insertTokenSql,
  TOKEN_PARAMETERS,
} from "./insert-grant";

/** An SQL condition that matches tokens of the applications `a` that have no owner. */
const UNREGISTERED = `(a."id" IS NOT NULL AND a."ownerId" IS NULL AND a."groupId" IS NULL)`;

const BEARER_COLUMNS = {
  tokenId: [`t."id"`, integer],
  familyId: [`t."familyId"`, integer],
  scopes: [`t."scopes"`, text],
  createdAt: [`t."createdAt"`, time],
  expiresAt: [`t."expiresAt"`, nullable(time)],
  revokedAt: [`t."revokedAt"`, nullable(time)],
  applicationId: [`t."applicationId"`, nullable(integer)],
  applicationUid: [`a."uid"`, nullable(text)],
  dpopJkt: [`t."dpopJkt"`, nullable(text)],
  /** The stored time of the last use of the grant to which the token belongs. */
  lastUsedAt: [`f."lastUsedAt"`, nullable(time)],
  /** The protected resource for which the token may be used; null for no restriction. */
  resource: [`f."resource"`, nullable(text)],
  authTime: [`f."authTime"`, nullable(time)],
  acr: [`f."acr"`, nullable(text)],
  applicationBlocked: [APPLICATION_BLOCKED, flag],
  /** Whether the client of the token has no owner. */
  unregistered: [UNREGISTERED, flag],
  user: USER_COLUMNS,
} as const;

/** An access token with its application and its user. */
export type BearerRow = RowOf<typeof BEARER_COLUMNS>;

const BEARER = statement({
  name: "bearer",
  parameters: { digest: text },
  columns: BEARER_COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "OauthToken" t
    JOIN "User" u ON u."id" = t."userId"
    JOIN "TokenFamily" f ON f."id" = t."familyId"
    LEFT JOIN "Application" a ON a."id" = t."applicationId"
    LEFT JOIN "User" o ON o."id" = a."ownerId"
    WHERE t."accessDigest" = :digest`,
});

/** Returns the access token with this digest, in any state; null for an unknown digest. */
export const findByAccessDigest = (prepared: Prepared, digest: TokenDigest): Eventually<BearerRow | null> =>
  prepared.first(BEARER, { digest });

const REFRESH_COLUMNS = {
  tokenId: [`t."id"`, integer],
  createdAt: [`t."createdAt"`, time],
  refreshExpiresAt: [`t."refreshExpiresAt"`, nullable(time)],
  revokedAt: [`t."revokedAt"`, nullable(time)],
  rotatedAt: [`t."rotatedAt"`, nullable(time)],
  sealedAnswer: [`t."sealedAnswer"`, nullable(text)],
  applicationId: [`t."applicationId"`, nullable(integer)],
  applicationUid: [`a."uid"`, nullable(text)],
  dpopJkt: [`t."dpopJkt"`, nullable(text)],
  applicationBlocked: [APPLICATION_BLOCKED, flag],
  /** Whether the client of the token has no owner. */
  unregistered: [UNREGISTERED, flag],
  user: { id: [`u."id"`, integer], username: [`u."username"`, text], state: [`u."state"`, text] },
  family: {
    id: [`f."id"`, integer],
    scopes: [`f."scopes"`, text],
    redirectUri: [`f."redirectUri"`, nullable(text)],
    codeChallenge: [`f."codeChallenge"`, nullable(text)],
    resource: [`f."resource"`, nullable(text)],
    authTime: [`f."authTime"`, nullable(time)],
    acr: [`f."acr"`, nullable(text)],
    amr: [`f."amr"`, nullable(text)],
    sid: [`f."sid"`, nullable(text)],
    createdAt: [`f."createdAt"`, time],
    revokedAt: [`f."revokedAt"`, nullable(time)],
  },
} as const;

/** A refresh token with the family that it belongs to. */
export type RefreshRow = RowOf<typeof REFRESH_COLUMNS>;

const REFRESH = statement({
  name: "refresh",
  parameters: { digest: text },
  columns: REFRESH_COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "OauthToken" t
    JOIN "TokenFamily" f ON f."id" = t."familyId"
    JOIN "User" u ON u."id" = t."userId"
    LEFT JOIN "Application" a ON a."id" = t."applicationId"
    LEFT JOIN "User" o ON o."id" = a."ownerId"
    WHERE t."refreshDigest" = :digest`,
});

/** Returns the refresh token with this digest, in any state; null for an unknown digest. */
export const findByRefreshDigest = (prepared: Prepared, digest: TokenDigest): Eventually<RefreshRow | null> =>
  prepared.first(REFRESH, { digest });

/** A refresh token to be marked as used, and the row of its successor. */
export type Rotation = Readonly<{
  tokenId: number;
  familyId: number;
  now: Date;
  /** The encrypted response, which is stored with the used refresh token. */
  sealedAnswer: string | null;
  successor: Readonly<{
    familyId: number;
    createdAt: Date;
    accessDigest: TokenDigest;
    refreshDigest: TokenDigest;
    applicationId: number | null;
    userId: number;
    scopes: string;
    expiresAt: Date | null;
    refreshExpiresAt: Date | null;
    endsAt: Date | null;
    dpopJkt: string | null;
  }>;
}>;

const COUNT_ROTATION = statement({
  name: "rotate_family",
  parameters: { familyId: integer },
  columns: {},
  sql: () =>
    `UPDATE "TokenFamily" SET "rotations" = "rotations" + 1 WHERE "id" = :familyId AND "revokedAt" IS NULL`,
});

const SPENDING_PARAMETERS = { tokenId: integer, now: time, sealedAnswer: nullable(text) } as const;
const SPEND = `
  UPDATE "OauthToken" SET "revokedAt" = :now, "rotatedAt" = :now, "sealedAnswer" = :sealedAnswer
  WHERE "id" = :tokenId AND "revokedAt" IS NULL`;
const SPEND_TOKEN = sqliteStatement({
  name: "rotate_spend",
  parameters: SPENDING_PARAMETERS,
  columns: {},
  sql: () =>
    `${SPEND} AND EXISTS (SELECT 1 FROM "TokenFamily" f WHERE f."id" = "familyId" AND f."revokedAt" IS NULL)`,
});

/**
 * Rotates a refresh token in one statement and one round trip. The first query locks the row of the family,
 * so that the rotations and the revocation of the family run one after another. If the token family is
 * revoked or the refresh token is already used, no query changes a row.
 */
const ROTATE = postgresqlStatement({
  name: "rotate",
  parameters: { ...TOKEN_PARAMETERS, ...SPENDING_PARAMETERS },
  columns: {},
  sql: () => `
    WITH "active_family" AS (
      SELECT "id" FROM "TokenFamily" WHERE "id" = :familyId AND "revokedAt" IS NULL FOR UPDATE
    ), "spent_token" AS (
      ${SPEND} AND EXISTS (SELECT 1 FROM "active_family") RETURNING "familyId"
    ), "counted_family" AS (
      UPDATE "TokenFamily" f SET "rotations" = f."rotations" + 1 FROM "spent_token" s WHERE f."id" = s."familyId"
    )
    ${insertTokenSql(`"familyId"`, 'FROM "spent_token"')}`,
});

export const ROTATION: PreparedWrite<Rotation> = {
  name: "rotation",
  sqlite: {
    // If the first statement changes no row, the rotation is refused. No other write runs between the
    // statements of a rotation, because the write lock of SQLite covers the whole database.
    each: (session, rotation) => {
      if (session.run(SPEND_TOKEN, rotation) !== 1) return false;
      session.run(COUNT_ROTATION, rotation);
      session.run(INSERT_TOKEN, rotation.successor);
      return true;
    },
  },
  postgresql: {
    connections: 4,
    statement: async (session, { successor, ...rotation }) =>
      (await session.run(ROTATE, { ...successor, ...rotation })) === 1,
  },
};

/**
 * Marks a refresh token as used and stores its successor, in one transaction that does not wait for anything
 * outside the database.
 * @returns true for exactly one of several concurrent callers; false for every caller when the family is
 * revoked.
 */
export const rotate = (prepared: Prepared, rotation: Rotation): Promise<boolean> =>
  prepared.write(ROTATION, rotation);

const INSERT_GRANT = postgresqlStatement({
  name: "insert_grant",
  parameters: GRANT_PARAMETERS,
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `WITH ${insertGrantSql()} SELECT ${columns} FROM "grant_family"`,
});

/** Marks a JSON Web Token as used and inserts a grant. If the token was used before, no row changes. */
const CLAIM_JWT_AND_INSERT_GRANT = postgresqlStatement({
  name: "claim_jwt_and_insert_grant",
  parameters: { ...GRANT_PARAMETERS, ...JWT_PARAMETERS },
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `
    WITH "claimed_jwt" AS (${CLAIM_JWT_SQL} RETURNING "digest"), ${insertGrantSql('FROM "claimed_jwt"')}
    SELECT ${columns} FROM "grant_family"`,
});

/** The rows of a grant, and the row of the client assertion that the same write marks as used. */
type NewGrantRows = GrantRows & Readonly<{ usedJwt: UsedJwt | null }>;

export const GRANT: PreparedWrite<NewGrantRows, number> = {
  name: "grant",
  sqlite: {
    each: (session, grant) => {
      if (grant.usedJwt !== null && session.run(CLAIM, grant.usedJwt) !== 1) return false;
      return insertGrant(session, grant);
    },
  },
  postgresql: {
    connections: 4,
    statement: async (session, { family, token, usedJwt }) => {
      const rows = { ...family, ...token };
      const [grant] =
        usedJwt === null
          ? await session.all(INSERT_GRANT, rows)
          : await session.all(CLAIM_JWT_AND_INSERT_GRANT, { ...rows, ...usedJwt });
      return grant?.id ?? false;
    },
  },
};

/**
 * Stores a grant in a separate transaction.
 * @returns the id of the token family; false if `usedJwt` was used before.
 */
export const insertGrantAlone = (prepared: Prepared, rows: NewGrantRows): Promise<number | false> =>
  prepared.write(GRANT, rows);

/**
 * Selects the active token families of a user. An active token family has a valid access token or refresh
 * token.
 */
type LiveSelection = Readonly<{ userId: number; now: Date }>;

const LIVE_PARAMETERS = { userId: integer, now: time } as const;

/** Returns an SQL condition that is true if a row with the id of a token family has a valid token. */
const hasValidToken = (row: string): string => `
  EXISTS (
    SELECT 1 FROM "OauthToken" t WHERE t."familyId" = ${row}."id" AND t."revokedAt" IS NULL AND (
      t."expiresAt" IS NULL OR t."expiresAt" > :now OR (
        t."refreshDigest" IS NOT NULL AND (t."refreshExpiresAt" IS NULL OR t."refreshExpiresAt" > :now))))`;

/** An SQL condition that is true for an active token family `f`. */
const IS_LIVE = `f."userId" = :userId AND f."revokedAt" IS NULL AND ${hasValidToken("f")}`;

const LAST_USE = `COALESCE(f."lastUsedAt", f."createdAt")`;

/**
 * For each application, SQLite searches the tokens of the families in the order of their last use, and stops
 * at the first active family. For this reason, both queries of families have the same order. The limit of the
 * inner query has no effect on the result, but without a limit the databases ignore the order of the inner query.
 */
const APPLICATIONS_WITH_LIVE_FAMILIES = statement({
  name: "applications_with_live_families",
  isScan: true,
  parameters: LIVE_PARAMETERS,
  columns: { id: [`l."applicationId"`, integer], usedAt: [`l."usedAt"`, time] },
  sql: (columns) => `
    WITH "last_use" AS MATERIALIZED (
      SELECT a."applicationId", (
        SELECT g."usedAt" FROM (
          SELECT f."id", ${LAST_USE} AS "usedAt" FROM "TokenFamily" f
          WHERE f."userId" = :userId AND f."applicationId" = a."applicationId" AND f."revokedAt" IS NULL
          ORDER BY "usedAt" DESC LIMIT ${2 ** 31 - 1}
        ) g WHERE ${hasValidToken("g")} ORDER BY g."usedAt" DESC LIMIT 1
      ) AS "usedAt"
      FROM (
        SELECT DISTINCT f."applicationId" FROM "TokenFamily" f
        WHERE f."userId" = :userId AND f."applicationId" IS NOT NULL
      ) a
    )
    SELECT ${columns} FROM "last_use" l WHERE l."usedAt" IS NOT NULL`,
});

/**
 * Returns the applications for which a user has active token families, each with the time of the last use of
 * a family. For a family that was never used, the time of its creation is used instead.
 */
export const applicationsWithLiveFamilies = (
  reads: Reads,
  selection: LiveSelection,
): Eventually<readonly Readonly<{ id: number; usedAt: Date }>[]> =>
  reads.all(APPLICATIONS_WITH_LIVE_FAMILIES, selection);

/** The maximum number of tokens that the charts of one page count. */
const ISSUES_MAX = 5_000;

const ISSUE_TIMES = statement({
  name: "issue_times",
  isScan: true,
  parameters: { userId: integer, applicationIds: integers, after: time },
  columns: { applicationId: [`f."applicationId"`, integer], createdAt: [`t."createdAt"`, time] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "TokenFamily" f JOIN "OauthToken" t ON t."familyId" = f."id"
    WHERE f."userId" = :userId AND ${isIn(`f."applicationId"`, ":applicationIds")} AND t."createdAt" > :after
    ORDER BY t."id" DESC LIMIT ${ISSUES_MAX}`,
  ),
});

/** Returns the times later than `after` at which tokens of a user for these applications were issued or refreshed. */
export const issueTimes = (
  reads: Reads,
  selection: Readonly<{ userId: number; applicationIds: readonly number[]; after: Date }>,
): Eventually<readonly Readonly<{ applicationId: number; createdAt: Date }>[]> =>
  reads.all(ISSUE_TIMES, selection);

type IsGiven = (isIn: IsIn) => string;

/**
 * Returns the statements that read the active token families of a user that fulfill the SQL condition
 * `isGiven`. Families with an application and families without an application need separate statements,
 * because PostgreSQL and SQLite cannot use the index for a condition with OR.
 */
const liveFamilies = (name: string, isGiven: IsGiven) => ({
  ranked: statement({
    name: `live_families_${name}`,
    isScan: true,
    parameters: { ...LIVE_PARAMETERS, applicationIds: integers, most: integer },
    columns: { id: [`g."id"`, integer], count: [`g."count"`, integer] },
    sql: withList(
      (columns, isIn) => `
      SELECT ${columns} FROM (
        SELECT f."id", CAST(COUNT(*) OVER (PARTITION BY f."applicationId") AS INTEGER) AS "count",
          ROW_NUMBER() OVER (PARTITION BY f."applicationId" ORDER BY ${LAST_USE} DESC, f."id" DESC) AS "place"
        FROM "TokenFamily" f WHERE ${IS_LIVE} AND ${isGiven(isIn)}) g
      WHERE g."place" <= :most ORDER BY g."place"`,
    ),
  }),
  scopes: statement({
    name: `scopes_of_live_families_${name}`,
    isScan: true,
    parameters: { ...LIVE_PARAMETERS, applicationIds: integers },
    columns: { applicationId: [`f."applicationId"`, nullable(integer)], scopes: [`f."scopes"`, text] },
    sql: withList(
      (columns, isIn) =>
        `SELECT DISTINCT ${columns} FROM "TokenFamily" f WHERE ${IS_LIVE} AND ${isGiven(isIn)}`,
    ),
  }),
  page: keysetStatements({
    name: `live_families_${name}`,
    parameters: { ...LIVE_PARAMETERS, applicationIds: integers },
    columns: { id: [`f."id"`, integer] },
    from: (isIn) => `"TokenFamily" f WHERE ${IS_LIVE} AND ${isGiven(isIn)}`,
    id: `f."id"`,
  }),
});

const LIVE_FAMILIES = {
  ofApplications: liveFamilies("of_applications", (isIn) => isIn(`f."applicationId"`, ":applicationIds")),
  unnamed: liveFamilies("without_application", () => `f."applicationId" IS NULL`),
};

const statementsFor = (applicationIds: readonly number[] | null) =>
  applicationIds === null ? LIVE_FAMILIES.unnamed : LIVE_FAMILIES.ofApplications;

/**
 * Returns, for each application, at most `most` active token families, the most recently used first. Each row
 * contains the number of active token families of the application.
 * @param applicationIds the ids of the applications; null for families without an application.
 */
export const rankLiveFamilies = (
  reads: Reads,
  selection: LiveSelection,
  applicationIds: readonly number[] | null,
  most: number,
): Eventually<readonly Readonly<{ id: number; count: number }>[]> =>
  reads.all(statementsFor(applicationIds).ranked, {
    ...selection,
    applicationIds: applicationIds ?? [],
    most,
  });

/** Returns the distinct scope lists of active token families, grouped by application. */
export const scopesOfLiveFamilies = (
  reads: Reads,
  selection: LiveSelection,
  applicationIds: readonly number[] | null,
): Eventually<readonly Readonly<{ applicationId: number | null; scopes: string }>[]> =>
  reads.all(statementsFor(applicationIds).scopes, { ...selection, applicationIds: applicationIds ?? [] });

/**
 * Returns a page of the ids of the active token families of one application, newest first. The application id
 * null selects the families without an application.
 */
export async function liveFamiliesPage(
  reads: Reads,
  selection: LiveSelection,
  applicationId: number | null,
  paging: KeysetPaging,
): Promise<readonly number[]> {
  const applicationIds = applicationId === null ? null : [applicationId];
  const { page } = statementsFor(applicationIds);
  const rows = await keysetRows(reads, page, paging, (window) => ({
    ...selection,
    ...window,
    applicationIds: applicationIds ?? [],
  }));
  return rows.map(({ id }) => id);
}

const FAMILY_COLUMNS = {
  id: [`f."id"`, integer],
  grantType: [`f."grantType"`, text],
  scopes: [`f."scopes"`, text],
  createdAt: [`f."createdAt"`, time],
  lastUsedAt: [`f."lastUsedAt"`, nullable(time)],
  lastAddress: [`f."lastAddress"`, text],
  lastUserAgent: [`f."lastUserAgent"`, text],
  application: optional({ id: [`a."id"`, integer], name: [`a."name"`, text], ...OWNER_PATH_COLUMNS }),
} as const;

/** A token family with its application. */
type FamilyRow = RowOf<typeof FAMILY_COLUMNS>;

const FAMILIES = statement({
  name: "token_families",
  parameters: { ids: integers },
  columns: FAMILY_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "TokenFamily" f LEFT JOIN "Application" a ON a."id" = f."applicationId"
    ${OWNER_PATH_JOINS} WHERE ${isIn(`f."id"`, ":ids")}`,
  ),
});

/** Returns the token families with these ids and their applications, in no particular order. */
export const listFamilies = (reads: Reads, ids: readonly number[]): Eventually<readonly FamilyRow[]> =>
  reads.all(FAMILIES, { ids });

const USERS = `CAST(COUNT(DISTINCT f."userId") AS INTEGER)`;

/** An SQL condition that matches the unrevoked families of users. */
const OF_USERS = `f."revokedAt" IS NULL AND f."grantType" <> 'client_credentials'`;

const USAGE_COLUMNS = { users: [USERS, integer], grants: [`CAST(COUNT(*) AS INTEGER)`, integer] } as const;

const USAGE = statement({
  name: "usage_of_application",
  isScan: true,
  parameters: { applicationId: integer },
  columns: USAGE_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "TokenFamily" f WHERE f."applicationId" = :applicationId AND ${OF_USERS}`,
});

/**
 * Returns the number of active grants of an application and the number of their users. Grants of the grant
 * type `client_credentials` are not counted.
 */
export const usageOf = async (reads: Reads, applicationId: number): Promise<RowOf<typeof USAGE_COLUMNS>> =>
  (await reads.first(USAGE, { applicationId })) ?? { users: 0, grants: 0 };

const USER_COUNTS = statement({
  name: "users_of_applications",
  isScan: true,
  parameters: { applicationIds: integers },
  columns: { id: [`f."applicationId"`, integer], users: [USERS, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "TokenFamily" f WHERE ${isIn(`f."applicationId"`, ":applicationIds")} AND ${OF_USERS}
    GROUP BY f."applicationId"`,
  ),
});

/**
 * Returns the number of users of each of these applications, counted as in `usageOf`. The result contains
 * only applications that have users.
 */
export const userCounts = (
  reads: Reads,
  applicationIds: readonly number[],
): Eventually<readonly Readonly<{ id: number; users: number }>[]> =>
  reads.all(USER_COUNTS, { applicationIds });
