import { endedSessions } from "@/identity/sessions/sessions-ended";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

export type { Attempt, StoredClientSession } from "./store";

/** The number of random bytes of a `sid`. */
const SID_BYTES = 16;

/**
 * Records that the user of a session signs in to an application. Callers must be inside the transaction that
 * locked the session.
 * @returns the `sid` of the session for this application (OpenID Connect Back-Channel Logout §2.1). The `sid`
 * does not change when the user signs in to the application again in the same session.
 */
export async function recordClientSession(
  deps: Deps,
  session: Readonly<{ id: number; expiresAt: Date }>,
  { applicationId, userId }: Readonly<{ applicationId: number; userId: number }>,
): Promise<string> {
  return store.put(deps.db, {
    sid: Buffer.from(deps.randomBytes(SID_BYTES)).toString("base64url"),
    sessionId: session.id,
    createdAt: deps.clock(),
    endsAt: session.expiresAt,
    ...{ applicationId, userId },
  });
}

/**
 * Queues logout messages to the applications to which a user had signed in during the ended sessions. Callers
 * must be inside the transaction that ends the sessions.
 * @returns the `sid` of each sign-in to an application in the ended sessions.
 */
export async function enqueueEnded(deps: Deps, userId: number): Promise<readonly string[]> {
  const now = deps.clock();
  const live = await store.listLive(deps.db, userId, now);
  if (live.length === 0) return [];
  const ended = await endedSessions(deps, [...new Set(live.map(({ sessionId }) => sessionId))]);
  const rows = live.filter(({ sessionId }) => ended.has(sessionId));
  if (rows.length > 0)
    await store.enqueue(
      deps.db,
      rows.map(({ id }) => id),
      now,
    );
  return rows.map(({ sid }) => sid);
}

/** Deletes the sign-ins to an application, and their logout messages. */
export const removeClientSessions = (deps: Pick<Deps, "db">, applicationId: number): Promise<void> =>
  store.removeOf(deps.db, applicationId);

/**
 * Returns the last logout messages to an application, newest first. The result contains only logout messages
 * that the server has tried to send at least once.
 */
export const listTried = (
  deps: Pick<Deps, "db">,
  applicationId: number,
  most: number,
): Promise<readonly store.StoredClientSession[]> => store.listTried(deps.db, applicationId, most);

/** The functions that the delivery job uses to send the logout messages. */
/** Returns the number of logout messages that wait to be sent. */
export const countWaitingLogouts = ({ db }: Pick<Deps, "db">): Promise<number> => store.countWaiting(db);

export const { listDue, claim, finish, retryAt } = store;
