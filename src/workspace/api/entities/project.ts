import { z } from "zod";
import { ROLES } from "@/access/roles";
import { VISIBILITIES } from "@/access/visibility";
import { apiOf, defineEntity, moment } from "@/http-api/entity";
import type { ApiVersion } from "@/http-api/versions";
import type { Deps } from "@/kernel/deps/deps";
import { type AuthorizedProject, MERGE_METHODS, type Project } from "@/workspace/projects/rules";
import { namespaceFields, namespaceOf } from "./namespace";

const fields = {
  id: z.int(),
  description: z.string().nullable(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: moment,
  default_branch: z.string().nullable(),
  tag_list: z.array(z.string()),
  topics: z.array(z.string()),
  ssh_url_to_repo: z.string().nullable(),
  http_url_to_repo: z.url(),
  web_url: z.url(),
  readme_url: z.url().nullable(),
  forks_count: z.int(),
  avatar_url: z.null(),
  star_count: z.int(),
  last_activity_at: moment,
  visibility: z.enum(VISIBILITIES),
  archived: z.boolean(),
  creator_id: z.int().nullable(),
  merge_method: z.enum(MERGE_METHODS),
  namespace: z.object(namespaceFields),
  _links: z.object({ self: z.url(), members: z.url() }),
};

const projectOf = (one: Project, deps: Deps, version: ApiVersion) => {
  const { issuer } = deps.config;
  const self = `${apiOf(deps, version)}/projects/${one.id}`;
  const namespace = namespaceOf(one.namespace, issuer);
  return {
    id: one.id,
    description: one.description === "" ? null : one.description,
    name: one.name,
    name_with_namespace: `${namespace.name} / ${one.name}`,
    path: one.path,
    path_with_namespace: one.fullPath,
    created_at: one.createdAt.toISOString(),
    default_branch: null,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: null,
    http_url_to_repo: `${issuer}/${one.fullPath}.git`,
    web_url: `${issuer}/${one.fullPath}`,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: one.lastActivityAt.toISOString(),
    visibility: one.visibility,
    archived: false,
    creator_id: one.creatorId,
    merge_method: one.mergeMethod,
    namespace,
    _links: { self, members: `${self}/members` },
  };
};

/**
 * A project in a list. `default_branch` is null here: reading it would run two Git commands for each row. Clients that
 * need it read the single project.
 */
export const project = defineEntity("project", fields, (one: Project, deps, _viewer, version) =>
  projectOf(one, deps, version),
);

/** A project with its default branch; null where there is none or the viewer may not read the code. */
export type DetailedProject = AuthorizedProject & Readonly<{ defaultBranch: string | null }>;

/** A single project, with the access level of the caller. */
export const projectDetails = defineEntity(
  "project_details",
  {
    ...fields,
    permissions: z.object({
      project_access: z.object({ access_level: z.int(), notification_level: z.int() }).nullable(),
      group_access: z.null(),
    }),
  },
  (one: DetailedProject, deps, _viewer, version) =>
    Object.assign(projectOf(one, deps, version), {
      default_branch: one.defaultBranch,
      permissions: {
        project_access:
          one.role === null ? null : { access_level: ROLES[one.role].level, notification_level: 3 },
        group_access: null,
      },
    }),
);
