import { isReferenceName, listReferences, readHead, readReference } from "@/code/git/reference-files";
import type { Deps } from "@/kernel/deps/deps";
import { type Commit, readCommits } from "./commit";
import { type CommitOrTag, findCommitsAndTags } from "./objects";
import { type CodeOf, findCommit, gitIn, isObjectId, writeOrNull } from "./revision";
import { REFERENCE_NAME_BYTES_MAX } from "./rules";
import { folderOf } from "./service";

export type Branch = Readonly<{ name: string; commit: Commit; isDefault: boolean }>;
export type Tag = Readonly<{
  name: string;
  /** The message of an annotated tag; empty for a lightweight tag. */
  message: string;
  /** The id of the object to which the reference points. The reference of an annotated tag points to the tag object. */
  target: string;
  commit: Commit;
}>;

const BRANCHES = "refs/heads/";
const TAGS = "refs/tags/";

/** Returns the name of the default branch; null if the repository is empty. */
export function defaultBranch(deps: Pick<Deps, "config">, project: CodeOf): string | null {
  const folder = folderOf(deps, project);
  const head = readHead(folder);
  if (head === null || !head.startsWith(BRANCHES) || readReference(folder, head) === null) return null;
  return head.slice(BRANCHES.length);
}

/** Returns the ids of the head commits of all branches, with the branch name as key, ordered by name. */
export const branchHeads = (
  deps: Pick<Deps, "config">,
  project: CodeOf,
): Promise<ReadonlyMap<string, string>> => referencesBelow(deps, project, BRANCHES);

/**
 * Returns the object ids of the references whose names begin with a prefix. The keys are the names without
 * the prefix.
 */
async function referencesBelow(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const few = listReferences(folderOf(deps, project), prefix);
  if (few !== null) return few;
  const format = "--format=%(objectname) %(refname)";
  const lines = namesIn(await gitIn(deps, project, ["for-each-ref", format, prefix]));
  return new Map(
    lines.map((line) => {
      const [id = "", ...name] = line.split(" ");
      return [name.join(" ").slice(prefix.length), id];
    }),
  );
}

/** Returns the id of the head commit of a branch; null if the branch does not exist. */
export const branchHead = (deps: Pick<Deps, "config">, project: CodeOf, name: string): string | null =>
  isBranchName(name) ? readReference(folderOf(deps, project), `${BRANCHES}${name}`) : null;

/** Returns whether a branch or a tag has this name. */
export const isReference = (deps: Pick<Deps, "config">, project: CodeOf, name: string): boolean =>
  [BRANCHES, TAGS].some((prefix) => readReference(folderOf(deps, project), `${prefix}${name}`) !== null);

/** Returns the branches whose names match `search`, ordered by name. */
export async function listBranches(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  search = "",
): Promise<readonly Branch[]> {
  const heads = [...(await branchHeads(deps, project))].filter(([name]) => nameMatches(name, search));
  const commits = await readCommits(deps, project, [...new Set(heads.map(([, hash]) => hash))]);
  const main = defaultBranch(deps, project);
  return heads.flatMap(([name, hash]) => {
    const commit = commits.get(hash);
    return commit === undefined ? [] : [{ name, commit, isDefault: name === main }];
  });
}

/**
 * Returns whether a name contains the search text, ignoring case. `^text` matches the beginning of the name,
 * and `text$` matches the end of the name.
 */
function nameMatches(name: string, search: string): boolean {
  const lower = name.toLowerCase();
  const text = search.toLowerCase();
  const isBeginning = text.startsWith("^");
  const isEnd = text.endsWith("$");
  const part = text.slice(isBeginning ? 1 : 0, isEnd ? -1 : undefined);
  if (isBeginning && isEnd) return lower === part;
  if (isBeginning) return lower.startsWith(part);
  return isEnd ? lower.endsWith(part) : lower.includes(part);
}

/** The names of branches and tags that a user can choose from. */
export type Names = Readonly<{ branches: readonly string[]; tags: readonly string[] }>;

const NAMES_MAX = 500;

/** Returns the names of up to 500 branches and 500 tags, in alphabetical order. */
export async function listNames(deps: Pick<Deps, "config">, project: CodeOf): Promise<Names> {
  const namesBelow = async (prefix: string) =>
    [...(await referencesBelow(deps, project, prefix)).keys()].slice(0, NAMES_MAX);
  const [branches, tags] = await Promise.all([namesBelow(BRANCHES), namesBelow(TAGS)]);
  return { branches, tags };
}

/** Returns the branch with this complete name, or null. */
export async function findBranch(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  name: string,
): Promise<Branch | null> {
  const hash = branchHead(deps, project, name);
  if (hash === null) return null;
  const commit = (await readCommits(deps, project, [hash])).get(hash);
  if (commit === undefined) return null;
  return { name, commit, isDefault: name === defaultBranch(deps, project) };
}

/** Returns the names of the branches that contain a commit. */
export async function branchesWith(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  commit: string,
): Promise<readonly string[]> {
  const args = ["for-each-ref", `--contains=${commit}`, "--format=%(refname:lstrip=2)", "refs/heads"];
  return namesIn(await gitIn(deps, project, args));
}

