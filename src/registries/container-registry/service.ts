import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { OWN_SUBJECT, projectsOf } from "./image-rights";
import {
  isManifestType,
  listTags,
  mapConcurrently,
  openImages,
  readTag,
  removeTag,
  type TagDetails,
} from "./images";
import { CLEANUP_EVERY_MS, isImagePath, isTagName } from "./rules";
import type { Cleanup, RegistryEvent } from "./schema";
import * as store from "./store";

export type ContainerRepository = store.ContainerRepository;

/** A container repository. `tags` is null if the request does not ask for the tags. */
export type ListedRepository = ContainerRepository & Readonly<{ tags: readonly string[] | null }>;

/**
 * Returns a page of the container repositories of a project or of a group, ordered by id. The repositories of
 * a group are the repositories of all projects in the group and its descendants.
 */
export async function listRepositories(
  deps: Deps,
  owner: store.Owner,
  withTags: boolean,
  paging: Paging,
): Promise<Page<ListedRepository>> {
  const page = await store.list(deps, owner, paging);
  return { ...page, rows: await mapConcurrently(page.rows, (row) => withTagsOf(deps, row, withTags)) };
}

/**
 * Returns a container repository, with its tags if `withTags` is true.
 * @throws RegistryUnavailable if the registry does not return the tags.
 */
export const withTagsOf = async (
  deps: Deps,
  row: ContainerRepository,
  withTags: boolean,
): Promise<ListedRepository> => ({ ...row, tags: withTags ? await tagsOf(deps, row) : null });

/**
 * Returns the container repository with this id; null if the repository does not exist or is being deleted.
 */
export const findRepository = (
  { reads }: Pick<Deps, "reads">,
  id: number,
): Promise<ContainerRepository | null> => store.findById(reads, id);

/**
 * Returns the tags of a repository, ordered by name.
 * @throws RegistryUnavailable if the registry does not return the tags.
 */
export const tagsOf = async (deps: Deps, { path }: ContainerRepository): Promise<readonly string[]> =>
  listTags(await openImages(deps, path));

/**
 * Returns the details of a tag; null if the tag does not exist.
 * @throws RegistryUnavailable if the registry fails.
 */
export const tagDetails = async (
  deps: Deps,
  { path }: ContainerRepository,
  tag: string,
): Promise<TagDetails | null> => (isTagName(tag) ? readTag(await openImages(deps, path), tag) : null);

/**
 * Deletes a tag immediately.
 * @returns false if the tag does not exist.
 * @throws RegistryUnavailable if the registry fails.
 */
export async function removeOneTag(
  deps: Deps,
  repository: ContainerRepository,
  tag: string,
  by: User,
): Promise<boolean> {
  if (!isTagName(tag) || !(await removeTag(await openImages(deps, repository.path), tag))) return false;
  await audit.record(
    deps,
    "registry.tags_removed",
    { ...auditDetailsOf(repository), tag },
    { userId: by.id },
  );
  return true;
}

const auditDetailsOf = ({ id, path }: ContainerRepository) => ({ id, path });

/**
 * Hides a repository immediately, and schedules the deletion of the repository in the registry.
 * @returns false if the repository was already deleted.
 */
export const removeRepository = (deps: Deps, repository: ContainerRepository, by: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.markRemoved(within.db, repository.id, within.clock()))) return false;
    const about = { userId: by.id };
    await audit.record(within, "registry.repository_removed", auditDetailsOf(repository), about);
    return true;
  });

/**
 * Schedules a bulk deletion of the tags that match the patterns.
 * @returns false if the last bulk deletion was requested less than an hour ago.
 */
export const scheduleTagRemoval = (
  deps: Deps,
  repository: ContainerRepository,
  cleanup: Cleanup,
  by: User,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    const now = within.clock();
    const times = { now, last: new Date(now.getTime() - CLEANUP_EVERY_MS) };
    if (!(await store.setCleanup(within.db, repository.id, JSON.stringify(cleanup), times))) return false;
    const details = { ...auditDetailsOf(repository), tag: null };
    await audit.record(within, "registry.tags_removed", details, { userId: by.id });
    return true;
  });

/**
 * Creates database rows for the repositories that the push events of the registry name. Pushes by the
 * instance itself are ignored. If the project of a repository was deleted before the event arrived, the row
 * contains no project, so that the images of the repository are deleted. Deletion events are ignored: an
 * empty repository still exists in the registry until a user deletes the repository.
 */
export async function recordImageEvents(deps: Deps, events: readonly RegistryEvent[]): Promise<void> {
  const pushed = events.filter(
    ({ action, target, actor }) =>
      action === "push" &&
      isManifestType(target.mediaType) &&
      isImagePath(target.repository) &&
      actor.name !== OWN_SUBJECT,
  );
  const paths = [...new Set(pushed.map(({ target }) => target.repository))];
  if (paths.length === 0) return;
  // A concurrent notification may have inserted some of the repositories. The second attempt inserts only
  // rows that are still missing.
  await recordImages(deps, paths).catch((cause: unknown) => {
    if (isUniqueViolation(cause)) return recordImages(deps, paths);
    throw cause;
  });
}

async function recordImages(deps: Deps, paths: readonly string[]): Promise<void> {
  const existingPaths = new Set((await store.findOwners(deps.db, paths)).map(({ path }) => path));
  const newPaths = paths.filter((path) => !existingPaths.has(path));
  if (newPaths.length === 0) return;
  const projects = await projectsOf(deps, newPaths);
  const createdAt = deps.clock();
  const rows = newPaths.map((path) => ({ path, projectId: projects.get(path)?.id ?? null, createdAt }));
  await store.insert(deps.db, rows);
}
