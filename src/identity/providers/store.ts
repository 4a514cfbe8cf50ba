import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { Db } from "@/kernel/db/db";
import type { Provider } from "./rules";

export type StoredProvider = Omit<Provider, "fromEnvironment">;

const dataOf = ({ allowedDomains, enforcedDomains, groupRules, ...provider }: StoredProvider) => ({
  ...provider,
  allowedDomains: allowedDomains.join(" "),
  enforcedDomains: enforcedDomains.join(" "),
  groupRules: groupRules.join("\n"),
});

/**
 * Inserts an external identity provider.
 * @throws Prisma's P2002 when a provider with this name exists.
 */
export async function insert(
  db: Db,
  provider: StoredProvider & Readonly<{ sealedSecret: string; createdAt: Date }>,
): Promise<void> {
  const { sealedSecret, createdAt, ...settings } = provider;
  await db.identityProvider.create({ data: { ...dataOf(settings), sealedSecret, createdAt } });
}

/**
 * Changes the provider with the name of `provider`.
 * @param sealedSecret the new secret; null to keep the stored secret.
 * @returns whether the provider exists.
 */
export async function update(
  db: Db,
  provider: StoredProvider,
  sealedSecret: string | null,
): Promise<boolean> {
  const { name, ...data } = dataOf(provider);
  const { count } = await db.identityProvider.updateMany({
    where: { name },
    data: { ...data, ...(sealedSecret === null ? {} : { sealedSecret }) },
  });
  return count === 1;
}

/**
 * Locks the row of an external identity provider until the transaction ends.
 * @returns false if the provider no longer exists.
 */
export const lock = async (db: Db, name: string): Promise<boolean> =>
  (await db.identityProvider.updateMany({ where: { name }, data: { name } })).count === 1;

/**
 * Deletes an external identity provider.
 * @returns whether the provider existed.
 */
export const remove = async (db: Db, name: string): Promise<boolean> =>
  (await db.identityProvider.deleteMany({ where: { name } })).count === 1;

export const count = (db: Db): Promise<number> => db.identityProvider.count();

export const findSealedSecret = async (db: Db, name: string): Promise<string | null> =>
  (await db.identityProvider.findUnique({ where: { name }, select: { sealedSecret: true } }))?.sealedSecret ??
  null;

/** Returns the rows of providers with an encrypted client secret, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.identityProvider.findMany({
    where: { id: { gt: afterId } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealedSecret: true, name: true },
  });
  return rows.map(({ id, sealedSecret, name }) => ({ id, sealed: sealedSecret, subject: name }));
}

/** Replaces an encrypted client secret, unless another process has changed the client secret. */
export async function replaceSealed(db: Db, id: number, sealedSecret: string, next: string): Promise<void> {
  await db.identityProvider.updateMany({ where: { id, sealedSecret }, data: { sealedSecret: next } });
}
