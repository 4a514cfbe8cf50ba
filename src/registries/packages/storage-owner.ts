import { instanceId } from "@/instance/lock/secret-check";
import type { Deps } from "@/kernel/deps/deps";
import type { FileStorage } from "@/kernel/objects/file-storage";
import { ObjectStorageFailed } from "@/kernel/objects/s3-client";
import { processWide } from "@/kernel/process/process-wide";
import { discard, receiveFile } from "./upload";

const OWNERS_FOLDER = "instances";

const claimed = processWide("claimed-storages", () => new WeakSet<FileStorage>());

/**
 * Records this instance as the owner of a bucket, if the bucket has no owner yet. Pruning deletes the files that the
 * database of the owner does not contain, so two instances must not share a bucket and prefix.
 * @throws ObjectStorageFailed if the bucket belongs to another instance.
 */
export async function claimStorage(
  deps: Pick<Deps, "db" | "config" | "randomBytes">,
  storage: FileStorage,
): Promise<void> {
  if (storage.kind === "folder" || claimed().has(storage)) return;
  const own = `${OWNERS_FOLDER}/${await instanceId(deps.db)}`;
  const owners = await ownersOf(storage);
  if (owners.some((owner) => owner !== own))
    throw new ObjectStorageFailed(
      `${storage.place} belongs to another instance. Set S3_BUCKET to another bucket, or to another prefix of the bucket.`,
    );
  if (owners.length === 0) {
    const empty = await receiveFile(deps, null, 0);
    if (typeof empty === "string") throw new Error(empty);
    await storage.put(own, empty, { mayLink: false }).finally(() => discard(empty));
  }
  claimed().add(storage);
}

async function ownersOf(storage: FileStorage): Promise<readonly string[]> {
  const owners: string[] = [];
  for await (const names of storage.list(OWNERS_FOLDER)) owners.push(...names);
  return owners;
}
