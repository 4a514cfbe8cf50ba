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

/** Images of one name, with their tags where those were asked for. */
export type ListedRepository = ContainerRepository & Readonly<{ tags: readonly string[] | null }>;

/** The images of a project, or of all projects below a group, by their ids. */
export async function listRepositories(
  deps: Deps,
  owner: store.Owner,
  withTags: boolean,
  paging: Paging,
): Promise<Page<ListedRepository>> {
  const page = await store.list(deps.db, owner, paging);
  return { ...page, rows: await mapConcurrently(page.rows, (row) => withTagsOf(deps, row, withTags)) };
}

/** @throws RegistryUnavailable when the tags are asked for, and the registry does not tell them. */
export const withTagsOf = async (
  deps: Deps,
  row: ContainerRepository,
  withTags: boolean,
): Promise<ListedRepository> => ({ ...row, tags: withTags ? await tagsOf(deps, row) : null });

/** Images by the id of their row; null for those that are being removed, too. */
export const findRepository = ({ db }: Pick<Deps, "db">, id: number): Promise<ContainerRepository | null> =>
  store.findById(db, id);

/** The tags, by their names. Raises RegistryUnavailable. */
export const tagsOf = async (deps: Deps, { path }: ContainerRepository): Promise<readonly string[]> =>
  listTags(await openImages(deps, path));

/** What is behind a tag; null where there is no such tag. Raises RegistryUnavailable. */
export const tagDetails = async (
  deps: Deps,
  { path }: ContainerRepository,
  tag: string,
): Promise<TagDetails | null> => (isTagName(tag) ? readTag(await openImages(deps, path), tag) : null);

/** Removes one tag at once. False: there is none. Raises RegistryUnavailable. */
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

/** Nobody sees the images any more; the registry is told soon after. False: somebody else was faster. */
export const removeRepository = (deps: Deps, repository: ContainerRepository, by: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.markRemoved(within.db, repository.id, within.clock()))) return false;
    const about = { userId: by.id };
    await audit.record(within, "registry.repository_removed", auditDetailsOf(repository), about);
    return true;
  });

/** Tags that match go soon after. False: that was asked for less than an hour ago. */
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
 * Takes down which images there are, as the registry tells of what was pushed; what the instance itself has put there is
 * left out. What belongs to no project was pushed to one that is gone by now: nobody is to have it, and it goes.
 * Removals change nothing here: a name without images is still one that the registry knows, until somebody removes it.
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
  // Another notification may tell of the same images at the same time: then what is missing is looked for again.
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
