import { createHash } from "node:crypto";
import { mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { ObjectStorage } from "@/kernel/objects/s3";
import type { PreviousBackup } from "./previous-backup";
import { BackupRefused } from "./refusal";

/**
 * The maximum size of the pieces into which the files of a backup are divided. Each piece is stored as an
 * object, and the name of the object is the digest of the piece.
 */
const PIECE_BYTES = 16 * 1024 * 1024;

const digestText = z.string().regex(/^[0-9a-f]{64}$/);
const catalog = z.object({
  format: z.literal(1),
  product: z.literal("gatehouse"),
  createdAt: z.string(),
  /** The digests of the pieces of each file. The keys are the paths of the files in the backup. */
  files: z.record(z.string().regex(/^(?!.*\.\.)[\w./-]+$/), z.array(digestText)),
});

/** The catalog of a backup in object storage. The catalog lists the files of the backup. */
export type BackupCatalog = z.infer<typeof catalog>;

const CATALOGS = "backups/";
const nameOf = (createdAt: Date): string => `${CATALOGS}${createdAt.toISOString().replaceAll(":", "-")}.json`;
const objectOf = (digest: string): string => `objects/${digest.slice(0, 2)}/${digest}`;

/** Returns the names of the backups in object storage, oldest first. */
export const listBackups = (storage: ObjectStorage): Promise<readonly string[]> => storage.list(CATALOGS);

/** Returns the newest backup in object storage; null if the object storage contains no backup. */
export async function newestBackup(storage: ObjectStorage): Promise<BackupCatalog | null> {
  const name = (await listBackups(storage)).at(-1);
  return name === undefined ? null : readCatalog(storage, name);
}

/**
 * Reads the catalog of a backup in object storage.
 * @throws BackupRefused when the backup does not exist, when its catalog is not readable, or when a newer
 * version created it.
 */
async function readCatalog(storage: ObjectStorage, name: string): Promise<BackupCatalog> {
  const content = await storage.get(name);
  if (content === null) throw new BackupRefused(`The object storage has no backup ${name}.`);
  const parsed = catalog.safeParse(JSON.parse(content.toString("utf8")));
  if (!parsed.success)
    throw new BackupRefused(`${name} is not a backup of Gatehouse, or a newer version created it.`);
  return parsed.data;
}

/**
 * Returns the previous backup in object storage, and the set of the files that the new backup reuses.
 * @param backup the catalog of the previous backup; null if there is no previous backup.
 */
export function backupInObjects(
  storage: ObjectStorage,
  backup: BackupCatalog | null,
): Readonly<{ previous: PreviousBackup; reused: ReadonlySet<string> }> {
  const reused = new Set<string>();
  const previous: PreviousBackup = {
    read: async (path) => {
      const pieces = backup?.files[path];
      if (pieces === undefined) return null;
      const contents: Buffer[] = [];
      for (const digest of pieces) {
        const content = await storage.get(objectOf(digest));
        if (content === null) return null;
        contents.push(content);
      }
      return Buffer.concat(contents).toString("utf8");
    },
    reuse: (path) => {
      if (backup?.files[path] === undefined) return Promise.resolve(false);
      reused.add(path);
      return Promise.resolve(true);
    },
  };
  return { previous, reused };
}

export type Uploaded = Readonly<{ files: number; sentBytes: number; name: string }>;

/**
 * Stores the files of a folder as a new backup. Pieces that already exist in the object storage are not sent
 * again.
 * @param reused the files of the previous backup that the new backup reuses. The reused files are not in the
 * folder.
 */
export async function uploadBackup(
  storage: ObjectStorage,
  folder: string,
  previous: BackupCatalog | null,
  { reused, now }: Readonly<{ reused: ReadonlySet<string>; now: Date }>,
): Promise<Uploaded> {
  const stored = new Set(Object.values(previous?.files ?? {}).flat());
  const files: Record<string, string[]> = {};
  for (const path of reused) files[path] = previous?.files[path] ?? [];
  let sentBytes = 0;
  for (const path of await filesIn(folder)) {
    const pieces: string[] = [];
    for await (const piece of piecesOf(join(folder, path))) {
      const digest = createHash("sha256").update(piece).digest("hex");
      pieces.push(digest);
      if (stored.has(digest)) continue;
      stored.add(digest);
      if (await storage.has(objectOf(digest))) continue;
      await storage.put(objectOf(digest), piece);
      sentBytes += piece.byteLength;
    }
    files[path] = pieces;
  }
  const name = nameOf(now);
  const text = JSON.stringify({ format: 1, product: "gatehouse", createdAt: now.toISOString(), files });
  // The catalog is stored last, because a backup exists only if its catalog exists.
  await storage.put(name, new TextEncoder().encode(text));
  return { files: Object.keys(files).length, sentBytes, name };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

async function* piecesOf(file: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const handle = await open(file, "r");
  try {
    for (;;) {
      const buffer = new Uint8Array(PIECE_BYTES);
      let length = 0;
      for (let read = -1; read !== 0 && length < PIECE_BYTES; length += read)
        read = (await handle.read(buffer, length, PIECE_BYTES - length)).bytesRead;
      if (length > 0) yield buffer.subarray(0, length);
      if (length < PIECE_BYTES) return;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Writes the files of a backup into a new folder, and verifies the digest of each piece.
 * @param name the name of the backup; null for the newest backup.
 * @throws BackupRefused when the backup does not exist, or when an object is missing or damaged.
 */
export async function downloadBackup(
  storage: ObjectStorage,
  name: string | null,
  folder: string,
): Promise<void> {
  const backup =
    name === null ? await newestBackup(storage) : await readCatalog(storage, `${CATALOGS}${name}`);
  if (backup === null) throw new BackupRefused("The object storage has no backup.");
  for (const [path, pieces] of Object.entries(backup.files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, "wx", 0o600);
    try {
      for (const digest of pieces) {
        const piece = await storage.get(objectOf(digest));
        if (piece === null || createHash("sha256").update(piece).digest("hex") !== digest)
          throw new BackupRefused(
            `The object ${objectOf(digest)} of the backup is ${piece === null ? "missing" : "damaged"}.`,
          );
        await handle.write(piece);
      }
    } finally {
      await handle.close();
    }
  }
}

/**
 * Deletes the oldest backups, and the objects that no remaining backup contains.
 * @returns the number of deleted backups.
 */
export async function removeOldBackups(storage: ObjectStorage, keep: number): Promise<number> {
  const names = await listBackups(storage);
  const removed = names.slice(0, Math.max(0, names.length - keep));
  const removedPieces = await piecesIn(storage, removed);
  const keptPieces = await piecesIn(storage, names.slice(removed.length));
  // The catalogs are deleted before the objects. A catalog whose objects are missing would describe a backup
  // that cannot be restored.
  for (const name of removed) await storage.remove(name);
  for (const digest of removedPieces) if (!keptPieces.has(digest)) await storage.remove(objectOf(digest));
  return removed.length;
}

async function piecesIn(storage: ObjectStorage, names: readonly string[]): Promise<ReadonlySet<string>> {
  const pieces = new Set<string>();
  for (const name of names)
    for (const digest of Object.values((await readCatalog(storage, name)).files).flat()) pieces.add(digest);
  return pieces;
}
