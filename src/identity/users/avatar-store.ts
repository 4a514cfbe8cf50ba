import type { Db } from "@/kernel/db/db";

/** A stored avatar: a square PNG and its digest. */
type StoredAvatar = Readonly<{ png: Uint8Array<ArrayBuffer>; digest: string; createdAt: Date }>;

/**
 * Stores the avatar of a user, and replaces the previous avatar. All functions lock the user before the avatar,
 * which prevents deadlocks.
 */
export async function put(db: Db, userId: number, { digest, ...avatar }: StoredAvatar): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { avatarDigest: digest }, select: { id: true } });
  await db.userAvatar.upsert({
    where: { userId },
    create: { ...avatar, userId },
    update: avatar,
    select: { userId: true },
  });
}

/**
 * Deletes the avatar of a user.
 * @returns whether the user had an avatar.
 */
export async function remove(db: Db, userId: number): Promise<boolean> {
  await db.user.updateMany({ where: { id: userId }, data: { avatarDigest: null } });
  return (await db.userAvatar.deleteMany({ where: { userId } })).count === 1;
}

/** Returns the avatar with this digest; null when the user has another avatar or none. */
export async function find(db: Db, userId: number, digest: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const where = { userId, user: { avatarDigest: digest } };
  return (await db.userAvatar.findFirst({ where, select: { png: true } }))?.png ?? null;
}
