import type { Db } from "@/kernel/db/db";

export type NewFailure = Readonly<{ endpoint: string; reason: string; address: string; at: Date }>;

export async function insertFailure(db: Db, applicationId: number, failure: NewFailure): Promise<void> {
  await db.failedExchange.create({ data: { ...failure, applicationId }, select: { id: true } });
}

/** Deletes all failures of an application except the newest `most`. */
export async function trimFailures(db: Db, applicationId: number, most: number): Promise<void> {
  const where = { applicationId };
  const select = { id: true } as const;
  const first = await db.failedExchange.findFirst({ where, orderBy: { id: "desc" }, skip: most, select });
  if (first !== null) await db.failedExchange.deleteMany({ where: { ...where, id: { lte: first.id } } });
}
