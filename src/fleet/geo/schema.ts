import { z } from "zod";
import { CAPACITY_FIELDS } from "./capacity";
import {
  CAPACITY_MAX,
  FIGURES,
  type GeoSite,
  REVERIFICATION_DAYS_MAX,
  type SiteReport,
  type SiteSettings,
} from "./rules";

const whole = z.int().min(0).nullable();

const stored = z.object({
  figures: z.object(
    Object.fromEntries(FIGURES.map((name) => [name, whole])) as Record<
      (typeof FIGURES)[number],
      typeof whole
    >,
  ),
  problem: z.string(),
  version: z.string().nullable(),
  revision: z.string().nullable(),
  storageShardsMatch: z.boolean().nullable(),
});

/**
 * Parses the stored status report of a Geo site. Returns null if no status report is stored, or if another
 * version of Gatehouse stored the report in a different format.
 */
export function readReport(json: string | null): SiteReport | null {
  if (json === null) return null;
  const parsed = stored.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : null;
}

const names = z.array(z.string()).catch([]);
const ids = z.array(z.int()).catch([]);
export const readShards = (json: string): readonly string[] => names.parse(JSON.parse(json));
export const readNamespaceIds = (json: string): readonly number[] => ids.parse(JSON.parse(json));

type CapacityField = keyof typeof CAPACITY_FIELDS;

/** The submitted values of the form that edits a Geo site. */
export type SiteDraft = Readonly<
  Record<"name" | "url" | "internal_url" | CapacityField, string> &
    Record<"enabled" | "sync_object_storage", boolean>
>;

export const draftOf = (site: GeoSite): SiteDraft => ({
  name: site.name,
  url: site.url,
  internal_url: site.internalUrl ?? "",
  files_max_capacity: String(site.filesMaxCapacity),
  repos_max_capacity: String(site.reposMaxCapacity),
  verification_max_capacity: String(site.verificationMaxCapacity),
  container_repositories_max_capacity: String(site.containerRepositoriesMaxCapacity),
  minimum_reverification_interval: String(site.minimumReverificationInterval),
  // The form for the primary site has no checkbox for the field `enabled`.
  enabled: site.enabled,
  sync_object_storage: site.syncObjectStorage,
});

const field = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, 2_000) : "";
};

/**
 * Parses the form that edits a Geo site. For a missing or malformed form field, the value is an empty string.
 */
export const readSiteForm = (form: FormData): SiteDraft => ({
  name: field(form, "name"),
  url: field(form, "url"),
  internal_url: field(form, "internal_url"),
  files_max_capacity: field(form, "files_max_capacity"),
  repos_max_capacity: field(form, "repos_max_capacity"),
  verification_max_capacity: field(form, "verification_max_capacity"),
  container_repositories_max_capacity: field(form, "container_repositories_max_capacity"),
  minimum_reverification_interval: field(form, "minimum_reverification_interval"),
  enabled: field(form, "enabled") === "true",
  sync_object_storage: field(form, "sync_object_storage") === "true",
});

const mostOf = (name: CapacityField): number =>
  name === "minimum_reverification_interval" ? REVERIFICATION_DAYS_MAX : CAPACITY_MAX;

const isAllowed = (name: CapacityField, text: string): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= mostOf(name);

/** Returns the settings of a Geo site from a submitted form, or the field errors of the form. */
export function changesIn(
  draft: SiteDraft,
): Readonly<Partial<SiteSettings>> | Readonly<{ problems: Readonly<Record<string, readonly string[]>> }> {
  const wrong = (Object.keys(CAPACITY_FIELDS) as CapacityField[]).filter(
    (name) => !isAllowed(name, draft[name]),
  );
  if (wrong.length > 0)
    return {
      problems: Object.fromEntries(
        wrong.map((name) => [name, [`must be a whole number from 1 to ${mostOf(name)}`]]),
      ),
    };
  return {
    name: draft.name,
    url: draft.url,
    internalUrl: draft.internal_url === "" ? null : draft.internal_url,
    filesMaxCapacity: Number(draft.files_max_capacity),
    reposMaxCapacity: Number(draft.repos_max_capacity),
    verificationMaxCapacity: Number(draft.verification_max_capacity),
    containerRepositoriesMaxCapacity: Number(draft.container_repositories_max_capacity),
    minimumReverificationInterval: Number(draft.minimum_reverification_interval),
    enabled: draft.enabled,
    syncObjectStorage: draft.sync_object_storage,
  };
}

/** The values of the form that adds a Geo site. */
export type NewSiteDraft = Readonly<{ name: string; url: string; primary: boolean }>;

export const readNewSiteForm = (form: FormData): NewSiteDraft => ({
  name: field(form, "name"),
  url: field(form, "url"),
  primary: field(form, "primary") === "true",
});
