import type { Deps } from "@/kernel/deps/deps";
import { type Commit, readCommits } from "./commit";
import {
  type CodeOf,
  findCommit,
  findReferences,
  gitIn,
  gitOrNull,
  isObjectId,
  writeOrNull,
} from "./revision";
import { REFERENCE_NAME_BYTES_MAX } from "./rules";

export type Branch = Readonly<{ name: string; commit: Commit; isDefault: boolean }>;
export type Tag = Readonly<{
  name: string;
  /** The message of an annotated tag; empty for a lightweight tag. */
  message: string;
  /** The id of the object that the reference names. For an annotated tag, this is the tag object. */
  target: string;
  commit: Commit;
}>;

const NUL = "%00";

/** Returns the name of the default branch; null while the repository is empty. */
export async function defaultBranch(deps: Pick<Deps, "config">, project: CodeOf): Promise<string | null> {
  // The option `--short` is not used: it would return `heads/main` if a tag `main` exists.
  const out = await gitOrNull(deps, project, ["symbolic-ref", "HEAD"]);
  const [, name = ""] = /^refs\/heads\/(.+)$/.exec(out?.toString("utf8").trim() ?? "") ?? [];
  return name !== "" && (await findCommit(deps, project, null)) !== null ? name : null;
}

/**
 * Returns the branches whose names match `search`, ordered by name. The number of Git processes does not depend on the
 * number of branches.
 */
export async function listBranches(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  search = "",
): Promise<readonly Branch[]> {
  const format = ["%(refname:lstrip=2)", "%(objectname)"].join(NUL);
  const out = await gitIn(deps, project, ["for-each-ref", `--format=${format}`, "refs/heads"]);
  const rows = linesOf(out).filter(([name = ""]) => nameMatches(name, search));
  const commits = await readCommits(deps, project, [...new Set(rows.map(([, hash = ""]) => hash))]);
  const main = await defaultBranch(deps, project);
  return rows.flatMap(([name = "", hash = ""]) => {
    const commit = commits.get(hash);
    return commit === undefined ? [] : [{ name, commit, isDefault: name === main }];
  });
}

/**
 * Whether a name contains the search text, ignoring case. `^text` matches the beginning of the name, and `text$`
 * matches its end.
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

const linesOf = (out: Buffer): readonly (readonly string[])[] =>
  out
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\0"));

/** The names of branches and tags that a user can choose from. */
export type Names = Readonly<{ branches: readonly string[]; tags: readonly string[] }>;

const NAMES_MAX = 500;

/** Returns the names of up to 500 branches and 500 tags, in alphabetical order. */
export async function listNames(deps: Pick<Deps, "config">, project: CodeOf): Promise<Names> {
  const namesBelow = async (folder: string) => {
    const args = ["for-each-ref", `--count=${NAMES_MAX}`, "--format=%(refname:lstrip=2)", folder];
    return linesOf(await gitIn(deps, project, args)).map(([name = ""]) => name);
  };
  const [branches, tags] = await Promise.all([namesBelow("refs/heads"), namesBelow("refs/tags")]);
  return { branches, tags };
}

/** Returns a branch by its full name, or null. */
export async function findBranch(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  name: string,
): Promise<Branch | null> {
  if (!isBranchName(name)) return null;
  const ref = `refs/heads/${name}`;
  const hash = (await findReferences(deps, project, [ref])).get(ref)?.hash ?? "";
  const commit = (await readCommits(deps, project, hash === "" ? [] : [hash])).get(hash);
  if (commit === undefined) return null;
  return { name, commit, isDefault: name === (await defaultBranch(deps, project)) };
}

/** Returns the names of the branches that contain a commit. */
export async function branchesWith(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  commit: string,
): Promise<readonly string[]> {
  const args = ["for-each-ref", `--contains=${commit}`, "--format=%(refname:lstrip=2)", "refs/heads"];
  return linesOf(await gitIn(deps, project, args)).map(([name = ""]) => name);
}

/** Whether a branch can have this name, by the rules of `git check-ref-format`. `HEAD` is excluded too. */
export const isBranchName = (name: string): boolean =>
  name.length <= 244 &&
  name !== "HEAD" &&
  !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|\/\.|^[-./]|[./]$/u.test(name) &&
  name !== "@";

/** Whether a new branch can have this name. Object ids and full references are refused, as by the update hook. */
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
  // The old id consists of zeros, so Git fails if the branch already exists: only one of two concurrent calls succeeds.
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

const TAG_KEYS = { name: "refname", updated: "creatordate", version: "version:refname" } as const;

/**
 * Returns the tags that point to commits, newest first by default. The number of Git processes does not depend on the
 * number of tags.
 */
export async function listTags(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  search = "",
  order: TagOrder = { by: "updated", descending: true },
): Promise<readonly Tag[]> {
  const parts = ["%(refname:lstrip=2)", "%(objectname)", "%(contents:subject)", "%(objecttype)"];
  const out = await gitIn(deps, project, [
    "for-each-ref",
    `--sort=${order.descending ? "-" : ""}${TAG_KEYS[order.by]}`,
    `--format=${parts.join(NUL)}`,
    "refs/tags",
  ]);
  const rows = linesOf(out).filter(([name = ""]) => nameMatches(name, search));
  const peeled = await peel(
    deps,
    project,
    rows.map(([, target = ""]) => target),
  );
  const commits = await readCommits(deps, project, [...new Set(peeled)].filter(Boolean));
  return rows.flatMap(([name = "", target = "", subject = "", kind = ""], index) => {
    const commit = commits.get(peeled[index] ?? "");
    return commit === undefined ? [] : [{ name, message: kind === "tag" ? subject : "", target, commit }];
  });
}

/**
 * Returns the commit that each object leads to through any number of annotated tags; "" if an object leads to no
 * commit.
 */
async function peel(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  hashes: readonly string[],
): Promise<readonly string[]> {
  if (hashes.length === 0) return [];
  const input = hashes.map((hash) => `${hash}^{commit}\n`).join("");
  const out = await gitIn(deps, project, ["cat-file", "--batch-check=%(objectname)"], { input });
  // Git prints one line for each object. The line ends in `missing` if the object leads to no commit.
  return out
    .toString("utf8")
    .split("\n")
    .map((line) => (/^[0-9a-f]{40}$/.test(line) ? line : ""));
}
