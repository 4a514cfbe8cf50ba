import type { Db } from "@/kernel/db/db";

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

/** Returns the time at which each stored feature flag was last set. */
export async function changes(db: Db): Promise<ReadonlyMap<string, Date>> {
  return new Map((await db.featureFlag.findMany()).map(({ name, updatedAt }) => [name, updatedAt]));
}
