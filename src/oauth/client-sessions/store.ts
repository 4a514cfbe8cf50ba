import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { ClientSession } from "@/kernel/db/generated/sqlite/client";

export type StoredClientSession = ClientSession;

type SignIn = Pick<ClientSession, "sid" | "applicationId" | "sessionId" | "userId" | "createdAt" | "endsAt">;

/**
 * Stores that the user of a session has signed in to an application, unless this sign-in is already stored.
 * @returns the `sid` of the stored row.
 */
export async function put(db: Db, signIn: SignIn): Promise<string> {
  const { sessionId, applicationId, userId } = signIn;
  const row = await db.clientSession.upsert({
    where: { sessionId_applicationId: { sessionId, applicationId } },
    create: { ...signIn, state: "live" },
    update: { userId },
    select: { sid: true },
  });
  return row.sid;
}

/** Returns the sign-ins of a user to applications, in sessions that have neither ended nor expired. */
export const listLive = (
  db: Db,
  userId: number,
  now: Date,
): Promise<readonly Pick<ClientSession, "id" | "sid" | "sessionId">[]> =>
  db.clientSession.findMany({
    where: { userId, state: "live", endsAt: { gt: now } },
    select: { id: true, sid: true, sessionId: true },
  });

/** Queues a logout message for each of the ended sign-ins with these ids. */
export async function enqueue(db: Db, ids: readonly number[], now: Date): Promise<void> {
  await db.clientSession.updateMany({
    where: { id: { in: padToPowerOfFour(ids) }, state: "live" },
    data: { state: "waiting", endsAt: now, nextAttemptAt: now },
  });
}

/**
 * Returns the logout messages that are due. The logout message that has been due for the longest time is
 * first.
 */
export const listDue = (
  db: Db,
  now: Date,
  exceptApplications: readonly number[],
  most: number,
): Promise<readonly StoredClientSession[]> =>
  db.clientSession.findMany({
    where: {
      state: "waiting",
      nextAttemptAt: { lte: now },
      ...(exceptApplications.length === 0 ? {} : { applicationId: { notIn: [...exceptApplications] } }),
    },
    orderBy: [{ nextAttemptAt: "asc" }, { id: "asc" }],
    take: most,
  });

/** Returns the number of logout messages that wait to be sent. */
export const countWaiting = (db: Db): Promise<number> =>
  db.clientSession.count({ where: { state: "waiting" } });

/**
 * Reserves one attempt to send a logout message, so that only the caller makes the attempt.
 * @param until the time until which no other process tries to send the logout message.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claim(
  db: Db,
  { id, nextAttemptAt }: Pick<ClientSession, "id" | "nextAttemptAt">,
  until: Date,
): Promise<boolean> {
  const { count } = await db.clientSession.updateMany({
    where: { id, state: "waiting", nextAttemptAt },
    data: { nextAttemptAt: until, attempts: { increment: 1 } },
  });
  return count === 1;
}

/** The result of an attempt to send a logout message. */
export type Attempt = Readonly<{ responseStatus: number | null; lastError: string | null }>;

export async function finish(
  db: Db,
  id: number,
  state: "delivered" | "failed",
  finishedAt: Date,
  attempt: Attempt,
): Promise<void> {
  await db.clientSession.updateMany({ where: { id }, data: { state, finishedAt, ...attempt } });
}

export async function retryAt(db: Db, id: number, nextAttemptAt: Date, attempt: Attempt): Promise<void> {
  await db.clientSession.updateMany({ where: { id }, data: { nextAttemptAt, ...attempt } });
}

/**
 * Returns the logout messages to an application, newest first. The result contains only logout messages that
 * the server has tried to send at least once.
 */
export const listTried = (
  db: Db,
  applicationId: number,
  most: number,
): Promise<readonly StoredClientSession[]> =>
  db.clientSession.findMany({
    where: { applicationId, state: { not: "live" }, attempts: { gt: 0 } },
    orderBy: { id: "desc" },
    take: most,
  });

/** Deletes the sign-ins to an application, and their logout messages. */
export async function removeOf(db: Db, applicationId: number): Promise<void> {
  await db.clientSession.deleteMany({ where: { applicationId } });
}
