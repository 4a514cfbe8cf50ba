import { z } from "zod";
import { FIGURES, type GeoSite, percentage, SELECTIVE_SYNC_TYPES, type SiteStatus } from "@/fleet/geo/rules";
import { apiOf, defineEntity, moment } from "@/http-api/entity";
import { namespaceFields, namespaceOf } from "@/workspace/api/entities/namespace";

/** The name of a Geo site in URLs. The API v4 also uses the older name `node` for a Geo site. */
type Kind = "site" | "node";

const apiUrlOf = (kind: Kind, api: string, id: number) => `${api}/geo_${kind}s/${id}`;

const siteEntity = (kind: Kind) =>
  defineEntity(
    `geo_${kind}`,
    {
      id: z.int(),
      name: z.string(),
      url: z.url(),
      internal_url: z.url(),
      primary: z.boolean(),
      enabled: z.boolean(),
      current: z.boolean(),
      files_max_capacity: z.int(),
      repos_max_capacity: z.int(),
      verification_max_capacity: z.int(),
      container_repositories_max_capacity: z.int(),
      selective_sync_type: z.enum(SELECTIVE_SYNC_TYPES).nullable(),
      selective_sync_shards: z.array(z.string()),
      selective_sync_namespace_ids: z.array(z.int()),
      minimum_reverification_interval: z.int(),
      sync_object_storage: z.boolean(),
      web_edit_url: z.url(),
      _links: z.object({ self: z.url(), status: z.url(), repair: z.url() }),
    },
    (site: GeoSite, deps, _viewer, version) => {
      const self = apiUrlOf(kind, apiOf(deps, version), site.id);
      return {
        id: site.id,
        name: site.name,
        url: site.url,
        internal_url: site.internalUrl ?? site.url,
        primary: site.primary,
        enabled: site.enabled,
        current: site.primary,
        files_max_capacity: site.filesMaxCapacity,
        repos_max_capacity: site.reposMaxCapacity,
        verification_max_capacity: site.verificationMaxCapacity,
        container_repositories_max_capacity: site.containerRepositoriesMaxCapacity,
        selective_sync_type: site.selectiveSyncType,
        selective_sync_shards: [...site.selectiveSyncShards],
        selective_sync_namespace_ids: [...site.selectiveSyncNamespaceIds],
        minimum_reverification_interval: site.minimumReverificationInterval,
        sync_object_storage: site.syncObjectStorage,
        web_edit_url: `${deps.config.issuer}/admin/geo/sites/${site.id}/edit`,
        _links: { self, status: `${self}/status`, repair: `${self}/repair` },
      };
    },
  );

/** The response for a Geo site. */
export const geoSite = siteEntity("site");
/** The response of the API v4 for a Geo site, which the API v4 calls `node`. */
export const geoNode = siteEntity("node");

const figure = z.int().nullable();
const figureFields = Object.fromEntries(FIGURES.map((name) => [name, figure])) as Record<
  (typeof FIGURES)[number],
  typeof figure
>;

const statusFields = {
  geo_node_id: z.int(),
  healthy: z.boolean(),
  health: z.string(),
  health_status: z.enum(["Healthy", "Unhealthy"]),
  missing_oauth_application: z.boolean(),
  ...figureFields,
  repositories_synced_in_percentage: z.string(),
  repositories_verified_in_percentage: z.string(),
  repositories_checksummed_in_percentage: z.string(),
  selective_sync_type: z.enum(SELECTIVE_SYNC_TYPES).nullable(),
  namespaces: z.array(z.object(namespaceFields)),
  storage_shards_match: z.boolean().nullable(),
  version: z.string().nullable(),
  revision: z.string().nullable(),
  updated_at: moment.nullable(),
};

const statusOf = (status: SiteStatus, issuer: string) => {
  const { site, figures, problem } = status;
  const part = (name: keyof typeof figures) => percentage(figures[name], figures.repositories_count);
  const healthy = problem === "";
  return {
    geo_node_id: site.id,
    healthy,
    health: healthy ? "Healthy" : problem,
    health_status: healthy ? ("Healthy" as const) : ("Unhealthy" as const),
    missing_oauth_application: status.missingApplication,
    ...figures,
    repositories_synced_in_percentage: part("repositories_synced_count"),
    repositories_verified_in_percentage: part("repositories_verified_count"),
    repositories_checksummed_in_percentage: part("repositories_checksummed_count"),
    selective_sync_type: site.selectiveSyncType,
    namespaces: status.namespaces.map((group) => namespaceOf({ kind: "group", group }, issuer)),
    storage_shards_match: status.storageShardsMatch,
    version: status.version,
    revision: status.revision,
    updated_at: status.updatedAt?.toISOString() ?? null,
  };
};

/** The response for the status of a Geo site. A count that this instance does not determine is null. */
export const geoSiteStatus = defineEntity(
  "geo_site_status",
  { ...statusFields, _links: z.object({ self: z.url(), site: z.url() }) },
  (status: SiteStatus, deps, _viewer, version) => {
    const site = apiUrlOf("site", apiOf(deps, version), status.site.id);
    return { ...statusOf(status, deps.config.issuer), _links: { self: `${site}/status`, site } };
  },
);
export const geoNodeStatus = defineEntity(
  "geo_node_status",
  { ...statusFields, _links: z.object({ self: z.url(), node: z.url() }) },
  (status: SiteStatus, deps, _viewer, version) => {
    const node = apiUrlOf("node", apiOf(deps, version), status.site.id);
    return { ...statusOf(status, deps.config.issuer), _links: { self: `${node}/status`, node } };
  },
);
