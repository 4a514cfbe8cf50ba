import { findCached, keepCached } from "@/code/git/object-cache";
import { type GitObject, readObjects, type StoredRepository } from "@/code/git/object-process";
import { GitFailed } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { parseTag } from "./object-format";
import { type RepositoryOf, storedRepository } from "./service";

type Needs = Pick<Deps, "config">;

/** The content of an object. */
type Content = Pick<GitObject, "kind" | "content">;

const cacheKey = ({ key }: StoredRepository, id: string): string => `${key} ${id}`;

/**
 * Returns the contents of objects by their full ids, from the cache or from Git.
 * @throws GitFailed where an object does not exist; GitLimit, GitBusy.
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

/** Returns the content of an object. @throws GitFailed where it does not exist or is of another kind. */
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

/** Returns the kind and size of an object by its full or abbreviated id, without its content. */
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
 * Returns the contents of those objects that are commits or annotated tags. Their kinds are read first: a large file must
 * not be read to find out that it is neither.
 * @throws GitFailed where an object does not exist; GitLimit, GitBusy.
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
 * Returns the commit that an object is or, through any chain of annotated tags, names; null for other objects.
 * @throws GitFailed where the object does not exist.
 */
export async function peelToCommit(deps: Needs, project: RepositoryOf, id: string): Promise<string | null> {
  for (let current = id; ; ) {
    const object = (await findCommitsAndTags(deps, project, [current])).get(current);
    if (object === undefined) return null;
    if (object.kind === "commit") return current;
    current = parseTag(object.content).target;
  }
}
