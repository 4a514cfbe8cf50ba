import { findCached, keepCached } from "@/code/git/object-cache";
import { type GitObject, readObjects, type StoredRepository } from "@/code/git/object-process";
import { GitFailed } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { parseTag } from "./object-format";
import { type RepositoryOf, storedRepository } from "./service";

type Needs = Pick<Deps, "config">;

/** The kind and the content of an object. */
type Content = Pick<GitObject, "kind" | "content">;

const cacheKey = ({ key }: StoredRepository, id: string): string => `${key} ${id}`;

/**
 * Returns the objects with these full ids, from the cache or from Git.
 * @throws GitFailed if an object does not exist; GitLimit; GitBusy.
 */
export async function requireObjects(
  deps: Needs,
  project: RepositoryOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  const repository = await storedRepository(deps, project);
  const contents = new Map<string, Content>();
  const unread = new Set<string>();
  for (const id of ids) {
    const cached = findCached(cacheKey(repository, id));
    if (cached === undefined) unread.add(id);
    else contents.set(id, cached);
  }
  const request = { repository, path: deps.config.programPath, ids: [...unread] };
  for (const [index, answer] of (await readObjects(request)).entries()) {
    const id = request.ids[index] ?? "";
    if (typeof answer === "string") throw new GitFailed(["cat-file"], 128, `${id} ${answer}`);
    keepCached(cacheKey(repository, id), answer);
    contents.set(id, answer);
  }
  return contents;
}

/** Returns the content of an object. @throws GitFailed if the object does not exist or has another kind. */
export async function requireObject(
  deps: Needs,
  project: RepositoryOf,
  kind: string,
  id: string,
): Promise<Buffer> {
  const object = (await requireObjects(deps, project, [id])).get(id);
  if (object?.kind !== kind) throw new GitFailed(["cat-file"], 128, `${id} is not a ${kind}`);
  return object.content;
}

/** Returns the kind and the size of the object with this full or abbreviated id. */
export async function objectInfo(
  deps: Needs,
  project: RepositoryOf,
  id: string,
): Promise<Pick<GitObject, "id" | "kind" | "sizeBytes"> | "missing" | "ambiguous"> {
  const repository = await storedRepository(deps, project);
  const cached = findCached(cacheKey(repository, id));
  if (cached !== undefined) return { id, kind: cached.kind, sizeBytes: cached.content.byteLength };
  const request = { repository, path: deps.config.programPath, ids: [id], withoutContent: true };
  return (await readObjects(request))[0] ?? "missing";
}

/**
 * Returns those of the objects that are commits or annotated tags. The kinds of the objects are requested first, so
 * that the contents of large files are not read.
 * @throws GitFailed if an object does not exist; GitLimit; GitBusy.
 */
export async function findCommitsAndTags(
  deps: Needs,
  project: RepositoryOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  const repository = await storedRepository(deps, project);
  const kinds = new Map(ids.map((id) => [id, findCached(cacheKey(repository, id))?.kind]));
  const unknown = [...kinds].flatMap(([id, kind]) => (kind === undefined ? id : []));
  const request = { repository, path: deps.config.programPath, ids: unknown, withoutContent: true };
  for (const [index, answer] of (await readObjects(request)).entries()) {
    const id = unknown[index] ?? "";
    if (typeof answer === "string") throw new GitFailed(["cat-file"], 128, `${id} ${answer}`);
    kinds.set(id, answer.kind);
  }
  const wanted = [...kinds].flatMap(([id, kind]) => (kind === "commit" || kind === "tag" ? id : []));
  return requireObjects(deps, project, wanted);
}

/**
 * Follows annotated tags from an object to a commit. Returns the id of the commit; null if the object is neither a
 * commit nor a tag that leads to a commit.
 * @throws GitFailed if the object does not exist.
 */
export async function peelToCommit(deps: Needs, project: RepositoryOf, id: string): Promise<string | null> {
  for (let current = id; ; ) {
    const object = (await findCommitsAndTags(deps, project, [current])).get(current);
    if (object === undefined) return null;
    if (object.kind === "commit") return current;
    current = parseTag(object.content).target;
  }
}
