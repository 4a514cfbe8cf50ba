import { isScope, type Scope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import type { Reads } from "@/kernel/db/prepared";
import type { Deps } from "@/kernel/deps/deps";
import { type KeysetPage, type KeysetPaging, keysetPageFrom } from "@/kernel/paging/paging";
import type { OwnerPath } from "../applications/owner";
import * as store from "./store";
import {
  applicationsWithLiveFamilies,
  issueTimes,
  listFamilies,
  liveFamiliesPage,
  rankLiveFamilies,
  scopesOfLiveFamilies,
} from "./store.sql";

/** An active grant of a user. An active grant has a valid access token or refresh token. */
export type LiveGrant = Readonly<{
  id: number;
  /** The flow by which the user authorized the application. */
  way: "browser" | "device" | "password";
  scopes: readonly Scope[];
  createdAt: Date;
  /** The time of the last use; null for a grant that was never used. */
  lastUsedAt: Date | null;
  /** The IP address and the user agent of the last use; empty when unknown. */
  ipAddress: string;
  userAgent: string;
  /** The application to which the grant belongs; null for a grant without a registered application. */
  application: (Readonly<{ id: number; name: string }> & OwnerPath) | null;
}>;

/**
 * Selects the grants of a user for one application. A null `applicationId` selects the grants without an
 * application.
 */
type GrantSelection = Readonly<{ userId: number; applicationId: number | null }>;

/**
 * Returns the applications for which a user has active grants, each with the time of the last use of its
 * grants. For a grant that was never used, the time of its authorization is used instead.
 */
export const applicationsWithGrants = async (
  deps: Deps,
  userId: number,
): Promise<readonly Readonly<{ id: number; usedAt: Date }>[]> =>
  applicationsWithLiveFamilies(deps.reads, { userId, now: deps.clock() });

/**
 * The number of days that the chart of an application shows. The job that deletes old tokens keeps every
 * token for at least this number of days.
 */
export const ISSUE_DAYS = 7;

const DAY_MS = 86_400_000;

/**
 * Returns a function that counts the tokens that an application has received for a user. The function returns
 * one count for each of the last `ISSUE_DAYS` days, oldest day first.
 */
export async function issuesPerDay(
  deps: Deps,
  userId: number,
  applicationIds: readonly number[],
): Promise<(applicationId: number) => readonly number[]> {
  const now = deps.clock().getTime();
  const after = new Date(now - ISSUE_DAYS * DAY_MS);
  const issues =
    applicationIds.length === 0 ? [] : await issueTimes(deps.reads, { userId, applicationIds, after });
  return (applicationId) => {
    const days = new Array<number>(ISSUE_DAYS).fill(0);
    for (const issue of issues) {
      const day = ISSUE_DAYS - 1 - Math.floor((now - issue.createdAt.getTime()) / DAY_MS);
      if (issue.applicationId === applicationId) days[day] = (days[day] ?? 0) + 1;
    }
    return days;
  };
}

/**
 * A summary of the active grants of a user for one application: the number of grants, their scopes, and the
 * most recently used grants.
 */
export type GrantSummary = Readonly<{
  count: number;
  scopes: readonly Scope[];
  newest: readonly LiveGrant[];
}>;

const NO_GRANTS: GrantSummary = { count: 0, scopes: [], newest: [] };

/**
 * Returns a function that summarizes the active grants of a user for an application. The function runs three
 * queries.
 * @param applicationIds the ids of the applications; null for grants without an application.
 */
export async function grantSummaries(
  deps: Deps,
  userId: number,
  applicationIds: readonly number[] | null,
  most: number,
): Promise<(applicationId: number | null) => GrantSummary> {
  if (applicationIds?.length === 0) return () => NO_GRANTS;
  const selection = { userId, now: deps.clock() };
  const ranked = await rankLiveFamilies(deps.reads, selection, applicationIds, most);
  const scopes = await scopesOfLiveFamilies(deps.reads, selection, applicationIds);
  const grants = await grantsById(
    deps.reads,
    ranked.map(({ id }) => id),
  );
  const counts = new Map(ranked.map(({ id, count }) => [id, count]));
  return (applicationId) => {
    const newest = grants.filter(({ application }) => (application?.id ?? null) === applicationId);
    const [first] = newest;
    if (first === undefined) return NO_GRANTS;
    const words = scopes.filter((row) => row.applicationId === applicationId).map((row) => row.scopes);
    return { count: counts.get(first.id) ?? 0, scopes: scopesIn(words.join(" ")), newest };
  };
}

/** Returns a page of the active grants of a user for one application, newest first. */
export async function liveGrants(
  deps: Deps,
  { userId, applicationId }: GrantSelection,
  paging: KeysetPaging,
): Promise<KeysetPage<LiveGrant>> {
  const selection = { userId, now: deps.clock() };
  const ids = await liveFamiliesPage(deps.reads, selection, applicationId, paging);
  const grants = await grantsById(deps.reads, ids);
  return keysetPageFrom(paging, grants);
}

/** Returns the grants with these ids, in the order in which the ids are given. */
async function grantsById(reads: Reads, ids: readonly number[]): Promise<readonly LiveGrant[]> {
  const rows = await listFamilies(reads, ids);
  return rows
    .map(({ grantType, scopes, lastAddress, lastUserAgent, ...row }) => ({
      ...row,
      way: WAYS[grantType] ?? "browser",
      scopes: scopesIn(scopes),
      ipAddress: lastAddress,
      userAgent: lastUserAgent,
    }))
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

const WAYS: Readonly<Record<string, LiveGrant["way"]>> = {
  authorization_code: "browser",
  device_code: "device",
  password: "password",
};

const scopesIn = (words: string): readonly Scope[] => [...new Set(words.split(" "))].filter(isScope);

/**
 * Revokes one grant of a user. The tokens of the grant stop working immediately.
 * @returns false when the user has no active grant with this id.
 */
export const endOwnGrant = (
  deps: Deps,
  { userId, grantId }: Readonly<{ userId: number; grantId: number }>,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    const grant = await store.findFamily(within.db, { id: grantId, userId });
    if (grant === null) return false;
    if ((await store.revokeFamilies(within.db, { id: grantId }, within.clock())) === 0) return false;
    const about = { userId, applicationId: grant.applicationId };
    await audit.record(within, "token.revoked", { by: "owner" }, about);
    return true;
  });

/**
 * Revokes all grants of a user that have no registered application.
 * @returns the number of active grants that were revoked.
 */
export const endGrantsWithoutApplication = (deps: Deps, userId: number): Promise<number> =>
  deps.transaction(async (within) => {
    const count = await store.revokeFamilies(within.db, { userId, applicationId: null }, within.clock());
    if (count > 0) await audit.record(within, "token.revoked", { by: "owner" }, { userId });
    return count;
  });
