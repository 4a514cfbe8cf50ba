import { findCached, keepCached } from "@/code/git/object-cache";
import { type GitObject, readObjects, type StoredRepository } from "@/code/git/object-process";
import { GitFailed, GitLimit } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { type Commit, type ParsedTag, parseCommit, parseTag } from "./object-format";
import { type RepositoryOf, storedRepository } from "./service";

type Needs = Pick<Deps, "config">;

/** The kind and the content of a Git object. */
type Content = Pick<GitObject, "kind" | "content">;

const cacheKey = ({ key }: StoredRepository, id: string): string => `${key} ${id}`;

/**
 * Returns the Git objects with these full ids, from the cache or from Git.
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

/**
 * Returns the content of a Git object.
 * @throws GitFailed if the object does not exist or has another kind.
 */
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

/** The kind and the size of a Git object. */
export type ObjectInfo = Pick<GitObject, "id" | "kind" | "sizeBytes">;

/**
 * Returns the kinds and sizes of the objects with these full or abbreviated ids, in the order of the ids.
 * Objects that are not in the cache are read with one request to a Git process.
 */
async function objectInfos(
  deps: Needs,
  project: RepositoryOf,
  ids: readonly string[],
): Promise<readonly (ObjectInfo | "missing" | "ambiguous")[]> {
  const repository = await storedRepository(deps, project);
  const cached = ids.map((id): ObjectInfo | null => {
    const object = findCached(cacheKey(repository, id));
    return object === undefined ? null : { id, kind: object.kind, sizeBytes: object.content.byteLength };
  });
  const unread = ids.filter((_, index) => cached[index] === null);
  const request = { repository, path: deps.config.programPath, ids: unread, withoutContent: true };
  const answers = (await readObjects(request)).values();
  return cached.map((info) => info ?? answers.next().value ?? "missing");
}

/** Returns the kind and the size of the object with this full or abbreviated id. */
export const objectInfo = async (
  deps: Needs,
  project: RepositoryOf,
  id: string,
): Promise<ObjectInfo | "missing" | "ambiguous"> => (await objectInfos(deps, project, [id]))[0] ?? "missing";

/** Returns the kinds and sizes of the objects with these full ids. @throws GitFailed if an object does not exist. */
async function requireInfos(
  deps: Needs,
  project: RepositoryOf,
  ids: readonly string[],
): Promise<readonly ObjectInfo[]> {
  const infos = await objectInfos(deps, project, ids);
  return infos.map((info, index) => {
    if (typeof info === "string") throw new GitFailed(["cat-file"], 128, `${ids[index]} ${info}`);
    return info;
  });
}

/** A parsed commit or annotated tag. */
export type CommitOrTag =
  | Readonly<{ kind: "commit"; commit: Commit }>
  | Readonly<{ kind: "tag"; tag: ParsedTag }>;

/**
 * The maximum total size of the commits that one request reads, and the maximum total size of the objects
 * that are in memory simultaneously.
 */
const COMMITS_BYTES_MAX = 16 * 1024 * 1024;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Returns the commits and annotated tags among the objects with the given ids. The kinds and sizes of the
 * objects are requested first, so that the contents of large files are not read.
 * @throws GitFailed if an object does not exist; GitLimit if the total size of the commits is too large;
 * GitBusy.
 */
export async function findCommitsAndTags(
  deps: Needs,
  project: RepositoryOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommitOrTag>> {
  const wanted = (await requireInfos(deps, project, [...new Set(ids)])).filter(
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

/**
 * Splits objects into groups whose total size is at most `GROUP_BYTES_MAX`. An object that is larger than
 * this limit forms a separate group.
 */
function groupsOf(infos: readonly ObjectInfo[]): readonly (readonly string[])[] {
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
 * Follows annotated tags from an object to a commit. Returns the id of the commit; null if the chain does not
 * end at a commit.
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
