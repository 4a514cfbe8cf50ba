import type { Db } from "@/platform/db/db";

export type NewEvent = Readonly<{
  name: string;
  at: Date;
  userId: number | null;
  applicationId: number | null;
  details: string;
}>;

export async function insert(db: Db, event: NewEvent): Promise<void> {
  await db.auditEvent.create({ data: event });
}
