import type { Db } from "@/kernel/db/db";

/** A stored metadata document. */
export type StoredDocument = Readonly<{ clientName: string | null; fetchedAt: Date; freshUntil: Date }>;

/** Returns the metadata document of a client; null for a client without a metadata document. */
export const findDocument = (db: Db, applicationId: number): Promise<StoredDocument | null> =>
  db.clientDocument.findUnique({
    where: { applicationId },
    select: { clientName: true, fetchedAt: true, freshUntil: true },
  });

/** Removes the metadata document of a client, and keeps the client. */
export async function removeDocument(db: Db, uid: string): Promise<void> {
  await db.clientDocument.deleteMany({ where: { application: { uid } } });
}

export async function putDocument(db: Db, applicationId: number, document: StoredDocument): Promise<void> {
  await db.clientDocument.upsert({
    where: { applicationId },
    create: { ...document, applicationId },
    update: document,
    select: { applicationId: true },
  });
}
