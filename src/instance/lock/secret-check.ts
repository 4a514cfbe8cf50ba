import type { Db } from "@/kernel/db/db";
import * as store from "./store";

/** The check value of the secret that this database was made with; null for a new database. */
export const secretCheckOf = (db: Db): Promise<string | null> => store.secretCheck(db);

/** Stores the check value of the secret. Raises Prisma's P2002 for every process but the first. */
export const recordSecretCheck = (db: Db, check: string, now: Date): Promise<void> =>
  store.insert(db, check, now);
