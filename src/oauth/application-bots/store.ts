import type { Db } from "@/kernel/db/db";

const userColumns = { user: { select: { id: true, username: true, name: true, state: true } } } as const;

/** Returns the user that is the bot of an application; null for an application that never had a bot. */
export async function find(
  db: Db,
  applicationId: number,
): Promise<Readonly<{ id: number; username: string; name: string; state: string }> | null> {
  const row = await db.applicationBot.findUnique({ where: { applicationId }, select: userColumns });
  return row?.user ?? null;
}

export async function insert(
  db: Db,
  bot: Readonly<{ applicationId: number; userId: number }>,
): Promise<void> {
  await db.applicationBot.create({ data: bot });
}
