import { USER_COLUMNS } from "@/identity/user-columns";
import type { TokenDigest } from "@/kernel/crypto/token";
import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite } from "@/kernel/db/prepared";
import { postgresqlStatement, type RowOf, sqliteStatement, statement } from "@/kernel/db/statement";
import { APPLICATION_BLOCKED } from "../applications/owner-blocked";
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
    each: (session, { successor, ...rotation }) => {
      if (session.run(SPEND_TOKEN, rotation) !== 1) return false;
      session.run(COUNT_ROTATION, rotation);
      session.run(INSERT_TOKEN, { ...successor, familyId: rotation.familyId, createdAt: rotation.now });
      return true;
    },
  },
  postgresql: {
    connections: 4,
    statement: async (session, { successor, ...rotation }) =>
      (await session.run(ROTATE, { ...successor, ...rotation, createdAt: rotation.now })) === 1,
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

export const GRANT: PreparedWrite<GrantRows, number> = {
  name: "grant",
  sqlite: { each: insertGrant },
  postgresql: {
    connections: 4,
    statement: async (session, { family, token }) =>
      (await session.all(INSERT_GRANT, { ...family, ...token }))[0]?.id ?? false,
  },
};

/** Stores a grant in a separate transaction. @returns the id of the token family. */
export async function insertGrantAlone(prepared: Prepared, rows: GrantRows): Promise<number> {
  const familyId = await prepared.write(GRANT, rows);
  if (familyId === false) throw new Error("The database did not store the grant.");
  return familyId;
}
