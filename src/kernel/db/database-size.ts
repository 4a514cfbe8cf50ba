import { stat } from "node:fs/promises";
import type { DatabaseConfig } from "../config/config.ts";
import type { Db } from "./db.ts";

/** Returns the size of the database in bytes; for SQLite, the size of its files. */
export async function databaseBytes(db: Db, database: DatabaseConfig): Promise<number> {
  if (database.provider === "postgresql") {
    const rows = await db.$queryRaw<
      { bytes: bigint | number }[]
    >`SELECT pg_database_size(current_database()) AS "bytes"`;
    return Number(rows[0]?.bytes ?? 0);
  }
  const sizes = await Promise.all(
    ["", "-wal", "-shm"].map((suffix) =>
      stat(`${database.file}${suffix}`).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
