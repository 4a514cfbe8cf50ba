import type { Db } from "./db";
import { Prisma } from "./generated/sqlite/client";

/**
 * Locks the row of a table: until the transaction ends, no other one passes this for the same row. It is an update
 * that changes nothing, for which both databases wait alike.
 * @returns false where there is no such row any more.
 */
export async function lockRow(db: Db, table: Prisma.ModelName, id: number): Promise<boolean> {
  return (await db.$executeRaw`UPDATE ${Prisma.raw(`"${table}"`)} SET "id" = "id" WHERE "id" = ${id}`) === 1;
}
