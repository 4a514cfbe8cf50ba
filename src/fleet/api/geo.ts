import { z } from "zod";
import type { Principal } from "@/access/principal";
import {
  CAPACITY_MAX,
  FIGURES,
  type Figures,
  type GeoSite,
  REVERIFICATION_DAYS_MAX,
  SELECTIVE_SYNC_TYPES,
  type SiteStatus,
} from "@/fleet/geo/rules";
import * as geo from "@/fleet/geo/service";
import { administrator } from "@/http-api/access-rules";
import { badRequest, invalidParameters, notFound, unacceptable } from "@/http-api/errors";
import { flag, id, text, whole, words } from "@/http-api/fields";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, none, one } from "@/http-api/responses";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { geoNode, geoNodeStatus, geoSite, geoSiteStatus } from "./entities/geo";

const capacity = whole.pipe(z.int().min(1).max(CAPACITY_MAX)).optional();
const IDS_MAX = 100;

const settings = {
  internal_url: text(1_024)
    .optional()
    .describe("The URL that other sites use to connect to this site, if this URL differs from `url`."),
  enabled: flag.optional(),
  files_max_capacity: capacity,
  repos_max_capacity: capacity,
  verification_max_capacity: capacity,
  container_repositories_max_capacity: capacity,
  minimum_reverification_interval: whole
    .pipe(z.int().min(1).max(REVERIFICATION_DAYS_MAX))
    .optional()
    .describe("In days."),
  sync_object_storage: flag.optional(),
  selective_sync_type: z
    .union([z.enum(SELECTIVE_SYNC_TYPES), z.literal("").transform(() => null), z.null()])
    .meta({ type: ["string", "null"], enum: [...SELECTIVE_SYNC_TYPES, null] })
    .optional()
    .describe(
      "Limits the synchronization of the secondary site to these namespaces or shards; null for no limit.",
    ),
  selective_sync_shards: words.optional(),
  selective_sync_namespace_ids: z
    .union([
      z.array(id).max(IDS_MAX),
      z
        .string()
        .max(2_048)
        .transform((list): (string | number)[] => list.split(",").filter((word) => word.trim() !== ""))
        .pipe(z.array(id).max(IDS_MAX)),
    ])
    .meta({ type: "array", items: { type: "integer" } })
    .optional(),
};

const newSite = z.object({
  name: text(255),
  url: text(1_024),
  primary: flag
    .default(false)
    .describe("True for this instance, the primary site; false for a secondary site."),
  ...settings,
});
const siteReference = z.object({ id });
const siteChanges = siteReference.extend({
  name: text(255).optional(),
  url: text(1_024).optional(),
  ...settings,
});

const changesFrom = (fields: Omit<z.infer<typeof siteChanges>, "id">): geo.SiteChanges => ({
  name: fields.name,
  url: fields.url,
  internalUrl: fields.internal_url,
  enabled: fields.enabled,
  filesMaxCapacity: fields.files_max_capacity,
  reposMaxCapacity: fields.repos_max_capacity,
  verificationMaxCapacity: fields.verification_max_capacity,
  containerRepositoriesMaxCapacity: fields.container_repositories_max_capacity,
  minimumReverificationInterval: fields.minimum_reverification_interval,
  syncObjectStorage: fields.sync_object_storage,
  selectiveSyncType: fields.selective_sync_type,
  selectiveSyncShards: fields.selective_sync_shards,
  selectiveSyncNamespaceIds: fields.selective_sync_namespace_ids,
});

const siteNotFound = () => notFound("Geo Site");

/**
 * Returns the changed site if the change succeeded.
 * @throws ApiError 404 if the site does not exist, 400 if the input is invalid.
 */
function siteFrom(outcome: geo.SiteOutcome | null): GeoSite {
  if (outcome === null) throw siteNotFound();
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome.site;
}

const createSite = async (
  deps: Deps,
  { user }: Principal,
  { primary, ...fields }: z.infer<typeof newSite>,
): Promise<GeoSite> =>
  siteFrom(
    await geo.createSite(deps, user, { ...changesFrom(fields), name: fields.name, url: fields.url }, primary),
  );

type Reference = z.infer<typeof siteReference>;

async function readSite(deps: Deps, _caller: Principal, { id }: Reference): Promise<GeoSite> {
  const site = await geo.findSite(deps, id);
  if (site === null) throw siteNotFound();
  return site;
}

