import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import { anyOf } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import { pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import { descendantsOf, projectsInGroups } from "@/workspace/hierarchy/descendants";
import * as sql from "./store.sql";

export type ContainerRepository = Readonly<{
  id: number;
  projectId: number;
  path: string;
  /** The full path of the project, in lower case. */
  projectPath: string;
  createdAt: Date;
  cleanupStartedAt: Date | null;
}>;

const select = {
  id: true,
  projectId: true,
  path: true,
  createdAt: true,
  cleanupStartedAt: true,
  project: { select: { fullPathLower: true } },
} as const;

type Row = Omit<ContainerRepository, "projectId" | "projectPath"> &
  Readonly<{ projectId: number | null; project: Readonly<{ fullPathLower: string }> | null }>;

const repositoriesFrom = ({ project, projectId, ...row }: Row): readonly ContainerRepository[] =>
  project === null || projectId === null ? [] : [{ ...row, projectId, projectPath: project.fullPathLower }];

/** The owner of the container repositories in a list: a project, or a group with its descendants. */
export type Owner = Readonly<{ projectId: number } | { groupId: number }>;

async function ownedBy(reads: Reads, owner: Owner): Promise<Prisma.ContainerRepositoryWhereInput> {
  if ("projectId" in owner) return owner;
  return { project: anyOf(projectsInGroups(await descendantsOf(reads, [owner.groupId]))) };
}

/** Returns a page of the repositories that are not being deleted, ordered by id. */
export async function list(
  { db, reads }: Queries,
  owner: Owner,
  paging: Paging,
): Promise<Page<ContainerRepository>> {
  if (paging.kind === "offset") {
    const read = async (ids: readonly number[]) => sql.findByIds(reads, ids);
    if ("projectId" in owner) return pageOfList(reads, sql.OF_PROJECT, owner, paging, read);
    // A group with few descendants is selected by the ids of its descendants.
    const [topGroupId] = (await descendantsOf(reads, [owner.groupId])).topIds;
    if (topGroupId !== undefined)
      return pageOfList(reads, sql.OF_TOP_LEVEL_GROUP, { topGroupId }, paging, read);
  }
  const where = { AND: [await ownedBy(reads, owner), { removedAt: null }, keysetFilterOf(paging)] };
  const direction = directionOf(paging);
  const read = async () => {
    const rows = await db.containerRepository.findMany({
      where,
      orderBy: { id: direction },
      select,
      ...windowOf(paging),
    });
    return rows.flatMap(repositoriesFrom);
  };
  return pageFrom(paging, read(), () => db.containerRepository.count({ where, take: COUNTED_MAX + 1 }));
}

/** Returns whether a project has container repositories, including repositories that are being deleted. */
export const hasRepositories = async (db: Db, projectId: number): Promise<boolean> =>
  (await db.containerRepository.count({ where: { projectId }, take: 1 })) > 0;

export async function findById(reads: Reads, id: number): Promise<ContainerRepository | null> {
  const [row] = await sql.findByIds(reads, [id]);
  return row ?? null;
}

/**
 * Returns the projects of the container repositories with these paths; `projectId` is null if the project was
 * deleted.
 */
export const findOwners = (
  db: Db,
  paths: readonly string[],
): Promise<readonly Readonly<{ path: string; projectId: number | null; removedAt: Date | null }>[]> =>
  db.containerRepository.findMany({
    where: { path: { in: [...paths] } },
    select: { path: true, projectId: true, removedAt: true },
  });

export type NewRepository = Readonly<{ path: string; projectId: number | null; createdAt: Date }>;

/**
 * Inserts rows of container repositories.
 * @throws Prisma's P2002 if one of the repositories already exists.
 */
export async function insert(db: Db, rows: readonly NewRepository[]): Promise<void> {
  await db.containerRepository.createMany({ data: [...rows] });
}

/**
 * Marks a repository for deletion.
 * @returns true for exactly one of several concurrent callers.
 */
export async function markRemoved(db: Db, id: number, now: Date): Promise<boolean> {
  const data = { removedAt: now, dueAt: now };
  return (await db.containerRepository.updateMany({ where: { id, removedAt: null }, data })).count === 1;
}

/**
 * Stores a pending bulk deletion.
 * @returns false if another bulk deletion was requested after `last`, or the repository no longer exists.
 */
export async function setCleanup(
  db: Db,
  id: number,
  cleanup: string,
  { now, last }: Readonly<{ now: Date; last: Date }>,
): Promise<boolean> {
  const where = {
    id,
    removedAt: null,
    OR: [{ cleanupStartedAt: null }, { cleanupStartedAt: { lte: last } }],
  };
  const data = { cleanup, cleanupStartedAt: now, dueAt: now };
  return (await db.containerRepository.updateMany({ where, data })).count === 1;
}

export type DueRepository = Readonly<{
  id: number;
  path: string;
  projectId: number | null;
  removedAt: Date | null;
  cleanup: string | null;
}>;

const dueColumns = { id: true, path: true, projectId: true, removedAt: true, cleanup: true } as const;

/**
 * Returns the repositories whose pending deletions are due. The deletion of a repository whose project was
 * deleted is due immediately.
 */
export async function due(db: Db, now: Date, most: number): Promise<readonly DueRepository[]> {
  const [scheduled, orphaned] = await Promise.all([
    db.containerRepository.findMany({
      where: { dueAt: { lte: now } },
      orderBy: { dueAt: "asc" },
      take: most,
      select: dueColumns,
    }),
    db.containerRepository.findMany({
      where: { projectId: null, dueAt: null },
      orderBy: { id: "asc" },
      take: most,
      select: dueColumns,
    }),
  ]);
  return [...scheduled, ...orphaned];
}

/** Deletes the row of a repository. Call this function after the images of the repository were deleted. */
export async function remove(db: Db, id: number): Promise<void> {
  await db.containerRepository.deleteMany({ where: { id } });
}

/**
 * Clears a completed bulk deletion. If a user requested the deletion of the whole repository during the bulk
 * deletion of tags, the deletion of the repository stays pending.
 */
export async function clearCleanup(db: Db, { id, cleanup }: DueRepository): Promise<void> {
  await db.containerRepository.updateMany({
    where: { id, cleanup, removedAt: null },
    data: { cleanup: null, dueAt: null },
  });
}

export async function postpone(db: Db, id: number, dueAt: Date): Promise<void> {
  await db.containerRepository.updateMany({ where: { id }, data: { dueAt } });
}

export type RegistryKeyRow = Readonly<{ sealedPrivate: string; certificate: string }>;

/** Returns the current signing key for registry tokens; null if no signing key exists. */
export const newestKey = (db: Db): Promise<RegistryKeyRow | null> =>
  db.registryKey.findFirst({ orderBy: { id: "desc" }, select: { sealedPrivate: true, certificate: true } });

/** Replaces the signing key for registry tokens. */
export async function replaceKey(db: Db, key: RegistryKeyRow, createdAt: Date): Promise<void> {
  await db.registryKey.deleteMany();
  await db.registryKey.create({ data: { ...key, createdAt } });
}

/** Returns the encrypted private keys that sign registry tokens, ordered by row id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.registryKey.findMany({
    where: { id: { gt: afterId } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealedPrivate: true },
  });
  return rows.map(({ id, sealedPrivate }) => ({ id, sealed: sealedPrivate, subject: "" }));
}

/** Replaces an encrypted private key, unless another process has changed the key. */
export async function replaceSealed(db: Db, id: number, sealedPrivate: string, next: string): Promise<void> {
  await db.registryKey.updateMany({ where: { id, sealedPrivate }, data: { sealedPrivate: next } });
}
