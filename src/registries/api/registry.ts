import { z } from "zod";
import { mayFetch } from "@/access/code";
import type { Principal } from "@/access/principal";
import { ApiError, badRequest, forbidden, invalidParameters, notFound } from "@/http-api/errors";
import { flag, id, text, whole } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";
import { RegistryUnavailable, type TagDetails } from "@/registries/container-registry/images";
import { parseAgeMs } from "@/registries/container-registry/rules";
import * as registry from "@/registries/container-registry/service";
import { tagPattern } from "@/registries/container-registry/tag-pattern";
import type { InGroup, InProject, OpenProject } from "@/workspace/api/access-rules";
import { findProject } from "@/workspace/projects/service";
import type { ShownRepository, TagOf } from "./entities/container-repository";

/**
 * Runs a function that sends requests to the container registry.
 * @throws ApiError 404 if the instance has no container registry, 503 if a request to the registry fails.
 */
async function inRegistry<Result>(deps: Deps, run: () => Promise<Result>): Promise<Result> {
  if (deps.config.registry === null)
    throw new ApiError(404, { message: "404 Container registry is not enabled on this instance" });
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof RegistryUnavailable)) throw cause;
    deps.log.warn({ event: "registry.unavailable" }, cause);
    throw new ApiError(503, { message: `503 Service Unavailable - ${cause.message}` });
  }
}

export const repositorySearch = z.object({
  tags: flag.default(false).describe("Whether to include the tags of each repository."),
  tags_count: flag.default(false).describe("Whether to include the number of tags of each repository."),
});
type Search = z.infer<typeof repositorySearch>;

const shown =
  ({ tags, tags_count }: Search) =>
  (row: registry.ListedRepository): ShownRepository => ({ ...row, shows: { tags, count: tags_count } });

const wantsTags = ({ tags, tags_count }: Search): boolean => tags || tags_count;

export const listProjectRepositories = (
  deps: Deps,
  { project }: OpenProject,
  search: Search,
  paging: Paging,
): Promise<Page<ShownRepository>> => listed(deps, { projectId: project.id }, search, paging);

export const listGroupRepositories = (
  deps: Deps,
  { group }: InGroup,
  search: Search,
  paging: Paging,
): Promise<Page<ShownRepository>> => listed(deps, { groupId: group.id }, search, paging);

const listed = (
  deps: Deps,
  owner: Parameters<typeof registry.listRepositories>[1],
  search: Search,
  paging: Paging,
): Promise<Page<ShownRepository>> =>
  inRegistry(deps, async () => {
    const page = await registry.listRepositories(deps, owner, wantsTags(search), paging);
    return { ...page, rows: page.rows.map(shown(search)) };
  });

export const singleRepository = repositorySearch.extend({ id });

/**
 * Returns a container repository.
 * @throws ApiError 404 if the repository does not exist, or the caller cannot see the project of the
 * repository.
 */
export const readRepository = (
  deps: Deps,
  caller: Principal | null,
  { id: repositoryId, ...search }: z.infer<typeof singleRepository>,
): Promise<ShownRepository> =>
  inRegistry(deps, async () => {
    const row = await registry.findRepository(deps, repositoryId);
    const project = row && (await findProject(deps, String(row.projectId), caller?.user ?? null));
    if (row === null || project === null) throw notFound();
    if (!mayFetch(project.visibility, project.role)) throw forbidden();
    return shown(search)(await registry.withTagsOf(deps, row, wantsTags(search)));
  });

export const repositoryReference = z.object({ repository_id: id });
type Reference = z.infer<typeof repositoryReference>;

/** Returns a container repository of a project. @throws ApiError 404 if the project has no such repository. */
async function repositoryIn(deps: Deps, { project }: OpenProject, { repository_id }: Reference) {
  const row = await registry.findRepository(deps, repository_id);
  if (row?.projectId !== project.id) throw notFound("Container Repository");
  return row;
}

export const removeRepository = (deps: Deps, context: InProject, reference: Reference): Promise<null> =>
  inRegistry(deps, async () => {
    await registry.removeRepository(deps, await repositoryIn(deps, context, reference), context.user);
    return null;
  });

export const listTags = (
  deps: Deps,
  context: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<TagOf>> =>
  inRegistry(deps, async () => {
    const repository = await repositoryIn(deps, context, reference);
    const page = partOf(await registry.tagsOf(deps, repository), paging);
    return { ...page, rows: page.rows.map((tag) => ({ repository, tag })) };
  });

export const tagReference = repositoryReference.extend({ tag_name: text(255) });
type TagReference = z.infer<typeof tagReference>;

/** Returns the details of a tag. @throws ApiError 404 if the repository has no such tag. */
export const readTag = (
  deps: Deps,
  context: OpenProject,
  reference: TagReference,
): Promise<TagOf & Readonly<{ details: TagDetails }>> =>
  inRegistry(deps, async () => {
    const repository = await repositoryIn(deps, context, reference);
    const details = await registry.tagDetails(deps, repository, reference.tag_name);
    if (details === null) throw notFound("Tag");
    return { repository, tag: reference.tag_name, details };
  });

/** Deletes a tag. @throws ApiError 404 if the repository has no such tag. */
export const removeTag = (deps: Deps, context: InProject, reference: TagReference): Promise<null> =>
  inRegistry(deps, async () => {
    const repository = await repositoryIn(deps, context, reference);
    if (!(await registry.removeOneTag(deps, repository, reference.tag_name, context.user)))
      throw notFound("Tag");
    return null;
  });

const pattern = (name: string) =>
  z
    .string()
    .refine((pattern) => tagPattern(pattern) !== null, { message: `${name} is invalid` })
    .describe("A regular expression (RE2, at most 100 characters) that must match the whole name of a tag.");

export const bulkRemoval = repositoryReference.extend({
  name_regex_delete: pattern("name_regex_delete").optional(),
  name_regex: pattern("name_regex")
    .optional()
    .describe("A deprecated alias of the parameter name_regex_delete."),
  name_regex_keep: pattern("name_regex_keep").optional(),
  keep_n: whole.default(0).describe("The number of newest matching tags to keep."),
  older_than: z
    .string()
    .transform((text) => parseAgeMs(text))
    .pipe(z.number())
    .optional()
    .meta({ type: "string" })
    .describe("The minimum age of the tags to delete, such as 1h, 7d or 1month."),
});

/**
 * Schedules a bulk deletion of tags.
 * @throws ApiError 400 if the request contains no pattern, or the last bulk deletion was requested less than
 * an hour ago.
 */
export const removeTags = (
  deps: Deps,
  context: InProject,
  {
    name_regex_delete,
    name_regex,
    name_regex_keep,
    keep_n,
    older_than,
    ...reference
  }: z.infer<typeof bulkRemoval>,
): Promise<null> =>
  inRegistry(deps, async () => {
    const repository = await repositoryIn(deps, context, reference);
    const remove = name_regex_delete ?? name_regex;
    if (remove === undefined) throw invalidParameters(["name_regex_delete is missing"]);
    const cleanup = {
      remove,
      keep: name_regex_keep ?? null,
      keepNewest: keep_n,
      olderThanMs: older_than ?? null,
    };
    if (await registry.scheduleTagRemoval(deps, repository, cleanup, context.user)) return null;
    throw badRequest(
      "This request has already been made. You can run this at most once an hour for a given container repository",
    );
  });
