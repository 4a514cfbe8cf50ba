import type { Db } from "@/kernel/db/db";

type About = Readonly<{ userId: number; applicationId: number }>;

/** Returns the scopes that this user has granted to this application. */
export async function consentedScopes(
  db: Db,
  userId: number,
  applicationId: number,
): Promise<readonly string[]> {
  const row = await db.consent.findUnique({ where: { userId_applicationId: { userId, applicationId } } });
  return listOf(row?.scopes ?? "");
}

const listOf = (scopes: string): readonly string[] => scopes.split(" ").filter((scope) => scope !== "");

/**
 * Locks the consent of a user to an application until the transaction ends.
 * @returns the scopes of the consent; empty without a consent.
 */
export async function lockConsent(db: Db, { userId, applicationId }: About): Promise<readonly string[]> {
  const [consent] = await db.consent.updateManyAndReturn({
    where: { userId, applicationId },
    data: { userId },
    select: { scopes: true },
  });
  return listOf(consent?.scopes ?? "");
}

/** Locks all consents of a user until the transaction ends. */
export async function lockConsentsOf(db: Db, userId: number): Promise<void> {
  await db.consent.updateMany({ where: { userId }, data: { userId } });
}

/**
 * Adds scopes to the consent of a user, or creates the consent. The first statement locks the consent and
 * returns the stored scopes, so that a simultaneous change of the consent is never overwritten. Callers must be
 * inside a transaction.
 */
export async function recordConsent(
  db: Db,
  consent: Readonly<{ userId: number; applicationId: number; scopes: readonly string[]; now: Date }>,
): Promise<void> {
  const { userId, applicationId, now } = consent;
  const stored = await db.consent.upsert({
    where: { userId_applicationId: { userId, applicationId } },
    create: { userId, applicationId, scopes: consent.scopes.join(" "), createdAt: now, updatedAt: now },
    update: { updatedAt: now },
    select: { id: true, scopes: true },
  });
  const scopes = [...new Set([...listOf(stored.scopes), ...consent.scopes])].join(" ");
  if (scopes !== stored.scopes) await db.consent.update({ where: { id: stored.id }, data: { scopes } });
}

/** Returns the distinct stored scope lists of the consents to an application. */
export async function consentedScopeLists(db: Db, applicationId: number): Promise<readonly string[]> {
  const rows = await db.consent.groupBy({ by: ["scopes"], where: { applicationId } });
  return rows.map(({ scopes }) => scopes);
}

/** Replaces a scope list in all consents to an application. An empty list removes these consents. */
export async function replaceConsentedScopes(
  db: Db,
  change: Readonly<{ applicationId: number; before: string; after: string; now: Date }>,
): Promise<void> {
  const where = { applicationId: change.applicationId, scopes: change.before };
  if (change.after === "") await db.consent.deleteMany({ where });
  else await db.consent.updateMany({ where, data: { scopes: change.after, updatedAt: change.now } });
}

/**
 * Returns the number of consents to an application.
 * @param most the maximum number of consents that the function counts.
 */
export const countConsents = (db: Db, applicationId: number, most: number): Promise<number> =>
  db.consent.count({ where: { applicationId }, take: most });

export async function removeConsentsTo(db: Db, applicationId: number): Promise<void> {
  await db.consent.deleteMany({ where: { applicationId } });
}

export async function removeConsentsOf(db: Db, userId: number): Promise<void> {
  await db.consent.deleteMany({ where: { userId } });
}

/**
 * Removes the consent of a user to an application.
 * @returns 1 when the consent existed; 0 when the user had given no consent.
 */
export async function removeConsent(db: Db, { userId, applicationId }: About): Promise<number> {
  const { count } = await db.consent.deleteMany({ where: { userId, applicationId } });
  return count;
}