const namesIn = (out: Buffer): readonly string[] => out.toString("utf8").split("\n").filter(Boolean);

/**
 * Returns whether a text is a valid branch name by the rules of `git check-ref-format`. The name `HEAD` is
 * also invalid.
 */
export const isBranchName = (name: string): boolean =>
  name.length <= 244 &&
  name !== "HEAD" &&
  name !== "@" &&
  !name.startsWith("-") &&
  isReferenceName(`${BRANCHES}${name}`);

/**
 * Returns whether a new branch can have this name. Names that look like an object id or a full reference
 * (`refs/...`) are rejected, as in the update hook.
 */
const isNewBranchName = (name: string): boolean =>
  isBranchName(name) &&
  Buffer.byteLength(name) <= REFERENCE_NAME_BYTES_MAX &&
  !isObjectId(name) &&
  !name.startsWith("refs/");

export type BranchRefusal = "bad_name" | "exists" | "no_commit" | "default" | "not_found";

/** Creates a branch at a revision. @returns the branch, or the reason for the refusal. */
export async function createBranch(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { name, revision }: Readonly<{ name: string; revision: string }>,
): Promise<Branch | BranchRefusal> {
  if (!isNewBranchName(name)) return "bad_name";
  const commit = await findCommit(deps, project, revision);
  if (commit === null) return "no_commit";
  // The expected old object id consists of zeros, so `git update-ref` fails if the branch already exists.
  // Only one of two concurrent calls therefore succeeds.
  const zeros = "0".repeat(40);
  const output = await writeOrNull(deps, project, ["update-ref", `refs/heads/${name}`, commit, zeros]);
  if (output === null) return "exists";
  return (await findBranch(deps, project, name)) ?? "not_found";
}

/** Deletes a branch other than the default branch. @returns the deleted branch, or the reason for the refusal. */
export async function removeBranch(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  name: string,
): Promise<Branch | BranchRefusal> {
  const branch = await findBranch(deps, project, name);
  if (branch === null) return "not_found";
  if (branch.isDefault) return "default";
  const output = await writeOrNull(deps, project, [
    "update-ref",
    "-d",
    `refs/heads/${name}`,
    branch.commit.hash,
  ]);
  return output === null ? "not_found" : branch;
}

export type TagOrder = Readonly<{ by: "name" | "updated" | "version"; descending: boolean }>;

/** Returns the tags that point to commits, newest first by default. */
export async function listTags(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  search = "",
  order: TagOrder = { by: "updated", descending: true },
): Promise<readonly Tag[]> {
  const targets = [...(await referencesBelow(deps, project, TAGS))].filter(([name]) =>
    nameMatches(name, search),
  );
  const objects = await readTagged(
    deps,
    project,
    targets.map(([, target]) => target),
  );
  const tags = targets.flatMap(([name, target]) => {
    const commit = commitBehind(objects, target);
    if (commit === null) return [];
    const object = objects.get(target);
    const annotation = object?.kind === "tag" ? object.tag : null;
    const createdAt = annotation?.taggedAt ?? commit.committer.at;
    return [{ createdAt, tag: { name, message: annotation?.subject ?? "", target, commit } }];
  });
  if (order.by === "version")
    return inVersionOrder(
      deps,
      project,
      tags.map(({ tag }) => tag),
      order.descending,
    );
  const sign = order.descending ? -1 : 1;
  const sorted =
    order.by === "updated"
      ? tags.toSorted((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime()))
      : tags.toSorted((a, b) => (a.tag.name < b.tag.name ? -sign : sign));
  return sorted.map(({ tag }) => tag);
}

/** The maximum length of a chain of annotated tags. Tags with a longer chain are not listed. */
const TAG_CHAIN_MAX = 50;

/**
 * Returns the commits and annotated tags to which tags point, including all objects in chains of annotated
 * tags.
 */
async function readTagged(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommitOrTag>> {
  const objects = new Map<string, CommitOrTag>();
  let next = ids;
  for (let links = 0; next.length > 0 && links <= TAG_CHAIN_MAX; links += 1) {
    const layer = await findCommitsAndTags(deps, project, next);
    for (const [id, object] of layer) objects.set(id, object);
    next = [...layer.values()].flatMap((object) => (object.kind === "tag" ? object.tag.target : []));
  }
  return objects;
}

/** Returns the commit at the end of a chain of annotated tags; null if the chain does not end at a commit. */
function commitBehind(objects: ReadonlyMap<string, CommitOrTag>, id: string): Commit | null {
  let object = objects.get(id);
  while (object?.kind === "tag") object = objects.get(object.tag.target);
  return object?.commit ?? null;
}

/** Sorts tags as `git tag --sort=version:refname` does. */
async function inVersionOrder(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  tags: readonly Tag[],
  descending: boolean,
): Promise<readonly Tag[]> {
  const sort = `--sort=${descending ? "-" : ""}version:refname`;
  const out = await gitIn(deps, project, ["for-each-ref", sort, "--format=%(refname:lstrip=2)", TAGS]);
  const byName = new Map(tags.map((tag) => [tag.name, tag]));
  return namesIn(out).flatMap((name) => byName.get(name) ?? []);
}
