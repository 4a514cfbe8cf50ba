import { instanceId } from "@/instance/lock/secret-check";
import type { Deps } from "@/kernel/deps/deps";
import type { FileStorage } from "@/kernel/objects/file-storage";
import { ObjectStorageFailed } from "@/kernel/objects/s3-client";
import { processWide } from "@/kernel/process/process-wide";
import { discard, receiveFile } from "./upload";

const OWNERS_FOLDER = "instances";

const claimed = processWide("claimed-storages", () => new WeakSet<FileStorage>());

/**
 * Records this instance as the owner of a bucket, if the bucket has no owner yet. Two instances must not
 * share the same prefix of a bucket, because pruning deletes all files for which the database of the instance
 * has no row.
 * @param options.again whether to check the owner of the bucket even if this process has already checked the
 * owner.
 * @throws ObjectStorageFailed if the bucket belongs to another instance.
 */
export async function claimStorage(
  deps: Pick<Deps, "db" | "config" | "randomBytes">,
  storage: FileStorage,
  { again }: Readonly<{ again: boolean }> = { again: false },
): Promise<void> {
  if (storage.kind === "folder" || (!again && claimed().has(storage))) return;
  const own = `${OWNERS_FOLDER}/${await instanceId(deps.db)}`;
  if (!(await refuseOtherOwner(storage, own))) {
    const empty = await receiveFile(deps, null, 0);
    if (typeof empty === "string") throw new Error(empty);
    await storage.put(own, empty, { mayLink: false }).finally(() => discard(empty));
    // Another instance may have simultaneously found that the bucket has no owner. The owners are therefore
    // read again, so that at most one of the instances stays the owner.
    await refuseOtherOwner(storage, own).catch(async (cause) => {
      await storage.remove(own);
      throw cause;
    });
  }
  claimed().add(storage);
}

/**
 * Returns true if this instance owns the storage, and false if the storage has no owner.
 * @throws ObjectStorageFailed if the storage belongs to another instance.
 */
async function refuseOtherOwner(storage: FileStorage, own: string): Promise<boolean> {
  const owners = await ownersOf(storage);
  if (owners.some((owner) => owner !== own))
    throw new ObjectStorageFailed(
      `${storage.place} belongs to another instance. Set S3_BUCKET to another bucket, or to another prefix of the bucket.`,
    );
  return owners.length > 0;
}

async function ownersOf(storage: FileStorage): Promise<readonly string[]> {
  const owners: string[] = [];
  for await (const names of storage.list(OWNERS_FOLDER)) owners.push(...names);
  return owners;
}
