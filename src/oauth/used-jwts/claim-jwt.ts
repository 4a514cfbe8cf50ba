import type { TokenDigest } from "@/kernel/crypto/token";
import { text, time } from "@/kernel/db/column-types";
import { statement } from "@/kernel/db/statement";

/** The row that marks a JSON Web Token as used. */
export type UsedJwt = Readonly<{ jwtDigest: TokenDigest; jwtExpiresAt: Date }>;

/** The parameters of `CLAIM_JWT_SQL`. */
export const JWT_PARAMETERS = { jwtDigest: text, jwtExpiresAt: time } as const;

/** Marks a JSON Web Token as used. The statement changes no row if the token was used before. */
export const CLAIM_JWT_SQL = `
  INSERT INTO "UsedJwt" ("digest", "expiresAt") VALUES (:jwtDigest, :jwtExpiresAt)
  ON CONFLICT ("digest") DO NOTHING`;

export const CLAIM = statement({
  name: "claim_jwt",
  parameters: JWT_PARAMETERS,
  columns: {},
  sql: () => CLAIM_JWT_SQL,
});
