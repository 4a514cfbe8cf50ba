import { existsSync } from "node:fs";
import type { Config } from "@/kernel/config/config";
import type { Db } from "@/kernel/db/db";
import { dataFolders, diskSpaceOf, diskSpaceText, isDiskSpaceLow } from "@/kernel/disk/disk-space";
import { fileStorageOf } from "@/kernel/objects/file-storage";
import { checkNodeVersion } from "@/kernel/process/node-version";
import { insecureRedirectUris } from "@/oauth/applications/administration";

/** A problem that an operator should correct, although the instance can still serve requests. */
export class Warning extends Error {}

/**
 * Checks the version of Node, and returns the version.
 * @throws an Error for a version that cannot run the server; a `Warning` for a version that may crash.
 */
export function checkNode({ database }: Pick<Config, "database">): string {
  const { problem, warning } = checkNodeVersion(process.versions.node, database.provider);
  if (problem !== undefined) throw new Error(problem);
  if (warning !== undefined) throw new Warning(warning);
  return process.version;
}

/**
 * Checks the free space of the disks that store the data folder and the database. Returns a description of
 * the disk with the least free space.
 * @throws a `Warning` when the space is low.
 */
export async function checkDiskSpace(config: Pick<Config, "dataDir" | "database">): Promise<string> {
  const { dataDir } = config;
  const folders = dataFolders(config).map(({ folder }) => folder);
  const spaces = await Promise.all(folders.filter((folder) => existsSync(folder)).map(diskSpaceOf));
  const lowest = spaces.toSorted((a, b) => a.freeBytes - b.freeBytes)[0];
  if (lowest === undefined) return `${dataDir} will be created at the first start`;
  if (isDiskSpaceLow(lowest))
    throw new Warning(`${diskSpaceText(lowest)}. Free some space, or enlarge the disk of ${dataDir}.`);
  return diskSpaceText(lowest);
}

/**
 * The time limit of the check of the storage for package files. Without the limit, a storage that does not
 * respond would delay the overview for administrators.
 */
const FILE_STORAGE_MS = 800;

/**
 * Checks that the storage of package files responds.
 * @throws a `Warning` when the storage does not respond. The problem is only a warning, because it affects
 * only packages.
 */
async function checkFileStorage(config: Pick<Config, "dataDir" | "files">): Promise<string> {
  const storage = fileStorageOf(config);
  await storage.check(FILE_STORAGE_MS).catch((cause) => {
    throw new Warning(cause instanceof Error ? cause.message : String(cause));
  });
  return storage.place;
}

const APPLICATIONS_SHOWN = 20;

/**
 * Checks that no application has an http redirect URI if the instance uses https. After `BASE_URL` has been
 * changed from http to https, authorization requests with a registered http redirect URI are refused.
 * @throws a `Warning` that lists the applications with an http redirect URI.
 */
export async function checkRedirectUris({ baseUrl }: Pick<Config, "baseUrl">, db: Db): Promise<string> {
  if (baseUrl.protocol === "http:") return "http is allowed, because BASE_URL uses http";
  const applications = await insecureRedirectUris(db, APPLICATIONS_SHOWN);
  if (applications.length === 0) return "all use https, or http with a loopback address";
  const lines = applications.map(
    ({ id, name, owner, uris }) => `${name} (${id}, of ${owner}): ${uris.join(" ")}`,
  );
  throw new Warning(
    `${countOf(applications.length)} with http redirect URIs, which are refused because BASE_URL is https. Register https redirect URIs:\n    ${lines.join("\n    ")}`,
  );
}

const countOf = (count: number): string => {
  if (count === APPLICATIONS_SHOWN) return `${count} or more applications`;
  return count === 1 ? "1 application" : `${count} applications`;
};

/** A warning of a check, with the name of the check in `gatehouse doctor`. */
export type HealthWarning = Readonly<{ check: string; text: string }>;

/** Runs the checks of `gatehouse doctor` that need no other program, and returns their warnings. */
export async function healthWarnings(config: Config, db: Db): Promise<readonly HealthWarning[]> {
  const checks: Readonly<Record<string, () => string | Promise<string>>> = {
    node: () => checkNode(config),
    "disk space": () => checkDiskSpace(config),
    "file storage": () => checkFileStorage(config),
    "redirect URIs": () => checkRedirectUris(config, db),
  };
  const warnings = await Promise.all(
    Object.entries(checks).map(async ([check, run]): Promise<readonly HealthWarning[]> => {
      try {
        await run();
        return [];
      } catch (cause) {
        return [{ check, text: cause instanceof Error ? cause.message : String(cause) }];
      }
    }),
  );
  return warnings.flat();
}
