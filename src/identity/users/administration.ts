import { isBot, type User } from "@/access/principal";
import type { AuditEvents } from "@/instance/audit/catalog";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { KeysetPage, KeysetPaging } from "@/kernel/paging/paging";
import { enforcedProvider } from "../providers/service";
import { lastSignIns } from "../sessions/last-sign-in";
import { endSessionsOf } from "../sessions/service";
import { announceAccessEnded } from "./access-ended";
import * as deletions from "./deletion-store";
import * as listStore from "./list-store";
import { type Created, create, type NewUser } from "./service";
import * as store from "./store";
import * as sql from "./store.sql";

/** The maximum number of users in a list of users who wait for an action of an administrator. */
export const WAITING_MAX = 20;

/**
 * The fields of a user in the administrators' list of users. `lastSignIn` is null when no session of the user
 * is stored.
 */
export type ListedUser = listStore.ListedUser & Readonly<{ lastSignIn: Date | null }>;

/** Returns a page of users, newest first. The function runs two queries, or three with a search. */
export async function listUsersForAdministrators(
  deps: Deps,
  search: string,
  paging: KeysetPaging,
): Promise<KeysetPage<ListedUser>> {
  const page = await listStore.listAll(deps, search, paging);
  const signIns = await lastSignIns(
    deps,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => ({ ...row, lastSignIn: signIns.get(row.id) ?? null })) };
}

/** Returns at most `most` users whose username or e-mail address begins with a text, for administrators. */
export const findUsersByPrefix = (
  deps: Deps,
  prefix: string,
  most: number,
): Promise<readonly Pick<User, "id" | "username" | "name">[]> =>
  listStore.findByPrefix(deps.db, prefix, most);

/** Returns the first users whose new e-mail address waits for confirmation, oldest request first. */
export const listPendingEmails = async (deps: Deps): Promise<readonly sql.UsernameRow[]> =>
  sql.listPendingEmails(deps.reads, WAITING_MAX);

/** Returns the user with this id, or null. */
export async function findUser(deps: Deps, id: number): Promise<ListedUser | null> {
  const row = await listStore.findListed(deps.reads, id);
  return row && { ...row, lastSignIn: (await lastSignIns(deps, [id])).get(id) ?? null };
}

