import { findCached, keepCached } from "@/code/git/object-cache";
import { type GitObject, readObjects, type StoredRepository } from "@/code/git/object-process";
import { GitFailed, GitLimit } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { type Commit, type ParsedTag, parseCommit, parseTag } from "./object-format";
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

/** A parsed commit or annotated tag. */
export type CommitOrTag =
  | Readonly<{ kind: "commit"; commit: Commit }>
  | Readonly<{ kind: "tag"; tag: ParsedTag }>;

/** The maximum total size of the commits that one request reads, and of the objects that are in memory at a time. */
const COMMITS_BYTES_MAX = 16 * 1024 * 1024;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Returns those of the objects that are commits or annotated tags. The kinds and sizes of the objects are requested
 * first, so that the contents of large files are not read.
 * @throws GitFailed if an object does not exist; GitLimit if the commits are too large together; GitBusy.
 */
export async function findCommitsAndTags(
  deps: Needs,
  project: RepositoryOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommitOrTag>> {
  const wanted = (await infosOf(deps, project, [...new Set(ids)])).filter(
    ({ kind }) => kind === "commit" || kind === "tag",
  );
  const commits = wanted.filter(({ kind }) => kind === "commit");
  if (commits.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0) > COMMITS_BYTES_MAX)
    throw new GitLimit(["cat-file"], "too_large");
  const objects = new Map<string, CommitOrTag>();
  for (const group of groupsOf(wanted))
    for (const [id, { kind, content }] of await requireObjects(deps, project, group))
      objects.set(
        id,
        kind === "commit"
          ? { kind, commit: parseCommit(id, content) }
          : { kind: "tag", tag: parseTag(content) },
      );
  return objects;
}

type Info = Readonly<{ id: string; kind: string; sizeBytes: number }>;

/** Returns the kinds and sizes of the objects with these full ids. @throws GitFailed if an object does not exist. */
async function infosOf(deps: Needs, project: RepositoryOf, ids: readonly string[]): Promise<readonly Info[]> {
  const repository = await storedRepository(deps, project);
  const infos: Info[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    const cached = findCached(cacheKey(repository, id));
    if (cached === undefined) unknown.push(id);
    else infos.push({ id, kind: cached.kind, sizeBytes: cached.content.byteLength });
  }
  const request = { repository, path: deps.config.programPath, ids: unknown, withoutContent: true };
  for (const [index, answer] of (await readObjects(request)).entries()) {
    if (typeof answer === "string") throw new GitFailed(["cat-file"], 128, `${unknown[index]} ${answer}`);
    infos.push(answer);
  }
  return infos;
}

/** Splits objects into groups of at most `GROUP_BYTES_MAX`. A larger object is a group of its own. */
function groupsOf(infos: readonly Info[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { id, sizeBytes } of infos) {
    bytes += sizeBytes;
    if (bytes <= GROUP_BYTES_MAX) groups.at(-1)?.push(id);
    else {
      groups.push([id]);
      bytes = sizeBytes;
    }
  }
  return groups;
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
    current = object.tag.target;
  }
}
