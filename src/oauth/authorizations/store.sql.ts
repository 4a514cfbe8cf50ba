import type { TokenDigest } from "@/kernel/crypto/token";
import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";
import { type GrantRows, insertGrant } from "../tokens/insert-grant";

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

/** The columns of an authorization code that its exchange needs. */
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

/** A code to be used, and the grant that is stored for it. */
type CodeExchange = Readonly<{ codeId: number; now: Date; grant: GrantRows }>;

const CLAIM = statement({
  name: "claim_code",
  parameters: { codeId: integer, now: time },
  columns: {},
  sql: () => `UPDATE "AuthorizationCode" SET "usedAt" = :now WHERE "id" = :codeId AND "usedAt" IS NULL`,
});

export const EXCHANGE: PreparedWrite<CodeExchange, number> = {
  name: "code_exchange",
  sqlite: {
    each: (session, exchange) => {
      if (session.run(CLAIM, exchange) !== 1) return false;
      return insertGrant.sqlite(session, exchange.grant);
    },
  },
  postgresql: {
    connections: 4,
    transaction: async (session, exchange) => {
      if ((await session.run(CLAIM, exchange)) !== 1) return false;
      return insertGrant.postgresql(session, exchange.grant);
    },
  },
};

/**
 * Marks a code as used and stores its grant, in one transaction that does not wait for anything outside the
 * database.
 * @returns the id of the token family for exactly one of several concurrent callers, and false for all others.
 */
export const exchange = (prepared: Prepared, write: CodeExchange): Promise<number | false> =>
  prepared.write(EXCHANGE, write);
