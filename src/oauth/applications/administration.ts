import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Db } from "@/kernel/db/db";
import type { Deps } from "@/kernel/deps/deps";
import type { KeysetPage, KeysetPaging } from "@/kernel/paging/paging";
import * as listStore from "./list-store";
import { ownerPathOf } from "./owner";
import * as ownerStore from "./owner-store";
import { isPlainHttp } from "./redirect-uri";
import type { DependentApplications, ListedApplication } from "./rules";
import * as searchStore from "./search-store";
import * as store from "./store";

/** Returns a page of the applications of the instance, newest first, in one query, or in two queries with a search. */
export const listAllApplications = (
  deps: Deps,
  search: string,
  paging: KeysetPaging,
): Promise<KeysetPage<ListedApplication>> => listStore.listAll(deps, search, paging);

/**
 * Returns at most `most` applications that a user may open. The user's own applications match if their name
 * contains the search text. For an administrator, applications of other users match if their name or
 * Application ID begins with the search text.
 */
export async function findMatchingApplications(
  { db }: Pick<Deps, "db">,
  user: User,
  search: string,
  most: number,
): Promise<readonly (searchStore.FoundApplication & Readonly<{ own: boolean }>)[]> {
  const [own, all] = await Promise.all([
    searchStore.findOwnMatching(db, user.id, search, most),
    user.admin ? searchStore.findByPrefix(db, search, most) : [],
  ]);
  const ownIds = new Set(own.map(({ id }) => id));
  return [
    ...own.map((row) => ({ ...row, own: true })),
    ...all.filter(({ id }) => !ownIds.has(id)).map((row) => ({ ...row, own: false })),
  ].slice(0, most);
}

/** Returns an application of any user; null for an unknown id. */
export const findApplication = (deps: Deps, id: number): Promise<ListedApplication | null> =>
  listStore.findListed(deps.reads, id);

/** Returns the names of the applications with these ids. The result does not contain deleted applications. */
export const namesOf = (deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  store.names(deps.reads, ids);

/** Returns the applications with these Application IDs. The result does not contain deleted applications. */
export const applicationsByUid = (deps: Deps, uids: readonly string[]) => store.byUids(deps.reads, uids);

/** Returns at most two ids of applications with exactly this name. Names are not unique. */
export const idsNamed = (deps: Deps, name: string): Promise<readonly number[]> =>
  store.idsNamed(deps.db, name);

const DEPENDENT_SHOWN = 10;

/**
 * Returns the applications that stop working when this user is blocked. Applications of administrators keep
 * working.
 */
export const applicationsDependentOn = async (
  deps: Deps,
  owner: Readonly<{ id: number; admin: boolean }>,
): Promise<DependentApplications> =>
  owner.admin ? { count: 0, shown: [] } : ownerStore.dependentOn(deps.db, owner.id, DEPENDENT_SHOWN);

/** Blocks or unblocks an application. */
export const setBlocked = (deps: Deps, by: User, id: number, blocked: boolean): Promise<void> =>
  deps.transaction(async (within) => {
    if (!(await store.setBlocked(within.db, id, blocked ? within.clock() : null))) return;
    const name = blocked ? "application.blocked" : "application.unblocked";
    await audit.record(within, name, {}, { applicationId: id, actorId: by.id });
  });

/** Sets whether users of an application skip consent. */
export const setTrusted = (deps: Deps, by: User, id: number, trusted: boolean): Promise<void> =>
  deps.transaction(async (within) => {
    if (!(await store.setTrusted(within.db, id, trusted))) return;
    const about = { applicationId: id, actorId: by.id };
    await audit.record(within, "application.trust_changed", { trusted }, about);
  });

/** Sets whether an application introspects tokens of other applications (RFC 7662). */
export const setResourceServer = (deps: Deps, by: User, id: number, resourceServer: boolean): Promise<void> =>
  deps.transaction(async (within) => {
    if (!(await store.setResourceServer(within.db, id, resourceServer))) return;
    const about = { applicationId: id, actorId: by.id };
    await audit.record(within, "application.resource_server_changed", { resourceServer }, about);
  });

/** An application with its insecure redirect URIs, which an instance that is served over https refuses. */
export type InsecureApplication = Readonly<{
  id: number;
  name: string;
  owner: string;
  uris: readonly string[];
}>;

const APPLICATIONS_AT_ONCE = 500;

/** Returns at most `most` applications with http redirect URIs on hosts other than loopback, oldest first. */
export async function insecureRedirectUris(db: Db, most: number): Promise<readonly InsecureApplication[]> {
  const insecure: InsecureApplication[] = [];
  for (let after = 0; insecure.length < most; ) {
    const rows = await listStore.redirectUrisAfter(db, after, APPLICATIONS_AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (const { id, name, redirectUris, ...row } of rows) {
      const uris = redirectUris.split("\n").filter(isPlainHttp);
      if (uris.length > 0) insecure.push({ id, name, owner: ownerPathOf(row), uris });
    }
  }
  return insecure.slice(0, most);
}
