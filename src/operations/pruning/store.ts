import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";

/**
 * The SQL statements that remove expired or ended data of all modules. Each statement is short and uses an
 * index. The parameter `most` limits the number of rows that each statement removes.
 */

/**
 * An authorization code is valid for a few minutes at most, so a used authorization code expires soon after
 * its use.
 */
export const deleteCodes = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.authorizationCode.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteDeviceCodes = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.deviceAuthorization.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteRateCounters = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.rateCounter.deleteMany({ where: { endsAt: { lt: before } }, limit: most })).count;

export const deleteUsedSealedTokens = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.spentProof.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteUsedJwts = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.usedJwt.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

/**
 * Deletes expired pushed authorization requests.
 * @param before the cutoff for requests that a browser has opened.
 * @param unopenedBefore the later cutoff for requests that no browser has opened.
 */
export const deletePushedRequests = async (
  db: Db,
  before: Date,
  unopenedBefore: Date,
  most: number,
): Promise<number> => {
  const unopened = { openedAt: null, usedAt: null };
  const where = { expiresAt: { lt: unopenedBefore }, OR: [{ expiresAt: { lt: before } }, unopened] };
  return (await db.pushedRequest.deleteMany({ where, limit: most })).count;
};

export const deleteHeldForms = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.heldForm.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteProviderSignIns = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.providerSignIn.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteMails = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.mailMessage.deleteMany({ where: { createdAt: { lt: before } }, limit: most })).count;

export const deleteWebhookDeliveries = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.webhookDelivery.deleteMany({ where: { createdAt: { lt: before } }, limit: most })).count;

export const deleteClientSessions = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.clientSession.deleteMany({ where: { endsAt: { lt: before } }, limit: most })).count;

export const deleteFailedExchanges = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.failedExchange.deleteMany({ where: { at: { lt: before } }, limit: most })).count;

export const deleteExpiredSessions = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.session.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteEndedSessions = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.session.deleteMany({ where: { endedAt: { lt: before } }, limit: most })).count;

export const deleteExpiredPersonalTokens = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.personalAccessToken.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteRevokedPersonalTokens = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.personalAccessToken.deleteMany({ where: { revokedAt: { lt: before } }, limit: most })).count;

/**
 * Deletes the memberships of at most `most` bots. All tokens of these bots, or the creator of these bots,
 * were deleted, so these bots can never send requests again.
 */
export async function deleteBotMemberships(db: Db, most: number): Promise<number> {
  const bots = await db.user.findMany({
    where: {
      kind: "access_token_bot",
      AND: [
        { OR: [{ personalTokens: { none: {} } }, { accessTokenBot: { is: null } }] },
        { OR: [{ projectRoles: { some: {} } }, { groupRoles: { some: {} } }] },
      ],
    },
    select: { id: true },
    take: most,
  });
  const where = { userId: { in: bots.map(({ id }) => id) } };
  await db.projectMember.deleteMany({ where });
  await db.groupMember.deleteMany({ where });
  return bots.length;
}

export type OldErrorEvent = Readonly<{ errorId: number; slot: number; projectId: number }>;

export async function oldErrorEvents(db: Db, before: Date, most: number): Promise<readonly OldErrorEvent[]> {
  const rows = await db.errorEvent.findMany({
    where: { receivedAt: { lt: before } },
    take: most,
    select: { errorId: true, slot: true, error: { select: { projectId: true } } },
  });
  return rows.map(({ errorId, slot, error: { projectId } }) => ({ errorId, slot, projectId }));
}

/**
 * Deletes the given events of tracked errors, and subtracts the bytes of the deleted events from the stored bytes of
 * their projects. An event is not deleted if a newer event was written to its slot of the ring buffer after the query,
 * or if another process has already deleted the event. Callers must be inside a transaction.
 */
