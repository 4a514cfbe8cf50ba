import type { Db } from "@/kernel/db/db";
import * as store from "./store";

/** Returns the check value of the secret of this instance from the database; null for a new database. */
export const secretCheckOf = (db: Db): Promise<string | null> => store.secretCheck(db);

/** Returns the unique id of this instance. An instance that is restored from a backup keeps the id. */
export const instanceId = async (db: Db): Promise<string> =>
  String((await store.createdAt(db))?.getTime() ?? "new");

/**
 * Stores the check value of the secret of a new instance.
 * @throws Prisma's P2002 in every process except the first.
 */
export const recordSecretCheck = (db: Db, check: string, now: Date): Promise<void> =>
  store.insert(db, check, now);

/** Replaces the check value when the instance secret changes. */
export const replaceSecretCheck = (db: Db, previous: string, check: string): Promise<void> =>
  store.replaceCheck(db, previous, check);
