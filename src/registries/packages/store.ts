import type { Db, Queries } from "@/kernel/db/db";
import { literally } from "@/kernel/db/like";
import type { Reads } from "@/kernel/db/prepared";
import { pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  orderOf,
  type Page,
  type Paging,
  pageById,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import type { FileCoordinates, Package, PackageFile, PackageType } from "./rules";
import * as sql from "./store.sql";
import type { StoredFile } from "./stored-file";
import type { ReceivedFile } from "./upload";

const packageColumns = {
  id: true,
  projectId: true,
  type: true,
  name: true,
  version: true,
  createdAt: true,
  lastDownloadedAt: true,
} as const;

const fileColumns = {
  id: true,
  packageId: true,
  name: true,
  sizeBytes: true,
  sha256: true,
  key: true,
  createdAt: true,
  updatedAt: true,
} as const;

/**
 * Returns the generic package with this name and version. Creates the package if the package does not exist.
 * The caller must hold the lock on the project.
 */
export async function findOrCreatePackage(
  db: Db,
  project: AuthorizedProject,
  { packageName, version }: FileCoordinates,
  now: Date,
): Promise<Package> {
  const names = { projectId: project.id, type: "generic", name: packageName, version };
  const existing = await db.publishedPackage.findUnique({
    where: { projectId_type_name_version: names },
    select: packageColumns,
  });
  if (existing !== null) return existing;
  const nameLower = packageName.toLowerCase();
  return db.publishedPackage.create({
    data: { ...names, nameLower, createdAt: now },
    select: packageColumns,
  });
}

/**
 * Inserts the database row of a package file, or updates the row of the file with the same name. The caller
 * must hold the lock on the project.
 * @returns the new state of the row, and the replaced file; `before` is null if no file was replaced.
 */
export async function putFile(
  db: Db,
  packageId: number,
  name: string,
  { sizeBytes, sha256, key }: ReceivedFile,
  now: Date,
): Promise<Readonly<{ file: PackageFile; before: StoredFile | null }>> {
  const where = { packageId_name: { packageId, name } };
  const content = { sizeBytes, sha256, key, updatedAt: now };
  const before = await db.publishedFile.findUnique({ where, select: { sha256: true, key: true } });
  const file =
    before === null
      ? await db.publishedFile.create({
          data: { packageId, name, ...content, createdAt: now },
          select: fileColumns,
        })
      : await db.publishedFile.update({ where, data: content, select: fileColumns });
  return { file, before };
}

/** Returns the file with this package name, version and file name, together with the package. */
export const findFileByCoordinates = async (
  reads: Reads,
  project: AuthorizedProject,
  coordinates: FileCoordinates,
): Promise<Readonly<{ from: Package; file: PackageFile }> | null> =>
  sql.findFileByCoordinates(reads, project.id, coordinates);

export async function findPackage(
  reads: Reads,
  project: AuthorizedProject,
  id: number,
): Promise<Package | null> {
  const [row] = await sql.findPackages(reads, [id]);
  return row === undefined || row.projectId !== project.id ? null : row;
}

export const findFile = (db: Db, from: Package, id: number): Promise<PackageFile | null> =>
  db.publishedFile.findFirst({ where: { id, packageId: from.id }, select: fileColumns });

/** The database column for each sort order of a list of packages. */
export const PACKAGE_ORDERS = {
  created_at: "createdAt",
  name: "nameLower",
  version: "version",
  type: "type",
} as const;

export type PackageFilter = Readonly<{
  /** Text that the package name contains, ignoring case. */
  name: string | undefined;
  version: string | undefined;
  type: PackageType | undefined;
  order: keyof typeof PACKAGE_ORDERS;
  descending: boolean;
}>;

/** Returns a page of the packages of a project. With keyset pagination, the packages are ordered by id. */
export function listPackages(
  { db, reads }: Queries,
  project: AuthorizedProject,
  { name, version, type, order, descending }: PackageFilter,
  paging: Paging,
): Promise<Page<Package>> {
  const read = async (ids: readonly number[]) => sql.findPackages(reads, ids);
  const isWhole = name === undefined && version === undefined && type === undefined;
  if (isWhole && order === "created_at" && paging.kind === "offset") {
    const packages = descending ? sql.NEWEST_PACKAGES : sql.OLDEST_PACKAGES;
    return pageOfList(reads, packages, { projectId: project.id }, paging, read);
  }
  const where = {
    projectId: project.id,
    ...(name === undefined ? {} : { nameLower: { contains: literally(name.toLowerCase()) } }),
    ...(version === undefined ? {} : { version }),
    ...(type === undefined ? {} : { type }),
    ...keysetFilterOf(paging),
  };
  const orderBy = orderOf(paging, PACKAGE_ORDERS[order], descending);
  return pageById(paging, {
    isSearch: name !== undefined,
    find: (window) => db.publishedPackage.findMany({ where, orderBy, select: { id: true }, ...window }),
    read,
    count: () => db.publishedPackage.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** Returns a page of the files of a package, ordered by id. */
export function listFiles(
  { db, reads }: Queries,
  { id: packageId }: Package,
  paging: Paging,
): Promise<Page<PackageFile>> {
  if (paging.kind === "offset")
    return pageOfList(reads, sql.FILES_OF_PACKAGE, { packageId }, paging, async (ids) =>
      sql.findFiles(reads, ids),
    );
  const where = { packageId, ...keysetFilterOf(paging) };
  const id = directionOf(paging);
  const read = db.publishedFile.findMany({
    where,
    orderBy: { id },
    select: fileColumns,
    ...windowOf(paging),
  });
  return pageFrom(paging, read, () => db.publishedFile.count({ where, take: COUNTED_MAX + 1 }));
}

/**
 * Deletes a package. The caller must hold the lock on the project.
 * @returns the files of the package; null if the package no longer exists.
 */
export async function removePackage(db: Db, { id }: Package): Promise<readonly StoredFile[] | null> {
  const files = await db.publishedFile.findMany({
    where: { packageId: id },
    select: { sha256: true, key: true },
  });
  return (await db.publishedPackage.deleteMany({ where: { id } })).count === 1 ? files : null;
}

/**
 * Deletes the database row of a file, unless the content of the file was replaced.
 * @returns true if this call deleted the row.
 */
export const removeFile = async (db: Db, { id, key }: PackageFile): Promise<boolean> =>
  (await db.publishedFile.deleteMany({ where: { id, key } })).count === 1;

export async function recordDownload(db: Db, { id, lastDownloadedAt }: Package, now: Date): Promise<void> {
  await db.publishedPackage.updateMany({ where: { id, lastDownloadedAt }, data: { lastDownloadedAt: now } });
}

/**
 * Returns those of the given storage keys that exist in the table of published files. The list in the query
 * is padded to `most` keys, so that the database prepares only one statement.
 */
export async function existingKeys(
  db: Db,
  keys: readonly string[],
  most: number,
): Promise<ReadonlySet<string>> {
  const padded = [...keys, ...new Array<string>(Math.max(0, most - keys.length)).fill("")];
  const rows = await db.publishedFile.findMany({ where: { key: { in: padded } }, select: { key: true } });
  return new Set(rows.map(({ key }) => key));
}

/** Returns the package files of all projects whose file id is greater than `after`, ordered by file id. */
export async function filesAfter(db: Db, after: number, most: number): Promise<readonly FileOfProject[]> {
  const where = { id: { gt: after } };
  const rows = await db.publishedFile.findMany({
    where,
    orderBy: { id: "asc" },
    take: most,
    select: ofProjectColumns,
  });
  return rows.map(fileOfProject);
}

/** Returns the newest package files of all projects. */
export async function newestFiles(db: Db, most: number): Promise<readonly FileOfProject[]> {
  const rows = await db.publishedFile.findMany({
    orderBy: { id: "desc" },
    take: most,
    select: ofProjectColumns,
  });
  return rows.map(fileOfProject);
}

export const countFiles = (db: Db): Promise<number> => db.publishedFile.count();

type FileOfProject = StoredFile & Readonly<{ id: number; sizeBytes: number; projectId: number }>;

const ofProjectColumns = {
  id: true,
  sizeBytes: true,
  sha256: true,
  key: true,
  package: { select: { projectId: true } },
} as const;

const fileOfProject = ({
  package: { projectId },
  ...file
}: Omit<FileOfProject, "projectId"> & Readonly<{ package: { projectId: number } }>): FileOfProject => ({
  ...file,
  projectId,
});

export async function removeFiles(db: Db, ids: readonly number[]): Promise<void> {
  await db.publishedFile.deleteMany({ where: { id: { in: [...ids] } } });
}
