import type { Deps } from "@/kernel/deps/deps";

/** When these people last signed in, by id. Sessions are pruned a while after their end: who is missing may have been here before. */
export async function lastSignIns(
  deps: Deps,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const rows = await deps.db.session.groupBy({
    by: ["userId"],
    where: { userId: { in: [...userIds] } },
    _max: { createdAt: true },
  });
  return new Map(rows.flatMap(({ userId, _max: { createdAt } }) => (createdAt ? [[userId, createdAt]] : [])));
}
