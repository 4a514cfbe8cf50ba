import { isScope, type Scope } from "@/access/scopes";
import { writeLastUses } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { ownerPathOf } from "../applications/owner";
import { namesOf } from "../applications/service";
import { type Consent, consentOf, consentsTo, consentTimes } from "../consents/service";
import {
  applicationsWithGrants,
  type GrantSummary,
  grantSummaries,
  issuesPerDay,
  type LiveGrant,
} from "../tokens/live-grants";
import { UNUSED_DAYS } from "./rules";
import { withdrawConsent } from "./service";

/** An application that has the consent of a user, or active tokens of the user. */
export type AuthorizedApplication = Readonly<{
  id: number;
  name: string;
  /** The username of the user, or the full path of the group, that owns the application. */
  owner: string;
  /** The time at which the user first gave consent; null for an application that skipped consent. */
  allowedAt: Date | null;
  /** The scopes of the consent and of all active tokens. */
  scopes: readonly Scope[];
  /** The number of active grants. The property `grants` contains only the most recently used grants. */
  count: number;
  grants: readonly LiveGrant[];
  /**
   * The time of the last use of an active token; if the application has no active tokens, the time of the last
   * consent.
   */
  usedAt: Date;
  /**
   * The number of tokens that were issued or refreshed on each of the last `ISSUE_DAYS` days, oldest day
   * first.
   */
  issues: readonly number[];
}>;

/**
 * The maximum number of grants on the card of an application. The page of the application lists all grants of
 * the application.
 */
const GRANTS_SHOWN = 3;

/** The maximum number of consents that are listed. */
const CONSENTS_MAX = 5_000;

/**
 * A page of authorized applications. `total` is the number of applications that match the search, and
 * `unused` is the number of unused applications.
 */
export type AuthorizedList = Readonly<{
  rows: readonly AuthorizedApplication[];
  total: number;
  unused: number;
}>;

/** The id of an authorized application, and the time of its last use. */
type Authorization = Pick<AuthorizedApplication, "id" | "usedAt">;

/**
 * Returns a page of the applications that a user has authorized, in the order of their last use. The function
 * runs seven queries, and another query for a search.
 * @param query.search a part of the name of the application, regardless of letter case; empty to match all
 * applications.
 */
export async function authorizedApplications(
  deps: Deps,
  userId: number,
  query: Readonly<{ search?: string; page?: number; perPage: number }>,
): Promise<AuthorizedList> {
  const { search = "", page = 1, perPage } = query;
  const all = await authorizationsOf(deps, userId);
  const matches = await matching(deps, all, search);
  const shown = matches.slice((page - 1) * perPage, page * perPage);
  const ids = shown.map(({ id }) => id);
  const consents = await consentsTo(deps, userId, ids);
  const summaryOf = await grantSummaries(deps, userId, ids, GRANTS_SHOWN);
  const issuesOf = await issuesPerDay(deps, userId, ids);
  const rows = shown.flatMap(
    ({ id, usedAt }) => together(consents.get(id), summaryOf(id), usedAt, issuesOf(id)) ?? [],
  );
  const unused = all.filter((authorization) => isUnused(deps, authorization)).length;
  return { rows, total: matches.length, unused };
}

/** Returns the applications whose names contain a text, regardless of letter case, in the given order. */
async function matching(
  deps: Deps,
  authorizations: readonly Authorization[],
  search: string,
): Promise<readonly Authorization[]> {
  if (search === "") return authorizations;
  const names = await namesOf(
    deps,
    authorizations.map(({ id }) => id),
  );
  const text = search.toLowerCase();
  return authorizations.filter(({ id }) => names.get(id)?.toLowerCase().includes(text));
}

/** Returns at most `most` applications that a user has authorized, the most recently used application first. */
export async function recentAuthorizations(
  deps: Deps,
  userId: number,
  most: number,
): Promise<readonly Pick<AuthorizedApplication, "id" | "name" | "allowedAt">[]> {
  const ids = (await authorizationsOf(deps, userId)).slice(0, most).map(({ id }) => id);
  const names = await namesOf(deps, ids);
  const consents = await consentsTo(deps, userId, ids);
  return ids.map((id) => ({
    id,
    name: names.get(id) ?? "",
    allowedAt: consents.get(id)?.createdAt ?? null,
  }));
}

/** Returns all applications that a user has authorized, the most recently used application first. */
async function authorizationsOf(deps: Deps, userId: number): Promise<readonly Authorization[]> {
  await writeLastUses(deps);
  const consents = await consentTimes(deps, userId, CONSENTS_MAX);
  const used = await applicationsWithGrants(deps, userId);
  const times = new Map([
    ...consents.map(({ applicationId, updatedAt }) => [applicationId, updatedAt] as const),
    ...used.map(({ id, usedAt }) => [id, usedAt] as const),
  ]);
  return [...times]
    .map(([id, usedAt]) => ({ id, usedAt }))
    .toSorted((a, b) => b.usedAt.getTime() - a.usedAt.getTime() || b.id - a.id);
}

const isUnused = (deps: Deps, { usedAt }: Authorization): boolean =>
  deps.clock().getTime() - usedAt.getTime() >= UNUSED_DAYS * 86_400_000;

/**
 * Revokes the access of all applications that a user has not used for `UNUSED_DAYS` days.
 * @returns the number of applications whose access was revoked.
 */
export async function revokeUnused(deps: Deps, userId: number): Promise<number> {
  const unused = (await authorizationsOf(deps, userId)).filter((authorization) =>
    isUnused(deps, authorization),
  );
  // The access of each application is revoked in a separate transaction, which locks the token families of
  // only this application.
  for (const { id } of unused) await withdrawConsent(deps, { userId, applicationId: id });
  return unused.length;
}

/** Returns one authorized application; null when the user has not authorized the application. */
export async function authorizedApplication(
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }>,
): Promise<AuthorizedApplication | null> {
  await writeLastUses(deps);
  const consent = await consentOf(deps, about);
  const summary = (await grantSummaries(deps, about.userId, [about.applicationId], 1))(about.applicationId);
  const issuesOf = await issuesPerDay(deps, about.userId, [about.applicationId]);
  const [grant] = summary.newest;
  const usedAt = grant?.lastUsedAt ?? grant?.createdAt ?? consent?.updatedAt ?? deps.clock();
  return together(consent ?? undefined, summary, usedAt, issuesOf(about.applicationId));
}

/**
 * Returns the grants without an application, for example the grant of a script that sends a username and a
 * password.
 */
export async function grantsWithoutApplication(deps: Deps, userId: number): Promise<GrantSummary> {
  return (await grantSummaries(deps, userId, null, GRANTS_SHOWN))(null);
}

function together(
  consent: Consent | undefined,
  { count, scopes, newest }: GrantSummary,
  usedAt: Date,
  issues: readonly number[],
): AuthorizedApplication | null {
  const application = consent?.application ?? newest[0]?.application;
  if (!application) return null;
  const words = [...(consent?.scopes.split(" ") ?? []), ...scopes];
  return {
    id: application.id,
    name: application.name,
    owner: ownerPathOf(application),
    allowedAt: consent?.createdAt ?? null,
    scopes: [...new Set(words)].filter(isScope),
    count,
    grants: newest,
    usedAt,
    issues,
  };
}
