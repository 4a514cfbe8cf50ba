import type { Db } from "@/kernel/db/db";

/**
 * Stores the value of a setting.
 * @param value the value as JSON.
 */
export async function put(db: Db, key: string, value: string, now: Date): Promise<void> {
  await db.setting.upsert({
    where: { key },
    create: { key, value, updatedAt: now },
    update: { value, updatedAt: now },
  });
}

/**
 * Deletes the stored value of a setting.
 * @returns whether a value was stored.
 */
export const remove = async (db: Db, key: string): Promise<boolean> =>
  (await db.setting.deleteMany({ where: { key } })).count === 1;
