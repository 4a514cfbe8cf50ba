import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { TokenDigest } from "@/kernel/crypto/token";
import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";

export type NewSession = Readonly<{
  digest: TokenDigest;
  userId: number;
  createdAt: Date;
  /** The time of the authentication, if the user authenticated before the session was opened. */
  provenAt: Date | null;
  expiresAt: Date;
  address: string;
  userAgent: string;
  methods: string;
}>;

export async function insert(db: Db, session: NewSession): Promise<void> {
  await db.session.create({ data: session });
}

/** Stores the last authentication of a session, if the session is active. */
export async function setAuthenticated(
  db: Db,
  digest: TokenDigest,
  last: Readonly<{ provenAt: Date; methods: string }>,
): Promise<void> {
  await db.session.updateMany({ where: { digest, endedAt: null }, data: last });
}

/**
 * Ends a session.
 * @returns the id of its user; null if the session has already ended.
 */
export async function end(db: Db, digest: TokenDigest, now: Date): Promise<number | null> {
  const { count } = await db.session.updateMany({ where: { digest, endedAt: null }, data: { endedAt: now } });
  if (count === 0) return null;
  return (await db.session.findUnique({ where: { digest }, select: { userId: true } }))?.userId ?? null;
}

/**
 * Ends all sessions of a user.
 * @returns the number of ended sessions.
 */
export async function endAllOf(db: Db, userId: number, now: Date): Promise<number> {
  const { count } = await db.session.updateMany({
    where: { userId, endedAt: null },
    data: { endedAt: now },
  });
  return count;
}

/**
 * Locks a session until the transaction ends.
 * @returns null if the session has ended.
 */
export async function lockLive(
  db: Db,
  digest: TokenDigest,
): Promise<Readonly<{ id: number; expiresAt: Date }> | null> {
  const [session] = await db.session.updateManyAndReturn({
    where: { digest, endedAt: null },
    data: { endedAt: null },
    select: { id: true, expiresAt: true },
  });
  return session ?? null;
}

/** Returns those of the given session row ids whose sessions have ended. */
export async function ended(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const where = { id: { in: padToPowerOfFour(ids) }, endedAt: { not: null } };
  return new Set((await db.session.findMany({ where, select: { id: true } })).map(({ id }) => id));
}

/**
 * Ends each session of a user in which there was no sign-in, re-authentication or use since `before`.
 * @returns the number of ended sessions.
 */
export async function endUnusedSince(db: Db, userId: number, before: Date, now: Date): Promise<number> {
  const earlier = { lt: before };
  const { count } = await db.session.updateMany({
    where: {
      userId,
      endedAt: null,
      createdAt: earlier,
      AND: [
        { OR: [{ provenAt: null }, { provenAt: earlier }] },
        { OR: [{ lastSeenAt: null }, { lastSeenAt: earlier }] },
      ],
    },
    data: { endedAt: now },
  });
  return count;
}

/**
 * Ends sessions of a user, except the session with the digest `not`.
 * @returns the number of ended sessions.
 */
export async function endOthers(
  db: Db,
  others: Readonly<{ userId: number; not: TokenDigest; id: number | undefined }>,
  now: Date,
): Promise<number> {
  const { userId, not, id } = others;
  const { count } = await db.session.updateMany({
    where: {
      userId,
      digest: { not },
      endedAt: null,
      expiresAt: { gt: now },
      ...(id === undefined ? {} : { id }),
    },
    data: { endedAt: now },
  });
  return count;
}

export type HeldFormRow = Readonly<{
  sessionDigest: TokenDigest;
  page: string;
  sealed: string;
  expiresAt: Date;
}>;

/**
 * Stores a submitted form and replaces the stored form of the same page. The function keeps at most `most`
 * forms per session.
 */
export async function putHeldForm(db: Db, row: HeldFormRow, most: number): Promise<void> {
  const { sessionDigest, page, sealed, expiresAt } = row;
  await db.heldForm.deleteMany({ where: { sessionDigest, page } });
  const older = await db.heldForm.findMany({
    where: { sessionDigest },
    orderBy: { id: "desc" },
    skip: most - 1,
    select: { id: true },
  });
  if (older.length > 0) await db.heldForm.deleteMany({ where: { id: { in: older.map(({ id }) => id) } } });
  await db.heldForm.upsert({
    where: { sessionDigest_page: { sessionDigest, page } },
    create: row,
    update: { sealed, expiresAt },
    select: { id: true },
  });
}

/**
 * Deletes the form that is stored for a page.
 * @returns true for exactly one of several concurrent callers, if the form existed.
 */
export async function removeHeldForm(db: Db, sessionDigest: TokenDigest, page: string): Promise<boolean> {
  return (await db.heldForm.deleteMany({ where: { sessionDigest, page } })).count === 1;
}

/** Returns the rows of stored forms with an encrypted value, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.heldForm.findMany({
    where: { id: { gt: afterId } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealed: true, sessionDigest: true, page: true },
  });
  return rows.map(({ id, sealed, sessionDigest, page }) => ({
    id,
    sealed,
    subject: `${sessionDigest} ${page}`,
  }));
}

/** Replaces the encrypted value of a stored form, unless another process has changed the value. */
export async function replaceSealed(db: Db, id: number, sealed: string, next: string): Promise<void> {
  await db.heldForm.updateMany({ where: { id, sealed }, data: { sealed: next } });
}
