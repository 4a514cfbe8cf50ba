import type { Db } from "@/kernel/db/db";

/** @param value JSON. */
export async function put(db: Db, key: string, value: string, now: Date): Promise<void> {
  await db.setting.upsert({
    where: { key },
    create: { key, value, updatedAt: now },
    update: { value, updatedAt: now },
  });
}

/** @returns whether a value was stored. */
export const remove = async (db: Db, key: string): Promise<boolean> =>
  (await db.setting.deleteMany({ where: { key } })).count === 1;
