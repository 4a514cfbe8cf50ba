import type { Db } from "@/kernel/db/db";

export async function insert(
  db: Db,
  bot: Readonly<{ applicationId: number; userId: number }>,
): Promise<void> {
  await db.applicationBot.create({ data: bot });
}
