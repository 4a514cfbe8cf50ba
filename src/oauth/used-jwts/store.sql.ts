import type { TokenDigest } from "@/kernel/crypto/token";
import { text, time } from "@/kernel/db/column-types";
import type { Prepared, PreparedWrite } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";

type UsedJwt = Readonly<{ digest: TokenDigest; expiresAt: Date }>;

const CLAIM = statement({
  name: "claim_jwt",
  parameters: { digest: text, expiresAt: time },
  columns: {},
  sql: () =>
    `INSERT INTO "UsedJwt" ("digest", "expiresAt") VALUES (:digest, :expiresAt) ON CONFLICT ("digest") DO NOTHING`,
});

export const CLAIM_JWT: PreparedWrite<UsedJwt> = {
  name: "claim_jwt",
  sqlite: { each: (session, jwt) => session.run(CLAIM, jwt) === 1 },
  postgresql: {
    connections: 4,
    statement: async (session, jwt) => (await session.run(CLAIM, jwt)) === 1,
  },
};

/** Stores that a JSON Web Token was used. @returns true for exactly one of several concurrent callers. */
export const insertOnce = (prepared: Prepared, jwt: UsedJwt): Promise<boolean> =>
  prepared.write(CLAIM_JWT, jwt);
