import type { Deps } from "@/kernel/deps/deps";
import {
  type Images,
  listTags,
  mapConcurrently,
  openImages,
  readTag,
  removeImagesWithTags,
  removeTag,
} from "./images";
import { expiredTags, PROTECTED_TAG, RETRY_AFTER_MS } from "./rules";
import { type Cleanup, parseJson, storedCleanup } from "./schema";
import * as store from "./store";
import { tagPattern } from "./tag-pattern";

/** The maximum number of pending deletions that one database query of the cleanup job returns. */
const AT_MOST = 20;

/**
 * The number of tag names that the cleanup job compares with the patterns before it yields to the event loop.
 */
const NAMES_AT_ONCE = 100;

type JobOptions = Readonly<{ signal?: AbortSignal }>;

/**
 * Executes pending deletions in the registry: the images of deleted repositories and projects, and the tags
 * of bulk deletions. Deletions are idempotent, so several processes may run concurrently and may be stopped
 * at any time. Failed deletions are retried after a minute.
 * @returns the number of repositories for which a pending deletion was completed.
 */
export async function cleanUpRegistry(deps: Deps, options: JobOptions = {}): Promise<number> {
  if (deps.config.registry === null) return 0;
  let done = 0;
  for (const row of await store.due(deps.db, deps.clock(), AT_MOST)) {
    if (options.signal?.aborted) break;
    try {
      await cleanUpRepository(deps, row, options);
      done += 1;
    } catch (cause) {
      deps.log.warn({ event: "registry.upkeep_failed", repository: row.path }, cause);
      await store.postpone(deps.db, row.id, new Date(deps.clock().getTime() + RETRY_AFTER_MS));
    }
  }
  return done;
}

async function cleanUpRepository(deps: Deps, row: store.DueRepository, options: JobOptions): Promise<void> {
  const images = await openImages(deps, row.path);
  if (row.projectId === null || row.removedAt !== null) {
    await removeImagesWithTags(images, await listTags(images));
    await store.remove(deps.db, row.id);
    return;
  }
  const cleanup = storedCleanup.safeParse(parseJson(row.cleanup ?? ""));
  if (cleanup.success)
    for (const tag of await tagsToRemove(images, cleanup.data)) {
      if (options.signal?.aborted) return;
      await removeTag(images, tag);
    }
  await store.clearCleanup(deps.db, row);
}

async function tagsToRemove(images: Images, cleanup: Cleanup): Promise<readonly string[]> {
  const named = await matching(await listTags(images), cleanup);
  const { keepNewest, olderThanMs } = cleanup;
  if (keepNewest === 0 && olderThanMs === null) return named;
  const before = olderThanMs === null ? null : new Date(images.deps.clock().getTime() - olderThanMs);
  const dated = await mapConcurrently(named, async (name) => ({
    name,
    createdAt: (await readTag(images, name))?.createdAt ?? null,
  }));
  return expiredTags(dated, { keepNewest, before });
}

async function matching(names: readonly string[], { remove, keep }: Cleanup): Promise<readonly string[]> {
  const removes = tagPattern(remove);
  const keeps = keep === null ? () => false : tagPattern(keep);
  const matchingNames: string[] = [];
  // A stored pattern is always valid, because the server validates each pattern before it stores the pattern.
  if (removes === null || keeps === null) return matchingNames;
  for (const [at, name] of names.entries()) {
    if (at % NAMES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (name !== PROTECTED_TAG && removes(name) && !keeps(name)) matchingNames.push(name);
  }
  return matchingNames;
}
