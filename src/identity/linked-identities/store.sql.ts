import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";

const COLUMNS = {
  userId: [`l."userId"`, integer],
  provider: [`l."provider"`, text],
  subject: [`l."subject"`, text],
} as const;

/** The account of a user at a provider. */
export type IdentityRow = RowOf<typeof COLUMNS>;

const BY_USERS = statement({
  name: "linked_identities_by_user",
  parameters: { userIds: integers },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "LinkedIdentity" l
    WHERE ${isIn(`l."userId"`, ":userIds")} ORDER BY l."id"`,
  ),
});

/**
 * One user has a separate statement, which takes only a third of the time of the statement for a list of
 * users.
 */
const BY_USER = statement({
  name: "linked_identities_of_user",
  parameters: { userId: integer },
  columns: COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "LinkedIdentity" l WHERE l."userId" = :userId ORDER BY l."id"`,
});

/** Returns the accounts of these users at providers. */
export const listOfUsers = (reads: Reads, userIds: readonly number[]) => {
  const [userId, ...others] = userIds;
  return userId !== undefined && others.length === 0
    ? reads.all(BY_USER, { userId })
    : reads.all(BY_USERS, { userIds });
};

const ACCOUNT_COLUMNS = {
  id: [`l."id"`, integer],
  provider: [`l."provider"`, text],
  issuer: [`l."issuer"`, text],
  account: [`l."account"`, text],
  createdAt: [`l."createdAt"`, time],
  lastUsedAt: [`l."lastUsedAt"`, nullable(time)],
} as const;

/** The fields of a linked account that pages show. */
export type LinkedAccount = RowOf<typeof ACCOUNT_COLUMNS>;

const ACCOUNTS = statement({
  name: "linked_accounts_of_user",
  parameters: { userId: integer },
  columns: ACCOUNT_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "LinkedIdentity" l WHERE l."userId" = :userId ORDER BY l."id"`,
});

/** Returns the linked accounts of a user. A user has at most one linked account at each provider. */
export const accountsOf = (reads: Reads, userId: number): Eventually<readonly LinkedAccount[]> =>
  reads.all(ACCOUNTS, { userId });
