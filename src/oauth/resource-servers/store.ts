import type { Db } from "@/kernel/db/db";

/**
 * Returns the name of the resource server with this identifier; null if no resource server uses the
 * identifier.
 */
export async function findName(db: Db, uri: string): Promise<string | null> {
  const row = await db.resourceIdentifier.findFirst({
    where: { uri, application: { resourceServer: true, blockedAt: null } },
    select: { application: { select: { name: true } } },
  });
  return row?.application.name ?? null;
}

export const belongsTo = async (db: Db, uri: string, applicationId: number): Promise<boolean> =>
  (await db.resourceIdentifier.count({ where: { uri, applicationId } })) === 1;

export async function list(db: Db, applicationId: number): Promise<readonly string[]> {
  const where = { applicationId };
  const rows = await db.resourceIdentifier.findMany({
    where,
    orderBy: { uri: "asc" },
    select: { uri: true },
  });
  return rows.map(({ uri }) => uri);
}

/** Returns the given identifiers that belong to other applications. */
export async function usedByOthers(
  db: Db,
  uris: readonly string[],
  applicationId: number,
): Promise<readonly string[]> {
  const where = { uri: { in: [...uris] }, applicationId: { not: applicationId } };
  return (await db.resourceIdentifier.findMany({ where, select: { uri: true } })).map(({ uri }) => uri);
}

/** Replaces the identifiers of an application. */
export async function replace(
  db: Db,
  applicationId: number,
  uris: readonly string[],
  createdAt: Date,
): Promise<void> {
  await db.resourceIdentifier.deleteMany({ where: { applicationId } });
  await db.resourceIdentifier.createMany({ data: uris.map((uri) => ({ uri, applicationId, createdAt })) });
}