async function updateSite(
  deps: Deps,
  { user }: Principal,
  { id, ...fields }: z.infer<typeof siteChanges>,
): Promise<GeoSite> {
  if (Object.values(fields).every((value) => value === undefined))
    throw invalidParameters(["parameters are missing, at least one parameter must be provided"]);
  return siteFrom(await geo.updateSite(deps, user, id, changesFrom(fields)));
}

async function removeSite(deps: Deps, { user }: Principal, { id }: Reference): Promise<null> {
  if (!(await geo.removeSite(deps, user, id))) throw siteNotFound();
  return null;
}

async function readStatus(deps: Deps, { user }: Principal, { id }: Reference): Promise<SiteStatus> {
  const status = await geo.siteStatus(deps, user, id);
  if (status === null) throw siteNotFound();
  return status;
}

async function repairSite(deps: Deps, caller: Principal, reference: Reference): Promise<SiteStatus> {
  siteFrom(await geo.repairSite(deps, caller.user, reference.id));
  return readStatus(deps, caller, reference);
}

const FIGURE_FIELDS = Object.fromEntries(FIGURES.map((name) => [name, whole.optional()])) as Record<
  (typeof FIGURES)[number],
  z.ZodOptional<typeof whole>
>;

const siteReport = siteReference.extend({
  health: text(1_024)
    .default("")
    .describe("A description of the problem of the site; empty or Healthy if there is no problem."),
  version: text(255).optional(),
  revision: text(255).optional(),
  storage_shards_match: flag.optional(),
  ...FIGURE_FIELDS,
});

/** @throws ApiError 404 if the site does not exist, 400 for the primary site. */
async function reportStatus(
  deps: Deps,
  { user }: Principal,
  { id, health, version, revision, storage_shards_match, ...fields }: z.infer<typeof siteReport>,
): Promise<SiteStatus> {
  const outcome = await geo.reportStatus(deps, user, id, {
    figures: Object.fromEntries(FIGURES.map((name) => [name, fields[name] ?? null])) as Figures,
    problem: /^healthy$/i.test(health) ? "" : health,
    version: version ?? null,
    revision: revision ?? null,
    storageShardsMatch: storage_shards_match ?? null,
  });
  if (outcome === "unknown") throw siteNotFound();
  if (outcome === "primary") throw badRequest("The primary site does not accept status reports");
  return outcome;
}

type Site = typeof geoSite | typeof geoNode;
type Status = typeof geoSiteStatus | typeof geoNodeStatus;

/**
 * The declarations of the endpoints under the path `geo_sites`. In v4, the endpoints under the path
 * `geo_nodes` use the same declarations.
 */
export const listOf = (entity: Site) => ({
  summary: "List the Geo sites",
  in: administrator(),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.geo_sites }),
  run: (deps: Deps, _caller: Principal, _input: object, paging: Paging): Promise<Page<GeoSite>> =>
    geo.listSites(deps, paging),
});
export const creationOf = (entity: Site) => ({
  summary: "Create a Geo site: a secondary site, or the primary site if no primary site exists",
  in: administrator(),
  input: newSite,
  example: { name: "Tokyo", url: "https://tokyo.example.com" },
  response: one(entity, { status: 201 }),
  run: createSite,
});
export const readingOf = (entity: Site) => ({
  summary: "Get a Geo site",
  in: administrator(),
  input: siteReference,
  response: one(entity),
  run: readSite,
});
export const changeOf = (entity: Site) => ({
  summary: "Edit a Geo site",
  in: administrator(),
  input: siteChanges,
  example: { name: "Tokyo" },
  response: one(entity),
  run: updateSite,
});
export const removalOf = () => ({
  summary: "Delete a Geo site",
  in: administrator(),
  input: siteReference,
  response: none(),
  run: removeSite,
});
export const repairOf = (entity: Status) => ({
  summary:
    "Repair a secondary site: create the OAuth application of the site again if the application is missing",
  in: administrator(),
  input: siteReference,
  response: one(entity),
  run: repairSite,
});
export const statusesOf = (entity: Status) => ({
  summary:
    "List the statuses of the Geo sites: the current counts of the primary site and the last status reports of the secondary sites",
  in: administrator(),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.geo_sites }),
  run: (deps: Deps, { user }: Principal, _input: object, paging: Paging): Promise<Page<SiteStatus>> =>
    geo.siteStatuses(deps, user, paging),
});
export const statusOf = (entity: Status) => ({
  summary: "Get the status of a Geo site",
  in: administrator(),
  input: siteReference,
  response: one(entity),
  run: readStatus,
});
export const reportOf = (entity: Status) => ({
  summary: "Report the status of a secondary site",
  in: administrator(),
  input: siteReport,
  response: one(entity, { status: 201 }),
  run: reportStatus,
});
