import type { Db } from "@/kernel/db/db";
import type { Identity } from "./rules";

/** The key that identifies an account at a provider. */
export type IdentityKey = Pick<Identity, "provider" | "issuer" | "subject">;

const keyOf = ({ provider, issuer, subject }: IdentityKey): IdentityKey => ({ provider, issuer, subject });

/**
 * Returns the id of the user to whom an identity is linked, and the roles of the group mapping as JSON. The
 * result is null if the identity is not linked.
 */
export const find = (
  db: Db,
  identity: IdentityKey,
): Promise<Readonly<{ id: number; userId: number; mappedRoles: string }> | null> =>
  db.linkedIdentity.findUnique({
    where: { provider_issuer_subject: keyOf(identity) },
    select: { id: true, userId: true, mappedRoles: true },
  });

/** Returns whether the user is linked to an account of this issuer at the provider. */
export const isLinked = async (
  db: Db,
  userId: number,
  { provider, issuer }: Pick<IdentityKey, "provider" | "issuer">,
): Promise<boolean> => (await db.linkedIdentity.count({ where: { userId, provider, issuer } })) > 0;

/**
 * Links an account at a provider to a user. If the issuer of the provider was changed, the new link replaces
 * the user's link to the earlier issuer.
 * @throws Prisma's P2002 if the identity is already linked, or if the user is linked to another account at
 * the provider.
 */
export async function insert(
  db: Db,
  userId: number,
  identity: IdentityKey & Readonly<{ account: string }>,
  now: Date,
): Promise<void> {
  const { provider, issuer } = identity;
  await db.linkedIdentity.deleteMany({ where: { userId, provider, issuer: { not: issuer } } });
  await db.linkedIdentity.create({
    data: { ...keyOf(identity), account: identity.account, userId, createdAt: now },
  });
}

export async function recordUse(db: Db, id: number, account: string, now: Date): Promise<void> {
  await db.linkedIdentity.updateMany({ where: { id }, data: { account, lastUsedAt: now } });
}

export async function setMappedRoles(db: Db, id: number, mappedRoles: string): Promise<void> {
  await db.linkedIdentity.updateMany({ where: { id }, data: { mappedRoles } });
}

/**
 * Returns the links between a provider and the users who have roles from the group mapping, ordered by id.
 */
export const listWithMappedRoles = (
  db: Db,
  provider: string,
  after: number,
  most: number,
): Promise<readonly Readonly<{ id: number; userId: number }>[]> =>
  db.linkedIdentity.findMany({
    where: { provider, id: { gt: after }, mappedRoles: { not: "{}" } },
    orderBy: { id: "asc" },
    select: { id: true, userId: true },
    take: most,
  });

/** Returns the roles of the group mapping as JSON; null if the link no longer exists. */
export const mappedRolesOf = async (db: Db, id: number): Promise<string | null> =>
  (await db.linkedIdentity.findUnique({ where: { id }, select: { mappedRoles: true } }))?.mappedRoles ?? null;

/**
 * Unlinks an account at a provider from its user.
 * @returns whether the account was linked to the user.
 */
export const remove = async (db: Db, userId: number, id: number): Promise<boolean> =>
  (await db.linkedIdentity.deleteMany({ where: { id, userId } })).count === 1;

/** Returns the number of linked accounts of each provider, by the name of the provider. */
export async function countByProvider(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.linkedIdentity.groupBy({ by: ["provider"], _count: { _all: true } });
  return new Map(rows.map(({ provider, _count }) => [provider, _count._all]));
}

/**
 * Removes the links of all users to a provider.
 * @returns the number of removed links.
 */
export const removeAllOf = async (db: Db, provider: string): Promise<number> =>
  (await db.linkedIdentity.deleteMany({ where: { provider } })).count;
