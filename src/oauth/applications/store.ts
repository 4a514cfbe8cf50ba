import type { Db, Queries } from "@/kernel/db/db";
import type { Reads } from "@/kernel/db/prepared";
import { columnsOf, shownFrom } from "./row";
import type { ApplicationInput, ShownApplication } from "./rules";
import type { NewSecret } from "./secret-store";
import { namesByIds, namesByUids, shownByIds, shownByUid } from "./store.sql";

/**
 * Returns an application that a user owns or maintains, or that a group owns. The caller must check the role
 * of the user in the group that owns the application.
 */
export async function findManageable(
  reads: Reads,
  userId: number,
  id: number,
): Promise<ShownApplication | null> {
  const application = await findById(reads, id);
  if (application === null) return null;
  const { owner, maintainer } = application;
  const isHeld = owner.kind === "group" || owner.id === userId || maintainer?.id === userId;
  return isHeld ? application : null;
}

/** Locks the row of an application until the transaction ends. */
export async function lock(db: Db, id: number, now: Date): Promise<void> {
  await db.application.updateMany({ where: { id }, data: { updatedAt: now } });
}

/** Sets the owner of an application, and removes its second maintainer. */
export async function setOwner(db: Db, id: number, { kind, id: ownerId }: NewOwner): Promise<void> {
  const owner = kind === "group" ? { ownerId: null, groupId: ownerId } : { ownerId, groupId: null };
  await db.application.update({
    where: { id },
    data: { ...owner, maintainerId: null },
    select: { id: true },
  });
}

/** Sets or removes the second maintainer of an application. */
export async function setMaintainer(db: Db, id: number, maintainerId: number | null): Promise<void> {
  await db.application.update({ where: { id }, data: { maintainerId }, select: { id: true } });
}

export async function findByUid(reads: Reads, uid: string): Promise<ShownApplication | null> {
  const row = await shownByUid(reads, uid);
  return row && shownFrom(row);
}

export async function findById(reads: Reads, id: number): Promise<ShownApplication | null> {
  const [row] = await shownByIds(reads, [id]);
  return row === undefined ? null : shownFrom(row);
}

/** The owner of a new application, or the new owner of a transferred application. */
export type NewOwner = Readonly<{ kind: "user" | "group"; id: number }>;

export type NewApplication = ApplicationInput &
  Readonly<{ uid: string; trusted: boolean; owner: NewOwner; secret: NewSecret | null; now: Date }>;

/** Returns an application that the same transaction has stored. */
export async function readStored(reads: Reads, id: number): Promise<ShownApplication> {
  const application = await findById(reads, id);
  if (application === null) throw new Error(`The stored application ${id} is missing.`);
  return application;
}

export async function insert({ db, reads }: Queries, application: NewApplication): Promise<ShownApplication> {
  const { uid, trusted, owner, secret, now } = application;
  const { id } = await db.application.create({
    data: {
      ...columnsOf(application),
      uid,
      trusted,
      ...(owner.kind === "group" ? { groupId: owner.id } : { ownerId: owner.id }),
      createdAt: now,
      updatedAt: now,
      secrets: { create: secret === null ? [] : [{ ...secret, createdAt: now }] },
    },
    select: { id: true },
  });
  return readStored(reads, id);
}

export async function update(db: Db, id: number, input: ApplicationInput): Promise<void> {
  await db.application.update({ where: { id }, data: columnsOf(input) });
}

/** Returns the stored public keys of an application. */
export const keysOf = (
  db: Db,
  id: number,
): Promise<Readonly<{ jwks: string | null; jwksUri: string | null }> | null> =>
  db.application.findFirst({ where: { id }, select: { jwks: true, jwksUri: true } });

/** Deletes an application with its authorization codes, tokens and consents. */
export async function remove(db: Db, id: number): Promise<void> {
  await db.application.deleteMany({ where: { id } });
}

export async function endTrust(db: Db, id: number): Promise<void> {
  await db.application.update({ where: { id }, data: { trusted: false } });
}

/** Returns the names of the applications with these ids, keyed by the id of the application. */
export async function names(reads: Reads, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = ids.length === 0 ? [] : await namesByIds(reads, ids);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the applications with these Application IDs, with the Application ID as key. */
export async function byUids(
  reads: Reads,
  uids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<{ id: number; name: string }>>> {
  const rows = uids.length === 0 ? [] : await namesByUids(reads, uids);
  return new Map(rows.map(({ uid, ...row }) => [uid, row]));
}

/** Returns at most two ids of applications with this name. */
export async function idsNamed(db: Db, name: string): Promise<readonly number[]> {
  const rows = await db.application.findMany({ where: { name }, take: 2, select: { id: true } });
  return rows.map(({ id }) => id);
}

/**
 * Blocks or unblocks an application.
 * @returns whether the state of the application has changed.
 */
export async function setBlocked(db: Db, id: number, blockedAt: Date | null): Promise<boolean> {
  const where = { id, blockedAt: blockedAt === null ? { not: null } : null };
  return (await db.application.updateMany({ where, data: { blockedAt } })).count === 1;
}

/**
 * Sets whether an application is trusted.
 * @returns whether the trust in the application has changed.
 */
export async function setTrusted(db: Db, id: number, trusted: boolean): Promise<boolean> {
  return (
    (await db.application.updateMany({ where: { id, trusted: !trusted }, data: { trusted } })).count === 1
  );
}

/**
 * Sets whether an application is a resource server.
 * @returns whether the application has become or ceased to be a resource server.
 */
export async function setResourceServer(db: Db, id: number, resourceServer: boolean): Promise<boolean> {
  const where = { id, resourceServer: !resourceServer };
  return (await db.application.updateMany({ where, data: { resourceServer } })).count === 1;
}
