import { USER_COLUMNS } from "@/identity/user-columns";
import type { TokenDigest } from "@/kernel/crypto/token";
import { integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  tokenId: [`t."id"`, integer],
  name: [`t."name"`, text],
  scopes: [`t."scopes"`, text],
  createdAt: [`t."createdAt"`, time],
  expiresAt: [`t."expiresAt"`, nullable(time)],
  revokedAt: [`t."revokedAt"`, nullable(time)],
  lastUsedAt: [`t."lastUsedAt"`, nullable(time)],
  /** The id of the rotation family; null for a token that was not created by rotation. */
  familyId: [`t."familyId"`, nullable(integer)],
  user: USER_COLUMNS,
} as const;

/** A personal access token with its user. */
export type PersonalTokenRow = RowOf<typeof COLUMNS>;

const PERSONAL_TOKEN = statement({
  name: "personal_token",
  parameters: { digest: text },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "PersonalAccessToken" t
    JOIN "User" u ON u."id" = t."userId"
    WHERE t."digest" = :digest`,
});

/** Returns the personal access token with this digest, in any state; null for an unknown digest. */
export const findByDigest = (prepared: Prepared, digest: TokenDigest): Eventually<PersonalTokenRow | null> =>
  prepared.first(PERSONAL_TOKEN, { digest });
