import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import type { Deps } from "@/kernel/deps/deps";
import type { TagDetails } from "@/registries/container-registry/images";
import { nameInProject } from "@/registries/container-registry/rules";
import type { ContainerRepository, ListedRepository } from "@/registries/container-registry/service";

/** A tag of a container repository. */
export type TagOf = Readonly<{ repository: ContainerRepository; tag: string }>;

/** Returns the name with which clients pull an image: the host of the registry and the path. */
const locationOf = ({ config }: Deps, path: string): string => `${config.registry?.url.host ?? ""}/${path}`;

const tagFields = { name: z.string(), path: z.string(), location: z.string() };

const tagOf = ({ repository, tag }: TagOf, deps: Deps) => {
  const path = `${repository.path}:${tag}`;
  return { name: tag, path, location: locationOf(deps, path) };
};

export const containerTag = defineEntity("container_tag", tagFields, (repository: TagOf, deps) =>
  tagOf(repository, deps),
);

const fields = {
  id: z.int(),
  name: z.string(),
  path: z.string(),
  project_id: z.int(),
  location: z.string(),
  created_at: moment,
  cleanup_policy_started_at: moment.nullable(),
  tags_count: z.int().optional(),
  tags: z.array(z.object(tagFields)).optional(),
};

/**
 * A container repository, with the tags or the number of tags if the request has the parameter `tags` or
 * `tags_count`. The tags of the repository are read from the registry.
 */
export type ShownRepository = ListedRepository &
  Readonly<{ shows: Readonly<{ tags: boolean; count: boolean }> }>;

export const containerRepository = defineEntity(
  "container_repository",
  fields,
  ({ shows, tags, ...repository }: ShownRepository, deps) => ({
    id: repository.id,
    name: nameInProject(repository.path, repository.projectPath),
    path: repository.path,
    project_id: repository.projectId,
    location: locationOf(deps, repository.path),
    created_at: repository.createdAt.toISOString(),
    cleanup_policy_started_at: repository.cleanupStartedAt?.toISOString() ?? null,
    ...(shows.count && tags !== null ? { tags_count: tags.length } : {}),
    ...(shows.tags && tags !== null ? { tags: tags.map((tag) => tagOf({ repository, tag }, deps)) } : {}),
  }),
);

const SHORT_CHARACTERS = 9;

export const containerTagDetails = defineEntity(
  "container_tag_details",
  {
    ...tagFields,
    revision: z.string().nullable(),
    short_revision: z.string().nullable(),
    digest: z.string(),
    created_at: moment.nullable(),
    total_size: z.int().nullable(),
  },
  ({ details, ...tag }: TagOf & Readonly<{ details: TagDetails }>, deps) => ({
    ...tagOf(tag, deps),
    revision: details.revision,
    short_revision: details.revision?.slice(0, SHORT_CHARACTERS) ?? null,
    digest: details.digest,
    created_at: details.createdAt?.toISOString() ?? null,
    total_size: details.sizeBytes,
  }),
);
