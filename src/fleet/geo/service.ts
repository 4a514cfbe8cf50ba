import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { PRODUCT_VERSION } from "@/kernel/config/product";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { firstPage, type Page, type Paging } from "@/kernel/paging/paging";
import { removeOfInstance } from "@/oauth/applications/instance-application";
import { register } from "@/oauth/applications/service";
import type { Group } from "@/workspace/groups/rules";
import { listGroups } from "@/workspace/groups/service";
import { type FieldErrors, fieldErrorsOf } from "@/workspace/naming/path";
import { countProjects } from "@/workspace/projects/service";
import {
  DEFAULT_SETTINGS,
  type Figures,
  type GeoSite,
  healthProblemOf,
  NO_FIGURES,
  normalizedUrl,
  type SiteReport,
  type SiteSettings,
  type SiteStatus,
  siteProblems,
} from "./rules";
import * as store from "./store";

export type SiteChanges = { readonly [Key in keyof SiteSettings]?: SiteSettings[Key] | undefined };
export type SiteOutcome = { readonly site: GeoSite } | { readonly problems: FieldErrors };

/**
 * Creates a Geo site on behalf of an administrator. Only this instance can be the primary site, and all other
 * sites are secondary sites.
 */
export async function createSite(
  deps: Deps,
  by: User,
  { name, url, ...changes }: SiteChanges & Readonly<{ name: string; url: string }>,
  primary: boolean,
): Promise<SiteOutcome> {
  const settings = changed({ ...DEFAULT_SETTINGS, name, url }, changes);
  const problems = siteProblems(settings, primary) ?? (await unknownNamespaces(deps, by, settings));
  if (problems !== null) return { problems };
  return unlessDuplicate(deps, settings, primary, 0, (within) => inserted(within, by, settings, primary));
}

async function inserted(
  deps: Deps,
  by: User,
  settings: SiteSettings,
  primary: boolean,
): Promise<SiteOutcome> {
  const site = await store.insert(deps.db, settings, { primary, createdAt: deps.clock() });
  await recordAudit(deps, "geo_site.created", site, by);
  return primary ? { site } : registerApplication(deps, by, site);
}

/** Applies changes to the settings of a Geo site, and normalizes the URLs. */
function changed(before: SiteSettings, changes: SiteChanges): SiteSettings {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { name, url, internalUrl, ...rest } = { ...before, ...(given as Partial<SiteSettings>) };
  const urlOf = (text: string) => normalizedUrl(text.trim()) ?? text;
  return {
    ...rest,
    name: name.trim(),
    url: urlOf(url),
    internalUrl: internalUrl === null || internalUrl === "" ? null : urlOf(internalUrl),
  };
}

async function unknownNamespaces(
  deps: Deps,
  by: User,
  { selectiveSyncNamespaceIds: ids }: SiteSettings,
): Promise<FieldErrors | null> {
  const groups = await groupsOf(deps, by, ids);
  const unknown = ids.filter((id) => !groups.some((group) => group.id === id));
  return unknown.length === 0
    ? null
    : { selective_sync_namespace_ids: [`there is no group ${unknown.join(", ")}`] };
}

const groupsOf = async (deps: Deps, by: User, ids: readonly number[]): Promise<readonly Group[]> => {
  if (ids.length === 0) return [];
  const all = firstPage(ids.length, { descending: false });
  return (await listGroups(deps, by, { ids }, all)).rows;
};

class RollBack extends Error {
  readonly problems: FieldErrors;
  constructor(problems: FieldErrors) {
    super("The settings of the site are invalid.");
    this.problems = problems;
  }
}

/**
 * Runs a change of a Geo site in a transaction. If the change returns field errors, the transaction is rolled
 * back. If another site has the same name or URL, the function also returns a field error.
 */
