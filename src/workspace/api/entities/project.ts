import { z } from "zod";
import { ROLES } from "@/access/roles";
import { VISIBILITIES } from "@/access/visibility";
import { apiOf, defineEntity, moment } from "@/http-api/entity";
import type { ApiVersion } from "@/http-api/versions";
import type { Deps } from "@/kernel/deps/deps";
import {
  type AuthorizedProject,
  MERGE_METHODS,
  nameWithNamespaceOf,
  type Project,
} from "@/workspace/projects/rules";
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

const projectOf = (project: Project, deps: Deps, version: ApiVersion) => {
  const { issuer } = deps.config;
  const self = `${apiOf(deps, version)}/projects/${project.id}`;
  const namespace = namespaceOf(project.namespace, issuer);
  return {
    id: project.id,
    description: project.description === "" ? null : project.description,
    name: project.name,
    name_with_namespace: nameWithNamespaceOf(project),
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: project.createdAt.toISOString(),
    default_branch: null,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: null,
    http_url_to_repo: `${issuer}/${project.fullPath}.git`,
    web_url: `${issuer}/${project.fullPath}`,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: project.lastActivityAt.toISOString(),
    visibility: project.visibility,
    archived: false,
    creator_id: project.creatorId,
    merge_method: project.mergeMethod,
    namespace,
    _links: { self, members: `${self}/members` },
  };
};

/**
 * A project in a list. `default_branch` is always null in a list, because the database row does not contain
 * the viewer's role and therefore does not show whether the viewer may read the source code. Clients can
 * request the single project to get its default branch.
 */
export const project = defineEntity("project", fields, (project: Project, deps, _viewer, version) =>
  projectOf(project, deps, version),
);

/**
 * A project with its default branch. The default branch is null if the project has no default branch, or if
 * the viewer may not read the source code.
 */
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
  (project: DetailedProject, deps, _viewer, version) =>
    Object.assign(projectOf(project, deps, version), {
      default_branch: project.defaultBranch,
      permissions: {
        project_access:
          project.role === null ? null : { access_level: ROLES[project.role].level, notification_level: 3 },
        group_access: null,
      },
    }),
);
