import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * The functions that are called when sessions of a user end. Each of the functions is called inside the
     * transaction that ends the sessions.
     */
    sessionsEnded: readonly ((deps: Deps, userId: number) => Promise<void>)[];
  }
}

/**
 * Emits the event that sessions of a user have ended. The caller must be inside the transaction that ends the
 * sessions.
 */
export async function announceSessionsEnded(deps: Deps, userId: number): Promise<void> {
  for (const listener of deps.hooks.sessionsEnded) await listener(deps, userId);
}

/**
 * Locks a session until the transaction ends, so that the session cannot end during the transaction.
 * @param sessionId the opaque id that the session cookie contains.
 * @returns the id of the row and the expiry of the session; null if the session has ended.
 */
export const lockLiveSession = (
  deps: Deps,
  sessionId: string,
): Promise<Readonly<{ id: number; expiresAt: Date }> | null> => store.lockLive(deps.db, digest(sessionId));

/** Thrown when the session of a request ends during the request. */
export class SessionEnded extends Error {}

/**
 * Locks the session of a request until the transaction ends, like `lockLiveSession`. A request that creates
 * access to the account of the user locks its session before it stores anything. The events that revoke all
 * access to an account end the sessions first. Either they also revoke the new access, or the request is
 * refused. An exception is a change of the password, which does not end the session in which the user makes the
 * change.
 * @throws SessionEnded if the session has ended.
 */
export async function requireLiveSession(
  deps: Deps,
  sessionId: string,
): Promise<Readonly<{ id: number; expiresAt: Date }>> {
  const session = await lockLiveSession(deps, sessionId);
  if (session === null) throw new SessionEnded();
  return session;
}

/** Returns those of the given session row ids whose sessions were ended before they expired. */
export const endedSessions = (deps: Deps, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  store.ended(deps.db, ids);
