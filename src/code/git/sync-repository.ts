import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sync } from "@/kernel/disk/durable-file";

/** Longer than any Git command of one request; folders that have not changed since then were synced by earlier calls. */
const RECENT_MS = 600_000;

type Folder = Readonly<{ path: string; changedMs: number }>;

/**
 * Syncs the folders of a repository that have changed recently, so that the references and objects which Git has just
 * written survive a power cut: Git syncs their content (`core.fsync`) and not their names.
 * @throws the system's error when the disk refuses.
 */
export async function syncRepository(repository: string): Promise<void> {
  const objects = join(repository, "objects");
  const found = await Promise.all([
    foldersBelow(join(repository, "refs")),
    changeOf(repository),
    changeOf(objects),
    ...(await namesOf(objects)).filter(isObjectFolder).map((name) => changeOf(join(objects, name))),
  ]);
  const folders = found.flat();
  const newest = Math.max(...folders.map(({ changedMs }) => changedMs));
  for (const { path, changedMs } of folders)
    if (changedMs >= newest - RECENT_MS) await sync(path).catch(unlessRemoved);
  // Git does not sync a symbolic reference.
  await sync(join(repository, "HEAD")).catch(unlessRemoved);
}

const isObjectFolder = (name: string): boolean => /^(?:[0-9a-f]{2}|pack|info)$/.test(name);

const namesOf = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((cause: unknown) => unlessRemoved(cause) ?? []);

async function changeOf(path: string): Promise<readonly Folder[]> {
  const found = await stat(path).catch(unlessRemoved);
  return found === undefined ? [] : [{ path, changedMs: found.mtimeMs }];
}

async function foldersBelow(path: string): Promise<readonly Folder[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(
    (cause: unknown) => unlessRemoved(cause) ?? [],
  );
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => foldersBelow(join(path, name)));
  return [...(await changeOf(path)), ...(await Promise.all(below)).flat()];
}

/** Git removes empty folders at any moment. */
function unlessRemoved(cause: unknown): undefined {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return;
  throw cause;
}
