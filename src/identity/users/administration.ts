import type { User } from "@/access/principal";
import type { AuditEvents } from "@/instance/audit/catalog";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Cursor, Slice } from "@/kernel/paging/keyset";
import { lastSignIns } from "../sessions/last-sign-in";
import { endSessionsOf } from "../sessions/service";
import { announceAccessEnded } from "./access-ended";
import { type Created, create, type NewUser } from "./service";
import * as store from "./store";

export const USERS_PER_PAGE = 20;

/** A person in the administrators' list; `lastSignIn` is null when no session of theirs is stored any more. */
export type ListedUser = store.ListedUser & Readonly<{ lastSignIn: Date | null }>;

/** One page of people, the latest first. Two queries, however many people there are. */
export async function listUsersForAdministrators(
  deps: Deps,
  search: string,
  cursor: Cursor<number>,
): Promise<Slice<ListedUser>> {
  const slice = await store.listAll(deps.db, { search, cursor, most: USERS_PER_PAGE });
  const signIns = await lastSignIns(
    deps,
    slice.rows.map(({ id }) => id),
  );
  return { ...slice, rows: slice.rows.map((row) => ({ ...row, lastSignIn: signIns.get(row.id) ?? null })) };
}

export type PendingEmailOf = Awaited<ReturnType<typeof store.listPendingEmails>>[number];

/** The first users whose new e-mail address waits for confirmation, the longest first. */
export const listPendingEmails = (deps: Deps): Promise<readonly PendingEmailOf[]> =>
  store.listPendingEmails(deps.db, USERS_PER_PAGE);

/** The person with this id, or null. */
export async function findUser(deps: Deps, id: number): Promise<ListedUser | null> {
  const row = await store.findListed(deps.db, id);
  return row && { ...row, lastSignIn: (await lastSignIns(deps, [id])).get(id) ?? null };
}

/** The usernames of these people, by id. */
export const usernamesOf = (deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  store.usernames(deps.db, ids);

/**
 * Makes a person, as an administrator.
 * @param person.password blank: a password is made, and given back once.
 */
export async function createUserAsAdministrator(
  deps: Deps,
  by: User,
  user: NewUser,
): Promise<Created | { readonly user: User; readonly password: string }> {
  const generated = user.password === "" ? Buffer.from(deps.randomBytes(18)).toString("base64url") : null;
  const created = await create(deps, { ...user, password: generated ?? user.password }, by);
  return "user" in created && generated !== null ? { ...created, password: generated } : created;
}

/** Why an administrator may not do that to a person. */
export type UserRefusal = "unknown" | "self" | "not_administrator";

/** A person whom an administrator changes; the transaction is that of `deps`. */
export type UserChange = Readonly<{ deps: Deps; by: User; target: User }>;

/** Blocks a user: their sessions end, their grants and tokens are revoked, and nothing lets them sign in. Null: done. */
export const blockUserAsAdministrator = (deps: Deps, by: User, id: number): Promise<UserRefusal | null> =>
  change(deps, { by, id, demotes: true }, async ({ target, ...rest }) => {
    if (!(await store.setState(rest.deps.db, target.id, "blocked"))) return;
    await endSessionsOf(rest.deps, target);
    await announceAccessEnded(rest.deps, { userId: target.id, because: "blocked", actorId: by.id });
    await recordChange({ ...rest, target }, "user.blocked", {});
  });

/** Lets a user sign in again. Sessions, grants and tokens stay revoked. Null: done. */
export const unblockUserAsAdministrator = (deps: Deps, by: User, id: number): Promise<UserRefusal | null> =>
  change(deps, { by, id, demotes: false }, async (context) => {
    if (!(await store.setState(context.deps.db, context.target.id, "active"))) return;
    // Blocking revokes access. Users who were blocked by an earlier version still have theirs.
    await endSessionsOf(context.deps, context.target);
    await announceAccessEnded(context.deps, {
      userId: context.target.id,
      because: "blocked",
      actorId: by.id,
    });
    await recordChange(context, "user.unblocked", {});
  });

/** Makes a person an administrator, or takes that away. Null: done. */
export const setAdministrator = (
  deps: Deps,
  by: User,
  id: number,
  admin: boolean,
): Promise<UserRefusal | null> =>
  change(deps, { by, id, demotes: !admin }, async (context) => {
    if (await store.setAdmin(context.deps.db, context.target.id, admin))
      await recordChange(context, "user.admin_changed", { admin });
  });

/**
 * Runs a change while nobody else can change who is an administrator; it is recorded exactly if it holds. Whoever
 * makes it is one then and stays one, so that the last administrator is never lost.
 */
export async function change(
  deps: Deps,
  request: Readonly<{ by: User; id: number; demotes: boolean }>,
  run: (context: UserChange) => Promise<void>,
): Promise<UserRefusal | null> {
  const { by, id, demotes } = request;
  if (demotes && by.id === id) return "self";
  return deps.transaction(async (within) => {
    const administrators = await store.lockAdministrators(within.db);
    // Somebody may have blocked or demoted the administrator since the request began.
    if (!administrators.includes(by.id)) return "not_administrator";
    const target = await store.findListed(within.db, id);
    if (target === null) return "unknown";
    await run({ deps: within, by, target });
    return null;
  });
}

export const recordChange = <
  Name extends "user.blocked" | "user.unblocked" | "user.admin_changed" | "user.changed",
>(
  { deps, by, target }: UserChange,
  name: Name,
  details: AuditEvents[Name],
): Promise<void> => audit.record(deps, name, details, { userId: target.id, actorId: by.id });
