import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";
import type { FileCoordinates } from "./rules";

const PACKAGE_COLUMNS = {
  id: [`p."id"`, integer],
  projectId: [`p."projectId"`, integer],
  type: [`p."type"`, text],
  name: [`p."name"`, text],
  version: [`p."version"`, text],
  createdAt: [`p."createdAt"`, time],
  lastDownloadedAt: [`p."lastDownloadedAt"`, nullable(time)],
} as const;

const PACKAGES_BY_ID = statement({
  name: "packages_by_id",
  parameters: { ids: integers },
  columns: PACKAGE_COLUMNS,
  sql: withList(
    (columns, isIn) => `SELECT ${columns} FROM "PublishedPackage" p WHERE ${isIn(`p."id"`, ":ids")}`,
  ),
});

/** Returns the packages with these ids, in any order. */
export const findPackages = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly RowOf<typeof PACKAGE_COLUMNS>[]> => reads.all(PACKAGES_BY_ID, { ids });

/** The packages of a project, the newest package first. */
export const NEWEST_PACKAGES = listStatements({
  name: "newest_packages",
  parameters: { projectId: integer },
  from: () => `"PublishedPackage" r WHERE r."projectId" = :projectId`,
  order: `r."createdAt" DESC, r."id" DESC`,
});

/** The packages of a project, the oldest package first. */
export const OLDEST_PACKAGES = listStatements({
  name: "oldest_packages",
  parameters: { projectId: integer },
  from: () => `"PublishedPackage" r WHERE r."projectId" = :projectId`,
  order: `r."createdAt", r."id"`,
});

const FILE_COLUMNS = {
  id: [`f."id"`, integer],
  packageId: [`f."packageId"`, integer],
  name: [`f."name"`, text],
  sizeBytes: [`f."sizeBytes"`, integer],
  sha256: [`f."sha256"`, text],
  key: [`f."key"`, text],
  createdAt: [`f."createdAt"`, time],
  updatedAt: [`f."updatedAt"`, time],
} as const;

const FILES_BY_ID = statement({
  name: "package_files_by_id",
  parameters: { ids: integers },
  columns: FILE_COLUMNS,
  sql: withList(
    (columns, isIn) => `SELECT ${columns} FROM "PublishedFile" f WHERE ${isIn(`f."id"`, ":ids")}`,
  ),
});

/** Returns the package files with these ids, in any order. */
export const findFiles = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly RowOf<typeof FILE_COLUMNS>[]> => reads.all(FILES_BY_ID, { ids });

/** The files of a package, ordered by id. */
export const FILES_OF_PACKAGE = listStatements({
  name: "files_of_package",
  parameters: { packageId: integer },
  from: () => `"PublishedFile" r WHERE r."packageId" = :packageId`,
  order: `r."id"`,
});

const FILE_BY_COORDINATES = statement({
  name: "package_file_by_coordinates",
  parameters: { projectId: integer, type: text, packageName: text, version: text, fileName: text },
  columns: { from: PACKAGE_COLUMNS, file: FILE_COLUMNS },
  sql: (columns) => `
    SELECT ${columns} FROM "PublishedPackage" p
    JOIN "PublishedFile" f ON f."packageId" = p."id" AND f."name" = :fileName
    WHERE p."projectId" = :projectId AND p."type" = :type
      AND p."name" = :packageName AND p."version" = :version`,
});

/** Returns the file of a generic package with these names, together with the package; null if there is no such file. */
export const findFileByCoordinates = (
  reads: Reads,
  projectId: number,
  coordinates: FileCoordinates,
): Eventually<Readonly<{
  from: RowOf<typeof PACKAGE_COLUMNS>;
  file: RowOf<typeof FILE_COLUMNS>;
}> | null> => reads.first(FILE_BY_COORDINATES, { projectId, type: "generic", ...coordinates });
