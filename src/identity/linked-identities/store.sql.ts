import { integer, integers, text } from "@/kernel/db/column-types";
import type { Reads } from "@/kernel/db/prepared";
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

/** Returns the accounts of these users at providers. */
export const listOfUsers = (reads: Reads, userIds: readonly number[]) => reads.all(BY_USERS, { userIds });
