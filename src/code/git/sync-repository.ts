import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sync } from "@/kernel/disk/durable-file";

/**
 * The time for which a folder counts as recently changed. The time is longer than any Git command of a
 * request. Folders that changed earlier were already synced after earlier requests.
 */
const RECENT_MS = 600_000;

type Folder = Readonly<{ path: string; changedMs: number }>;

/**
 * Syncs the recently changed folders of a repository, so that the references and objects that Git has just
 * written survive a power failure. Git syncs the content of the files (`core.fsync`) but not the folders that
 * contain the files.
 * @throws the system's error if the disk cannot be written.
 */
export async function syncRepository(repository: string): Promise<void> {
  const objects = join(repository, "objects");
  const groups = await Promise.all([
    foldersUnder(join(repository, "refs")),
    changeOf(repository),
    changeOf(objects),
    ...(await namesOf(objects)).filter(isObjectFolder).map((name) => changeOf(join(objects, name))),
  ]);
  const folders = groups.flat();
  const newest = Math.max(...folders.map(({ changedMs }) => changedMs));
  for (const { path, changedMs } of folders)
    if (changedMs >= newest - RECENT_MS) await sync(path).catch(unlessRemoved);
  // Git does not sync the file of a symbolic reference.
  await sync(join(repository, "HEAD")).catch(unlessRemoved);
}

const isObjectFolder = (name: string): boolean => /^(?:[0-9a-f]{2}|pack|info)$/.test(name);

const namesOf = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((cause: unknown) => unlessRemoved(cause) ?? []);

async function changeOf(path: string): Promise<readonly Folder[]> {
  const stats = await stat(path).catch(unlessRemoved);
  return stats === undefined ? [] : [{ path, changedMs: stats.mtimeMs }];
}

async function foldersUnder(path: string): Promise<readonly Folder[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(
    (cause: unknown) => unlessRemoved(cause) ?? [],
  );
  const children = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => foldersUnder(join(path, name)));
  return [...(await changeOf(path)), ...(await Promise.all(children)).flat()];
}

/** Ignores the error for a missing folder, because Git removes empty folders at any time. Throws all other errors. */
function unlessRemoved(cause: unknown): undefined {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return;
  throw cause;
}
