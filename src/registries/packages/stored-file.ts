import { createHash } from "node:crypto";
import type { Deps } from "@/kernel/deps/deps";
import { chunksOf } from "@/kernel/objects/chunks";
import { fileStorageOf } from "@/kernel/objects/file-storage";

/**
 * The database columns that identify a stored file: the digest of the content, and the unique key of the
 * upload.
 */
export type StoredFile = Readonly<{ sha256: string; key: string }>;

/** The storage folder that contains all package files. */
export const PACKAGES_FOLDER = "packages";

export const folderOfProject = (projectId: number): string => `${PACKAGES_FOLDER}/${projectId}`;

/**
 * Returns the name under which a package file is stored. The name of a stored package file contains no text
 * from users.
 */
export const storedName = (projectId: number, { sha256, key }: StoredFile): string =>
  `${folderOfProject(projectId)}/${sha256}.${key}`;

/**
 * Parses a name that `storedName` created.
 * @returns null for any other name.
 */
export function parseStoredName(name: string): (StoredFile & Readonly<{ projectId: number }>) | null {
  const [, projectId, sha256, key] = /^packages\/(\d+)\/([0-9a-f]{64})\.([0-9a-f]{32})$/.exec(name) ?? [];
  return projectId === undefined || sha256 === undefined || key === undefined
    ? null
    : { projectId: Number(projectId), sha256, key };
}

/**
 * The maximum number of attempts and the time limit for deleting a file. The number of attempts and the time
 * limit are low, because a user waits for the response. If the storage does not respond, pruning deletes the
 * files later.
 */
const REMOVAL_LIMITS = { attempts: 1, silenceMs: 3_000 } as const;

/**
 * Deletes the stored files whose database rows were deleted. After a failure, the function logs the failure
 * and stops. `sweepFiles` deletes the remaining files later.
 */
export async function removeStoredFiles(
  deps: Pick<Deps, "config" | "log">,
  projectId: number,
  files: readonly StoredFile[],
): Promise<void> {
  const storage = fileStorageOf(deps.config);
  const names = files.map((file) => storedName(projectId, file));
  await removeUntilFailure(deps, names, (name) => storage.remove(name, REMOVAL_LIMITS));
}

/**
 * Deletes the stored package files of deleted projects. After a failure, the function logs the failure and
 * stops. `sweepFiles` deletes the remaining files later.
 */
export async function removeProjectFolders(
  deps: Pick<Deps, "config" | "log">,
  projectIds: readonly number[],
): Promise<void> {
  const storage = fileStorageOf(deps.config);
  const names = projectIds.map(folderOfProject);
  await removeUntilFailure(deps, names, (name) => storage.removeFolder(name, REMOVAL_LIMITS));
}

async function removeUntilFailure(
  { log }: Pick<Deps, "log">,
  names: readonly string[],
  remove: (name: string) => Promise<void>,
): Promise<void> {
  for (const [index, name] of names.entries())
    try {
      await remove(name);
    } catch (cause) {
      log.error({ event: "package.file_not_removed", name, remaining: names.length - index }, cause);
      return;
    }
}

/**
 * Yields the chunks of a file content whose digest is known. The digest is compared before the last chunk is
 * yielded, so that no client receives a complete file with wrong content.
 * @throws an Error instead of the last chunk if the digest differs.
 */
export async function* verified(
  content: ReadableStream<Uint8Array>,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let held: Uint8Array | null = null;
  for await (const chunk of chunksOf(content)) {
    hash.update(chunk);
    if (held !== null) yield held;
    held = chunk;
  }
  if (hash.digest("hex") !== sha256) throw new Error(`The content does not match the digest ${sha256}.`);
  if (held !== null) yield held;
}
