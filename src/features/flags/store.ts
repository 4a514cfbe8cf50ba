import type { Db } from "@/platform/db/db";

export async function put(db: Db, name: string, enabled: boolean, now: Date): Promise<void> {
  await db.featureFlag.upsert({
    where: { name },
    create: { name, enabled, updatedAt: now },
    update: { enabled, updatedAt: now },
  });
}

export async function remove(db: Db, name: string): Promise<void> {
  await db.featureFlag.deleteMany({ where: { name } });
}
