import type { Config } from "../config/config";
import type { Db } from "./db";
import { Prisma } from "./generated/sqlite/client";

/**
 * Locks a row until the transaction ends. Other transactions that lock the same row wait. The lock is an
 * update that changes nothing, because both databases serialize updates of a row.
 * @returns false when the row no longer exists.
 */
export async function lockRow(db: Db, table: Prisma.ModelName, id: number): Promise<boolean> {
  return (await db.$executeRaw`UPDATE ${Prisma.raw(`"${table}"`)} SET "id" = "id" WHERE "id" = ${id}`) === 1;
}

/**
 * Returns the clause at the end of a `SELECT` that locks the selected rows until the transaction ends. Unlike `lockRow`,
 * `FOR UPDATE` also prevents other transactions from inserting rows that reference the selected rows. `FOR KEY SHARE`
 * only prevents the deletion of the selected rows. `SKIP LOCKED` omits the rows that another transaction has locked. On
 * SQLite, there is only one writer at a time, so the clause is empty.
 */
export const lockClause = (
  { database }: Pick<Config, "database">,
  clause: "FOR UPDATE" | "FOR NO KEY UPDATE SKIP LOCKED" | "FOR KEY SHARE SKIP LOCKED",
): Prisma.Sql => (database.provider === "postgresql" ? Prisma.raw(clause) : Prisma.empty);
