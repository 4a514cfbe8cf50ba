import type { TokenDigest } from "@/kernel/crypto/token";
import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite } from "@/kernel/db/prepared";
import { postgresqlStatement, type RowOf, sqliteStatement, statement } from "@/kernel/db/statement";
import { GRANT_PARAMETERS, type GrantRows, insertGrant, insertGrantSql } from "../tokens/insert-grant";

const COLUMNS = {
  id: [`c."id"`, integer],
  applicationId: [`c."applicationId"`, integer],
  userId: [`c."userId"`, integer],
  redirectUri: [`c."redirectUri"`, text],
  scopes: [`c."scopes"`, text],
  codeChallenge: [`c."codeChallenge"`, nullable(text)],
  resource: [`c."resource"`, nullable(text)],
  nonce: [`c."nonce"`, nullable(text)],
  dpopJkt: [`c."dpopJkt"`, nullable(text)],
  authTime: [`c."authTime"`, time],
  acr: [`c."acr"`, nullable(text)],
  amr: [`c."amr"`, nullable(text)],
  sid: [`c."sid"`, nullable(text)],
  offlineAccess: [`c."offlineAccess"`, flag],
  expiresAt: [`c."expiresAt"`, time],
  usedAt: [`c."usedAt"`, nullable(time)],
  user: { state: [`u."state"`, text] },
} as const;

/** The columns that are necessary to exchange an authorization code. */
export type CodeRow = RowOf<typeof COLUMNS>;

const CODE = statement({
  name: "code",
  parameters: { digest: text },
  columns: COLUMNS,
  sql: (columns) =>
    `SELECT ${columns} FROM "AuthorizationCode" c JOIN "User" u ON u."id" = c."userId" WHERE c."digest" = :digest`,
});

/** Returns the authorization code with this digest, used or not; null for an unknown code. */
export const findByDigest = (prepared: Prepared, digest: TokenDigest): Eventually<CodeRow | null> =>
  prepared.first(CODE, { digest });

/** An authorization code that a client exchanges for tokens, and the new grant that is stored for it. */
type CodeExchange = Readonly<{ codeId: number; now: Date; grant: GrantRows }>;

const CLAIM_PARAMETERS = { codeId: integer, now: time } as const;
const CLAIM = `UPDATE "AuthorizationCode" SET "usedAt" = :now WHERE "id" = :codeId AND "usedAt" IS NULL`;
const CLAIM_CODE = sqliteStatement({
  name: "claim_code",
  parameters: CLAIM_PARAMETERS,
  columns: {},
  sql: () => CLAIM,
});

/**
 * Marks an authorization code as used and inserts the grant of the code, in one statement. If the
 * authorization code is already used, the statement changes no row.
 */
const EXCHANGE_CODE = postgresqlStatement({
  name: "exchange_code",
  parameters: { ...GRANT_PARAMETERS, ...CLAIM_PARAMETERS },
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `
    WITH "claimed_code" AS (${CLAIM} RETURNING "id"), ${insertGrantSql('FROM "claimed_code"')}
    SELECT ${columns} FROM "grant_family"`,
});

export const EXCHANGE: PreparedWrite<CodeExchange, number> = {
  name: "code_exchange",
  sqlite: {
    each: (session, exchange) => {
      if (session.run(CLAIM_CODE, exchange) !== 1) return false;
      return insertGrant(session, exchange.grant);
    },
  },
  postgresql: {
    connections: 4,
    statement: async (session, { grant: { family, token }, ...claim }) =>
      (await session.all(EXCHANGE_CODE, { ...family, ...token, ...claim }))[0]?.id ?? false,
  },
};

/**
 * Marks an authorization code as used and stores the grant of the code, in one transaction that does not wait
 * for anything outside the database.
 * @returns the id of the token family for exactly one of several concurrent callers, and false for all other
 * callers.
 */
export const exchange = (prepared: Prepared, write: CodeExchange): Promise<number | false> =>
  prepared.write(EXCHANGE, write);
