import type { Group } from "@/workspace/groups/rules";
import { type FieldErrors, fieldErrorsOf } from "@/workspace/naming/path";

/** The kinds of selective synchronization. */
export const SELECTIVE_SYNC_TYPES = ["namespaces", "shards"] as const;
export type SelectiveSyncType = (typeof SELECTIVE_SYNC_TYPES)[number];

/** The settings of a Geo site: URLs, concurrency limits and selective synchronization. */
export type SiteSettings = Readonly<{
  name: string;
  /** The public URL, which ends with a slash. */
  url: string;
  /** The URL that other sites use to connect to this site; null if other sites use `url`. */
  internalUrl: string | null;
  enabled: boolean;
  filesMaxCapacity: number;
  reposMaxCapacity: number;
  verificationMaxCapacity: number;
  containerRepositoriesMaxCapacity: number;
  /** The number of days after which the site verifies replicated data again. */
  minimumReverificationInterval: number;
  syncObjectStorage: boolean;
  /**
   * Whether the site synchronizes only the projects of some groups or only the projects of some storages;
   * null if the site synchronizes all projects.
   */
  selectiveSyncType: SelectiveSyncType | null;
  selectiveSyncShards: readonly string[];
  selectiveSyncNamespaceIds: readonly number[];
}>;

/**
 * A Geo site: the primary site, which is this instance, or a secondary site, which replicates the primary
 * site.
 */
export type GeoSite = SiteSettings &
  Readonly<{
    id: number;
    primary: boolean;
    createdAt: Date;
    /** The OAuth application with which users of a secondary site sign in at the primary site. */
    applicationId: number | null;
  }>;

export const DEFAULT_SETTINGS: Omit<SiteSettings, "name" | "url"> = {
  internalUrl: null,
  enabled: true,
  filesMaxCapacity: 10,
  reposMaxCapacity: 25,
  verificationMaxCapacity: 100,
  containerRepositoriesMaxCapacity: 10,
  minimumReverificationInterval: 7,
  syncObjectStorage: false,
  selectiveSyncType: null,
  selectiveSyncShards: [],
  selectiveSyncNamespaceIds: [],
};

/**
 * The names of the counts in the status of a Geo site in the API. A count that this instance does not
 * determine is null.
 */
export const FIGURES = [
  "db_replication_lag_seconds",
  "projects_count",
  "repositories_count",
  "repositories_checksum_total_count",
  "repositories_checksummed_count",
  "repositories_checksum_failed_count",
  "repositories_synced_count",
  "repositories_failed_count",
  "repositories_registry_count",
  "repositories_verification_total_count",
  "repositories_verified_count",
  "repositories_verification_failed_count",
  "last_event_id",
  "last_event_timestamp",
  "cursor_last_event_id",
  "cursor_last_event_timestamp",
] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number | null>>;

export const NO_FIGURES = Object.fromEntries(FIGURES.map((name) => [name, null])) as Figures;

/** A status report of a secondary site. */
export type SiteReport = Readonly<{
  figures: Figures;
  /** The problem that the site reported; an empty string if the site reported no problem. */
  problem: string;
  version: string | null;
  revision: string | null;
  storageShardsMatch: boolean | null;
}>;

/** The status of a Geo site. */
export type SiteStatus = SiteReport &
  Readonly<{
    site: GeoSite;
    /**
     * Whether the OAuth application of a secondary site is missing. Without the application, users cannot
     * sign in to the site.
     */
    missingApplication: boolean;
    namespaces: readonly Group[];
    /** The time at which the counts were determined or reported; null if no counts were reported. */
    updatedAt: Date | null;
  }>;

const OUTDATED_MS = 10 * 60_000;

/**
 * Returns the problem of a secondary site according to its last report; an empty string if there is no
 * problem.
 */
export function healthProblemOf(report: SiteReport | null, reportedAt: Date | null, now: Date): string {
  if (report === null || reportedAt === null) return "Never reported";
  if (now.getTime() - reportedAt.getTime() > OUTDATED_MS)
    return "Status has not been updated in the past 10 minutes";
  return report.problem;
}

/** Formats a ratio as a percentage, in the format of the GitLab API. */
export const percentage = (part: number | null, whole: number | null): string =>
  `${(part === null || !whole ? 0 : Math.min(100, (part / whole) * 100)).toFixed(2)}%`;

const CHARACTERS_MAX = 255;

/**
 * Returns the errors in the settings of a Geo site, with the API field as key; null if the settings are
 * valid.
 */
export function siteProblems(
  { name, url, internalUrl, enabled }: SiteSettings,
  primary: boolean,
): FieldErrors | null {
  return fieldErrorsOf({
    name: nameProblem(name),
    url: normalizedUrl(url) === null ? URL_PROBLEM : null,
    internal_url: internalUrl !== null && normalizedUrl(internalUrl) === null ? URL_PROBLEM : null,
    enabled: primary && !enabled ? "Geo primary node cannot be disabled" : null,
  });
}

/** The maximum value of each concurrency limit, and the maximum number of days between verifications. */
export const CAPACITY_MAX = 10_000;
export const REVERIFICATION_DAYS_MAX = 3_650;

const URL_PROBLEM =
  "must be a valid URL that begins with http or https, without a username, a query or a fragment";

function nameProblem(name: string): string | null {
  if (name === "") return "can't be blank";
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name)) return "must not contain control characters";
  return name.length > CHARACTERS_MAX ? `is too long (maximum is ${CHARACTERS_MAX} characters)` : null;
}

/** Returns a URL in the stored format, which ends with a slash; null for an invalid URL. */
export function normalizedUrl(text: string): string | null {
  if (text.length > 1_024 || !URL.canParse(text)) return null;
  const { protocol, username, password, search, hash, href } = new URL(text);
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== "" || /[?#]/.test(href))
    return null;
  return href.endsWith("/") ? href : `${href}/`;
}
