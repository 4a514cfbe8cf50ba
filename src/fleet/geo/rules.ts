import type { Group } from "@/workspace/groups/rules";
import { type FieldErrors, fieldErrorsOf } from "@/workspace/naming/path";

/** What a secondary can be told to leave out, other than nothing. */
export const SELECTIVE_SYNC_TYPES = ["namespaces", "shards"] as const;
export type SelectiveSyncType = (typeof SELECTIVE_SYNC_TYPES)[number];

/** How much a secondary may do at once, and how often it looks again. */
export type SiteSettings = Readonly<{
  name: string;
  /** With a slash at its end. */
  url: string;
  /** For the other sites; null: the same. */
  internalUrl: string | null;
  enabled: boolean;
  filesMaxCapacity: number;
  reposMaxCapacity: number;
  verificationMaxCapacity: number;
  containerRepositoriesMaxCapacity: number;
  /** In days. */
  minimumReverificationInterval: number;
  syncObjectStorage: boolean;
  /** Null: it follows everything. */
  selectiveSyncType: SelectiveSyncType | null;
  selectiveSyncShards: readonly string[];
  selectiveSyncNamespaceIds: readonly number[];
}>;

/** An instance of several that are one: the primary, which is this one, or a secondary that follows it. */
export type GeoSite = SiteSettings &
  Readonly<{
    id: number;
    primary: boolean;
    createdAt: Date;
    /** With which people of a secondary sign in here. */
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

/** Everything that is counted of a site, by the names of the API. What nobody has counted is null. */
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

/** What a secondary says of itself. */
export type SiteReport = Readonly<{
  figures: Figures;
  /** What is wrong with it; empty: nothing. */
  problem: string;
  version: string | null;
  revision: string | null;
  storageShardsMatch: boolean | null;
}>;

/** How a site is. */
export type SiteStatus = SiteReport &
  Readonly<{
    site: GeoSite;
    /** Whether people of a secondary can sign in by this instance. */
    missingApplication: boolean;
    namespaces: readonly Group[];
    /** Of the figures; null: never reported. */
    updatedAt: Date | null;
  }>;

const OUTDATED_MS = 10 * 60_000;

/** What is wrong with a secondary, as far as its last report tells; empty: nothing. */
export function healthProblemOf(report: SiteReport | null, reportedAt: Date | null, now: Date): string {
  if (report === null || reportedAt === null) return "Never reported";
  if (now.getTime() - reportedAt.getTime() > OUTDATED_MS)
    return "Status has not been updated in the past 10 minutes";
  return report.problem;
}

/** The part of a whole in percent, as the dialect writes it. */
export const percentage = (part: number | null, whole: number | null): string =>
  `${(part === null || !whole ? 0 : Math.min(100, (part / whole) * 100)).toFixed(2)}%`;

const CHARACTERS_MAX = 255;

/** What is not acceptable of a site as it would be, by the fields of the API; null: nothing. */
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

/** How much a site does at once, and the days between its verifications. */
export const CAPACITY_MAX = 10_000;
export const REVERIFICATION_DAYS_MAX = 3_650;

const URL_PROBLEM =
  "must be a valid URL that begins with http or https, without a username, a query or a fragment";

function nameProblem(name: string): string | null {
  if (name === "") return "can't be blank";
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name)) return "must not hold control characters";
  return name.length > CHARACTERS_MAX ? `is too long (maximum is ${CHARACTERS_MAX} characters)` : null;
}

/** An address as it is kept, with a slash at its end; null for what is none. */
export function normalizedUrl(text: string): string | null {
  if (text.length > 1_024 || !URL.canParse(text)) return null;
  const { protocol, username, password, search, hash, href } = new URL(text);
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== "" || /[?#]/.test(href))
    return null;
  return href.endsWith("/") ? href : `${href}/`;
}
