import type { Db } from "@/kernel/db/db";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import type { Version } from "./rules";

export async function insertVersion(
  db: Db,
  mergeRequestId: number,
  { headSha, baseSha, startSha, changesCount }: Version,
  createdAt: Date,
): Promise<void> {
  const data = { mergeRequestId, headSha, baseSha, startSha, changesCount, createdAt };
  await db.mergeRequestVersion.create({ data });
}

export type StoredVersion = Version & Readonly<{ id: number; mergeRequestId: number; createdAt: Date }>;

/** Returns a page of the versions of a merge request, newest first. */
export function listVersions(db: Db, mergeRequestId: number, paging: Paging): Promise<Page<StoredVersion>> {
  const where = { mergeRequestId };
  const rows = db.mergeRequestVersion.findMany({
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, true) },
    ...windowOf(paging),
  });
  return pageFrom(paging, rows, () => db.mergeRequestVersion.count({ where, take: COUNTED_MAX + 1 }));
}

export const findVersion = (db: Db, mergeRequestId: number, id: number): Promise<StoredVersion | null> =>
  db.mergeRequestVersion.findUnique({ where: { id, mergeRequestId } });