/** Returns the usernames of these users, by id. */
export const usernamesOf = (deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  store.usernames(deps.reads, ids);

/**
 * Creates a user, as an administrator. The function refuses a user whose e-mail address belongs to an
 * enforced domain, because the password of this user would never be accepted. The function does not refuse a
 * new administrator, who can always sign in with a password.
 * @param user.password the password; if it is empty, a password is generated and returned.
 */
export async function createUserAsAdministrator(
  deps: Deps,
  by: User,
  user: NewUser,
): Promise<Created | { readonly user: User; readonly password: string }> {
  const provider = user.admin === true ? null : await enforcedProvider(deps, user.email);
  if (provider !== null) return { problems: { email: enforcedText(provider.label) } };
  const generated = user.password === "" ? Buffer.from(deps.randomBytes(18)).toString("base64url") : null;
  const created = await create(deps, { ...user, password: generated ?? user.password }, by);
  return "user" in created && generated !== null ? { ...created, password: generated } : created;
}

const enforcedText = (label: string): string =>
  `belongs to a domain whose users sign in with ${label}. Invite the user by e-mail instead, or let the user sign in with ${label}`;

/** The reason why an administrator cannot change a user. */
export type UserRefusal = "unknown" | "self" | "not_administrator" | "last_administrator" | "bot";

/**
 * The context in which an administrator changes a user. The change runs in the transaction of `deps`. `by` is
 * null for the command line.
 */
export type UserChange = Readonly<{ deps: Deps; by: User | null; target: listStore.ListedUser }>;

/**
 * Blocks a user: ends their sessions, revokes their grants and tokens, and refuses sign-in.
 * @returns null on success.
 */
export const blockUserAsAdministrator = (deps: Deps, by: User, id: number): Promise<UserRefusal | null> =>
  change(deps, { by, id, demotes: true, bots: true }, async ({ target, ...rest }) => {
    if (target.state === "blocked") return null;
    await store.setState(rest.deps.db, target.id, "blocked");
    await endSessionsOf(rest.deps, target);
    await announceAccessEnded(rest.deps, { userId: target.id, because: "blocked", actorId: by.id });
    await recordChange({ ...rest, target }, "user.blocked", {});
    return null;
  });

/**
 * Unblocks a user. Unblocking does not restore sessions, grants and tokens that were revoked. Like GitLab,
 * the function refuses deactivated users. The function also refuses users whose deletion has begun.
 * @returns null on success.
 */
export const unblockUserAsAdministrator = (
  deps: Deps,
  by: User,
  id: number,
): Promise<UserRefusal | "deactivated" | "deleting" | null> =>
  change(deps, { by, id, demotes: false, bots: true }, async (context) => {
    if (context.target.state === "deactivated") return "deactivated";
    if (context.target.state === "active") return null;
    if (!(await store.setState(context.deps.db, context.target.id, "active"))) return "deleting";
    // The user may have requested the deletion of the account before the administrator blocked the user.
    await deletions.cancel(context.deps.db, context.target.id);
    // Earlier versions did not revoke grants and tokens when a user was blocked, so unblocking revokes them.
    await endSessionsOf(context.deps, context.target);
    await announceAccessEnded(context.deps, {
      userId: context.target.id,
      because: "blocked",
      actorId: by.id,
    });
    await recordChange(context, "user.unblocked", {});
    return null;
  });

/**
 * Grants or revokes administrator rights.
 * @returns null on success.
 */
export const setAdministrator = (
  deps: Deps,
  by: User,
  id: number,
  admin: boolean,
): Promise<UserRefusal | null> =>
  change(deps, { by, id, demotes: !admin }, async (context) => {
    if (await store.setAdmin(context.deps.db, context.target.id, admin))
      await recordChange(context, "user.admin_changed", { admin });
    return null;
  });

/**
 * Changes a user in a transaction that locks all administrators. The user who requests the change
 * must still be an administrator, and cannot block or demote their own account. The command line cannot block
 * or demote the last administrator. At least one administrator therefore always remains. A bot can only be
 * blocked and unblocked.
 * @param request.by the administrator; null for the command line.
 * @param request.bots whether the change is possible for bots.
 * @param run returns null, or the reason why the state of the user does not allow the change.
 */
export async function change<Refused extends string | null>(
  deps: Deps,
  request: Readonly<{ by: User | null; id: number; demotes: boolean; bots?: true }>,
  run: (context: UserChange) => Promise<Refused>,
): Promise<UserRefusal | Refused> {
  const { by, id, demotes } = request;
  if (demotes && by?.id === id) return "self";
  return deps.transaction(async (within) => {
    const administrators = await store.lockAdministrators(within.db);
    // Another administrator may have blocked or demoted the caller after the request began.
    if (by !== null && !administrators.includes(by.id)) return "not_administrator";
    if (demotes && administrators.length === 1 && administrators[0] === id) return "last_administrator";
    const target = await listStore.findListed(within.reads, id);
    if (target === null) return "unknown";
    if (isBot(target) && request.bots !== true) return "bot";
    return run({ deps: within, by, target });
  });
}

export const recordChange = <
  Name extends
    | "user.blocked"
    | "user.unblocked"
    | "user.deactivated"
    | "user.activated"
    | "user.approved"
    | "user.admin_changed"
    | "user.changed",
>(
  { deps, by, target }: UserChange,
  name: Name,
  details: AuditEvents[Name],
): Promise<void> => audit.record(deps, name, details, { userId: target.id, actorId: by?.id ?? null });