async function unlessDuplicate<Outcome extends SiteOutcome | null>(
  deps: Deps,
  settings: SiteSettings,
  primary: boolean,
  besideId: number,
  run: (within: Deps) => Promise<Outcome>,
): Promise<Outcome | SiteOutcome> {
  const problems = await duplicateProblems(deps, settings, primary, besideId);
  if (problems !== null) return { problems };
  try {
    return await deps.transaction(async (within) => {
      const outcome = await run(within);
      if (outcome !== null && "problems" in outcome) throw new RollBack(outcome.problems);
      return outcome;
    });
  } catch (cause) {
    if (cause instanceof RollBack) return { problems: cause.problems };
    if (!isUniqueViolation(cause)) throw cause;
    // A concurrent request has already stored a site with the same name or URL.
    return {
      problems: (await duplicateProblems(deps, settings, primary, besideId)) ?? { base: [TAKEN_TEXT] },
    };
  }
}

const TAKEN_TEXT = "has already been taken";

async function duplicateProblems(
  deps: Deps,
  settings: SiteSettings,
  primary: boolean,
  besideId: number,
): Promise<FieldErrors | null> {
  const duplicates = await store.findDuplicates(deps.db, settings, primary, besideId);
  return fieldErrorsOf({
    name: duplicates.name ? TAKEN_TEXT : null,
    url: duplicates.url ? TAKEN_TEXT : null,
    primary: duplicates.primary ? TAKEN_TEXT : null,
  });
}

/** Registers the OAuth application with which users of a secondary site sign in at this instance. */
async function registerApplication(deps: Deps, by: User, site: GeoSite): Promise<SiteOutcome> {
  const registered = await register(deps, by, {
    name: `Geo: ${site.name}`.slice(0, 255),
    redirectUris: `${site.url}oauth/geo/callback`,
    scopes: ["openid", "profile", "email"],
    confidential: true,
    requiresPkce: false,
    allowsPassword: false,
  });
  if ("problems" in registered) {
    const texts = Object.values(registered.problems).flat();
    return { problems: { url: texts.map((text) => `cannot be used for sign-in: ${text}`) } };
  }
  return { site: await store.setApplication(deps.db, site.id, registered.application.id) };
}

const recordAudit = (
  deps: Deps,
  name: "geo_site.created" | "geo_site.changed" | "geo_site.removed",
  site: GeoSite,
  by: User,
): Promise<void> => audit.record(deps, name, { id: site.id, name: site.name }, { userId: by.id });

/**
 * Changes the settings of a Geo site. Settings that `changes` does not contain, and the field `primary`, stay
 * unchanged. The result is null if the site does not exist.
 */
export async function updateSite(
  deps: Deps,
  by: User,
  id: number,
  changes: SiteChanges,
): Promise<SiteOutcome | null> {
  const current = await findSite(deps, id);
  if (current === null) return null;
  const settings = changed(settingsOf(current), changes);
  const problems = siteProblems(settings, current.primary) ?? (await unknownNamespaces(deps, by, settings));
  if (problems !== null) return { problems };
  return unlessDuplicate(deps, settings, false, id, async (within) => {
    await store.lock(within.db, id);
    // The row of the site is read again after the row is locked, so that concurrent changes of other fields
    // are not overwritten.
    const before = await findSite(within, id);
    if (before === null) return null;
    const site = await store.update(within.db, id, changed(settingsOf(before), changes));
    await recordAudit(within, "geo_site.changed", site, by);
    if (site.primary || site.url === before.url) return { site };
    await removeApplication(within, by, site);
    return registerApplication(within, by, site);
  });
}

async function removeApplication(deps: Deps, by: User, { applicationId }: GeoSite): Promise<void> {
  if (applicationId !== null) await removeOfInstance(deps, by, applicationId);
}

function settingsOf({ id, primary, createdAt, applicationId, ...settings }: GeoSite): SiteSettings {
  return settings;
}

