import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const FACTOR_COLUMNS = {
  /** Whether the user has an authenticator app. */
  totp: [`EXISTS (SELECT 1 FROM "TotpSecret" t WHERE t."userId" = :userId)`, flag],
  recoveryCodesLeft: [
    `(SELECT CAST(COUNT(*) AS INTEGER) FROM "RecoveryCode" r WHERE r."userId" = :userId AND r."usedAt" IS NULL)`,
    integer,
  ],
} as const;

const FACTORS = statement({
  name: "two_factor_of_user",
  parameters: { userId: integer },
  columns: FACTOR_COLUMNS,
  sql: (columns) => `SELECT ${columns}`,
});

/** Returns whether a user has an authenticator app, and the number of unused recovery codes. */
export const factorsOf = (reads: Reads, userId: number): Eventually<RowOf<typeof FACTOR_COLUMNS> | null> =>
  reads.first(FACTORS, { userId });

const PASSKEY_COLUMNS = {
  id: [`p."id"`, integer],
  name: [`p."name"`, text],
  createdAt: [`p."createdAt"`, time],
  lastUsedAt: [`p."lastUsedAt"`, nullable(time)],
} as const;

/** The columns of a passkey that pages show. */
export type ShownPasskey = RowOf<typeof PASSKEY_COLUMNS>;

const PASSKEYS = statement({
  name: "passkeys_of_user",
  parameters: { userId: integer, most: integer },
  columns: PASSKEY_COLUMNS,
  sql: (columns) =>
    `SELECT ${columns} FROM "Passkey" p WHERE p."userId" = :userId ORDER BY p."id" LIMIT :most`,
});

/** Returns at most `most` passkeys of a user, oldest first. */
export const shownPasskeys = (
  reads: Reads,
  userId: number,
  most: number,
): Eventually<readonly ShownPasskey[]> => reads.all(PASSKEYS, { userId, most });
