import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { RECORDED_EVERY_MS } from "@/instance/last-use/rules";
import { writeLastUses } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Cursor, Slice } from "@/kernel/paging/keyset";
import type { Session } from "./service";
import * as store from "./store";

/** A browser that a person is signed in with. */
export type OwnSession = Readonly<{
  id: number;
  /** Whether it is the one that asks. */
  current: boolean;
  /** Where it signed in from; empty when nobody knows. */
  address: string;
  userAgent: string;
  createdAt: Date;
  /** Null: not since it signed in. */
  lastSeenAt: Date | null;
}>;

/** Where the person of this session is signed in, page by page, the newest first. */
export async function ownSessions(
  deps: Deps,
  session: Session,
  cursor: Cursor<number>,
  most: number,
): Promise<Slice<OwnSession>> {
  await writeLastUses(deps);
  await endIdle(deps, session.user);
  const slice = await store.liveSessions(
    deps.db,
    { userId: session.user.id, now: deps.clock() },
    cursor,
    most,
  );
  const current = digest(session.id);
  return {
    ...slice,
    rows: slice.rows.map(({ digest, ...row }) => ({ ...row, current: digest === current })),
  };
}

/** Ends the sessions of an administrator that were unused for too long: the next use of each would do the same. */
async function endIdle(deps: Deps, user: User): Promise<void> {
  const seconds = user.admin ? (await readSettings(deps)).admin_session_idle_limit : 0;
  if (seconds === 0) return;
  const before = new Date(deps.clock().getTime() - seconds * 1000 - RECORDED_EVERY_MS);
  await store.endUnusedSince(deps.db, user.id, before, deps.clock());
}

/**
 * Ends another session of the same person.
 * @param id as it is listed, not the opaque id.
 * @returns false when there is no such session of theirs that is live, or it is this one.
 */
export const endOwnSession = (deps: Deps, session: Session, id: number): Promise<boolean> =>
  deps.transaction((within) => endOthers(within, session, id));

/** Ends every session of the person but this one. @returns whether there was another. */
export const endOtherSessions = (deps: Deps, session: Session): Promise<boolean> =>
  deps.transaction((within) => endOthers(within, session));

/** The same inside a transaction. @param id of the one to end; absent: all. */
export async function endOthers(deps: Deps, session: Session, id?: number): Promise<boolean> {
  const userId = session.user.id;
  const count = await store.endOthers(deps.db, { userId, not: digest(session.id), id }, deps.clock());
  if (count > 0) await audit.record(deps, "session.ended", { count }, { userId });
  return count > 0;
}
