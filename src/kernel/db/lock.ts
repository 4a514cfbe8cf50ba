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
