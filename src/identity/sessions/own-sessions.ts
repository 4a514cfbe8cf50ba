import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { RECORDED_EVERY_MS } from "@/instance/last-use/rules";
import { writeLastUses } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { keysetRows } from "@/kernel/paging/list-statements";
import { firstPage, type KeysetPage, type KeysetPaging, keysetPageFrom } from "@/kernel/paging/paging";
import type { Session } from "./service";
import { announceSessionsEnded } from "./sessions-ended";
import * as store from "./store";
import { hasUnusedSince, LIVE_SESSIONS } from "./store.sql";

/** A browser in which the user is signed in. */
export type OwnSession = Readonly<{
  id: number;
  /** Whether the session is the session of the current request. */
  current: boolean;
  /** The IP address of the sign-in; empty when unknown. */
  address: string;
  userAgent: string;
  createdAt: Date;
  /** The time of the last use; null for a session that was not used after the sign-in. */
  lastSeenAt: Date | null;
}>;

/** Returns a page of the active sessions that belong to the user of this session, newest first. */
export async function ownSessions(
  deps: Deps,
  session: Session,
  paging: KeysetPaging,
): Promise<KeysetPage<OwnSession>> {
  await writeLastUses(deps);
  await endIdle(deps, session.user);
  const page = await liveSessions(deps, session.user, paging);
  const current = digest(session.id);
  return {
    ...page,
    rows: page.rows.map(({ digest, ...row }) => ({ ...row, current: digest === current })),
  };
}

/** The fields of a user's session that administrators see. */
export type SessionOfUser = Omit<OwnSession, "current">;

/** Returns the newest active sessions of all users, for administrators. */
export async function sessionsOfUser(
  deps: Deps,
  user: User,
  most: number,
): Promise<KeysetPage<SessionOfUser>> {
  await writeLastUses(deps);
  await endIdle(deps, user);
  const newest = firstPage(most, { descending: true });
  const page = await liveSessions(deps, user, newest);
  return { ...page, rows: page.rows.map(({ digest: _, ...row }) => row) };
}

const liveSessions = async (deps: Deps, { id: userId }: User, paging: KeysetPaging) =>
  keysetPageFrom(
    paging,
    await keysetRows(deps.reads, LIVE_SESSIONS, paging, (window) => ({
      userId,
      now: deps.clock(),
      ...window,
    })),
  );

/**
 * Ends those sessions of an administrator that exceed the idle limit. Without this function, a session that
 * exceeds the idle limit would end only when the session is used again.
 */
async function endIdle(deps: Deps, user: User): Promise<void> {
  const seconds = user.admin ? (await readSettings(deps)).admin_session_idle_limit : 0;
  if (seconds === 0) return;
  const before = new Date(deps.clock().getTime() - seconds * 1000 - RECORDED_EVERY_MS);
  if (!(await hasUnusedSince(deps.reads, user.id, before))) return;
  await deps.transaction(async (within) => {
    const count = await store.endUnusedSince(within.db, user.id, before, within.clock());
    if (count > 0) await announceSessionsEnded(within, user.id);
  });
}

/**
 * Ends another session of the user to whom this session belongs.
 * @param id the id of the session row, not the opaque session id.
 * @returns false when the user has no active session with this id, or when this id is the id of the current
 * session.
 */
export const endOwnSession = (deps: Deps, session: Session, id: number): Promise<boolean> =>
  deps.transaction((within) => endOthers(within, session, id));

/**
 * Ends every other session of the user.
 * @returns whether the user had another session.
 */
export const endOtherSessions = (deps: Deps, session: Session): Promise<boolean> =>
  deps.transaction((within) => endOthers(within, session));

/**
 * Ends other sessions inside a transaction.
 * @param id the session to end; if absent, all other sessions end.
 */
export async function endOthers(deps: Deps, session: Session, id?: number): Promise<boolean> {
  const userId = session.user.id;
  const count = await store.endOthers(deps.db, { userId, not: digest(session.id), id }, deps.clock());
  if (count === 0) return false;
  await announceSessionsEnded(deps, userId);
  await audit.record(deps, "session.ended", { count }, { userId });
  return true;
}