export const findSite = async (deps: Pick<Deps, "db">, id: number): Promise<GeoSite | null> =>
  (await store.findById(deps.db, id))?.site ?? null;

export async function listSites(deps: Deps, paging: Paging): Promise<Page<GeoSite>> {
  const { rows, ...page } = await store.list(deps.db, paging);
  return { ...page, rows: rows.map(({ site }) => site) };
}

/**
 * Deletes a Geo site and the OAuth application of the site. The result is false if the site does not exist.
 */
export const removeSite = (deps: Deps, by: User, id: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, id);
    const site = await findSite(within, id);
    if (site === null) return false;
    await store.remove(within.db, id);
    await removeApplication(within, by, site);
    await recordAudit(within, "geo_site.removed", site, by);
    return true;
  });

/**
 * Creates the OAuth application of a secondary site again if the application is missing, so that users can
 * sign in to the site.
 * @returns the site; null if the site does not exist.
 */
export const repairSite = (deps: Deps, by: User, id: number): Promise<SiteOutcome | null> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, id);
    const site = await findSite(within, id);
    if (site === null) return null;
    return site.primary || site.applicationId !== null ? { site } : registerApplication(within, by, site);
  });

/** Returns the status of a Geo site; null if the site does not exist. */
export async function siteStatus(deps: Deps, by: User, id: number): Promise<SiteStatus | null> {
  const current = await store.findById(deps.db, id);
  if (current === null) return null;
  const [status] = await statusesOf(deps, by, [current]);
  return status ?? null;
}

/** Returns a page of the statuses of all Geo sites, with a constant number of database queries. */
export async function siteStatuses(deps: Deps, by: User, paging: Paging): Promise<Page<SiteStatus>> {
  const { rows, ...page } = await store.list(deps.db, paging);
  return { ...page, rows: await statusesOf(deps, by, rows) };
}

async function statusesOf(
  deps: Deps,
  by: User,
  sites: readonly store.ReportedSite[],
): Promise<readonly SiteStatus[]> {
  const chosen = [...new Set(sites.flatMap(({ site }) => site.selectiveSyncNamespaceIds))];
  const [groups, here] = await Promise.all([
    groupsOf(deps, by, chosen),
    sites.some(({ site }) => site.primary) ? ownReport(deps) : null,
  ]);
  return sites.map(({ site, report, reportedAt }) => ({
    ...(site.primary && here !== null ? here : reportedBy(deps, report, reportedAt)),
    site,
    missingApplication: !site.primary && site.applicationId === null,
    namespaces: groups.filter(({ id }) => site.selectiveSyncNamespaceIds.includes(id)),
    updatedAt: site.primary ? deps.clock() : reportedAt,
  }));
}

/**
 * Determines the counts that the status of this instance contains. The number of repositories is the number
 * of projects, because every project has one repository.
 */
async function ownReport(deps: Deps): Promise<SiteReport> {
  const count = await countProjects(deps);
  const figures: Figures = { ...NO_FIGURES, projects_count: count, repositories_count: count };
  return { figures, problem: "", version: PRODUCT_VERSION, revision: "release", storageShardsMatch: true };
}

const reportedBy = (deps: Deps, report: SiteReport | null, reportedAt: Date | null): SiteReport => ({
  ...(report ?? { figures: NO_FIGURES, version: null, revision: null, storageShardsMatch: null }),
  problem: healthProblemOf(report, reportedAt, deps.clock()),
});

/**
 * Stores a status report of a secondary site. The result is `primary` if the site is the primary site,
 * because this instance itself determines the counts of the primary site.
 */
export async function reportStatus(
  deps: Deps,
  by: User,
  id: number,
  report: SiteReport,
): Promise<SiteStatus | "unknown" | "primary"> {
  if (!(await store.setReport(deps.db, id, report, deps.clock())))
    return (await findSite(deps, id)) === null ? "unknown" : "primary";
  return (await siteStatus(deps, by, id)) ?? "unknown";
}