export async function deleteErrorEvents(
  db: Db,
  before: Date,
  events: readonly OldErrorEvent[],
): Promise<void> {
  const slots = Prisma.join(
    events.map(({ errorId, slot }) => Prisma.sql`(CAST(${errorId} AS INTEGER), CAST(${slot} AS INTEGER))`),
  );
  const deleted = await db.$queryRaw<Readonly<{ errorId: number; bytes: number | bigint }>[]>`
    DELETE FROM "ErrorEvent" WHERE ("errorId", "slot") IN (VALUES ${slots}) AND "receivedAt" < ${before}
    RETURNING "errorId", CAST(octet_length("payload") AS INTEGER) AS "bytes"`;
  const projects = new Map(events.map(({ errorId, projectId }) => [errorId, projectId]));
  const byProject = new Map<number, number>();
  for (const { errorId, bytes } of deleted) {
    const projectId = projects.get(errorId) ?? 0;
    byProject.set(projectId, (byProject.get(projectId) ?? 0) + Number(bytes));
  }
  for (const [projectId, decrement] of [...byProject].sort(([a], [b]) => a - b))
    await db.errorTrackingSetting.updateMany({
      where: { projectId },
      data: { storedBytes: { decrement } },
    });
}

export const deleteErrorHours = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.errorHour.deleteMany({ where: { hour: { lt: before } }, limit: most })).count;

export const deleteHourlyCounts = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.hourlyCount.deleteMany({ where: { hour: { lt: before } }, limit: most })).count;

export const deleteErrorCounts = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.errorIngest.deleteMany({ where: { hour: { lt: before } }, limit: most })).count;

/**
 * Deletes old tracked errors. If a tracked error occurs again between the two statements, it is not deleted,
 * because the second statement repeats the condition on `lastSeenAt`.
 */
export async function deleteErrors(db: Db, before: Date, most: number): Promise<number> {
  const old = { lastSeenAt: { lt: before } };
  const errors = await db.trackedError.findMany({ where: old, take: most, select: { id: true } });
  if (errors.length === 0) return 0;
  const ids = padded(
    errors.map(({ id }) => id),
    most,
  );
  await db.trackedError.deleteMany({ where: { ...old, id: { in: ids } } });
  return errors.length;
}

export type DeadToken = Readonly<{ id: number; familyId: number }>;

const columns = { id: true, familyId: true } as const;

export const revokedTokens = (db: Db, before: Date, most: number): Promise<readonly DeadToken[]> =>
  db.oauthToken.findMany({
    where: { revokedAt: { lt: before } },
    orderBy: { revokedAt: "asc" },
    take: most,
    select: columns,
  });

/**
 * Returns tokens whose access token and refresh token are both unusable. An expired access token alone is not
 * sufficient, because its refresh token may still be valid.
 */
export const expiredTokens = (db: Db, before: Date, most: number): Promise<readonly DeadToken[]> =>
  db.oauthToken.findMany({
    where: { endsAt: { lt: before } },
    orderBy: { endsAt: "asc" },
    take: most,
    select: columns,
  });

export async function deleteTokens(db: Db, ids: readonly number[], most: number): Promise<number> {
  return (await db.oauthToken.deleteMany({ where: { id: { in: padded(ids, most) } } })).count;
}

/** Returns those of the given token families that still have a token. */
export async function familiesWithTokens(
  db: Db,
  ids: readonly number[],
  most: number,
): Promise<ReadonlySet<number>> {
  const rows = await db.oauthToken.groupBy({
    by: ["familyId"],
    where: { familyId: { in: padded(ids, most) } },
  });
  return new Set(rows.map(({ familyId }) => familyId));
}

export async function deleteFamilies(db: Db, ids: readonly number[], most: number): Promise<number> {
  if (ids.length === 0) return 0;
  return (await db.tokenFamily.deleteMany({ where: { id: { in: padded(ids, most) } } })).count;
}

/**
 * Pads a list of ids to a fixed length. Without the padding, the database would prepare a separate statement
 * for each length.
 */
const padded = (ids: readonly number[], length: number): number[] => [
  ...ids,
  ...new Array<number>(Math.max(0, length - ids.length)).fill(ids[0] ?? 0),
];
