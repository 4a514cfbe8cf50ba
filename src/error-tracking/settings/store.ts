import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { Db } from "@/kernel/db/db";
import type { Reads } from "@/kernel/db/prepared";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import type { ClientKey, Settings } from "./rules";
import * as sql from "./store.sql";

export async function findSettings(reads: Reads, project: AuthorizedProject): Promise<Settings | null> {
  const row = await sql.findSettings(reads, project.id);
  if (row === null) return null;
  const { apiUrl, projectName, ...settings } = row;
  return { ...settings, remote: apiUrl === null ? null : { apiUrl, projectName } };
}

/**
 * A change of the error tracking settings that is written to the database. If a field is absent, its stored
 * value does not change.
 */
export type StoredChange = Readonly<{
  active: boolean;
  integrated: boolean;
  remote?: Readonly<{ apiUrl: string; projectName: string | null }> | undefined;
  sealedToken?: string | undefined;
}>;

export async function saveSettings(
  db: Db,
  project: AuthorizedProject,
  { active, integrated, remote, sealedToken }: StoredChange,
  updatedAt: Date,
): Promise<void> {
  const change = {
    active,
    integrated,
    updatedAt,
    ...remote,
    ...(sealedToken === undefined ? {} : { sealedToken }),
  };
  await db.errorTrackingSetting.upsert({
    where: { projectId: project.id },
    create: { projectId: project.id, ...change },
    update: change,
  });
}

const columns = { id: true, projectId: true, publicKey: true, active: true, createdAt: true } as const;

/** Returns a page of the client keys of a project, ordered by id. */
export function listKeys(db: Db, project: AuthorizedProject, paging: Paging): Promise<Page<ClientKey>> {
  const where = { projectId: project.id, ...keysetFilterOf(paging) };
  const id = directionOf(paging);
  const read = db.errorTrackingClientKey.findMany({
    where,
    orderBy: { id },
    select: columns,
    ...windowOf(paging),
  });
  return pageFrom(paging, read, () => db.errorTrackingClientKey.count({ where, take: COUNTED_MAX + 1 }));
}

export const countActiveKeys = (db: Db, project: AuthorizedProject): Promise<number> =>
  db.errorTrackingClientKey.count({ where: { projectId: project.id, active: true } });

export const countKeys = (db: Db, project: AuthorizedProject): Promise<number> =>
  db.errorTrackingClientKey.count({ where: { projectId: project.id } });

export const insertKey = (
  db: Db,
  project: AuthorizedProject,
  key: Readonly<{ publicKey: string; createdAt: Date }>,
): Promise<ClientKey> =>
  db.errorTrackingClientKey.create({
    data: { ...key, projectId: project.id, active: true },
    select: columns,
  });

export const findKey = (db: Db, project: AuthorizedProject, id: number): Promise<ClientKey | null> =>
  db.errorTrackingClientKey.findFirst({ where: { id, projectId: project.id }, select: columns });

/** Returns true if this call deleted the client key. */
export async function removeKey(db: Db, { id, projectId }: ClientKey): Promise<boolean> {
  return (await db.errorTrackingClientKey.deleteMany({ where: { id, projectId } })).count === 1;
}

/** Returns the rows that contain an encrypted token of an external service, ordered by project id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.errorTrackingSetting.findMany({
    where: { projectId: { gt: afterId }, sealedToken: { not: null } },
    orderBy: { projectId: "asc" },
    take: most,
    select: { projectId: true, sealedToken: true },
  });
  return rows.map(({ projectId, sealedToken }) => ({
    id: projectId,
    sealed: sealedToken ?? "",
    subject: String(projectId),
  }));
}

/** Replaces the encrypted token of a project, unless another process has changed the token. */
export async function replaceSealed(
  db: Db,
  projectId: number,
  sealedToken: string,
  next: string,
): Promise<void> {
  await db.errorTrackingSetting.updateMany({
    where: { projectId, sealedToken },
    data: { sealedToken: next },
  });
}
