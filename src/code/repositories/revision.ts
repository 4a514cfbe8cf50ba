import { GitFailed, runGit } from "@/code/git/program";
import { syncRepository } from "@/code/git/sync-repository";
import type { Deps } from "@/kernel/deps/deps";
import { afterProbe, repositoryOf } from "./service";

/** A project whose code the user may read. */
export type CodeOf = Readonly<{ id: number }>;

type Needs = Pick<Deps, "config">;

/**
 * Runs Git in the repository of a project. Paths are literal, not patterns.
 * @returns the standard output.
 * @throws GitFailed; GitLimit if the output is too large or Git takes too long; GitBusy.
 */
export async function gitIn(
  deps: Needs,
  project: CodeOf,
  args: readonly string[],
  {
    variables,
    ...more
  }: Readonly<{
    input?: string | Uint8Array;
    bytesMax?: number;
    timeoutMs?: number;
    variables?: Readonly<Record<string, string>>;
  }> = {},
): Promise<Buffer> {
  const cwd = await repositoryOf(deps, project);
  const environment = { GIT_LITERAL_PATHSPECS: "1", GIT_OPTIONAL_LOCKS: "0", ...variables };
  return runGit(args, { cwd, path: deps.config.programPath, variables: environment, ...more });
}

/**
 * Runs a Git command that writes. The references and objects are then synced to the disk, so that they survive a power
 * failure.
 * @throws StorageFailed if the disk is full or cannot be written.
 */
export async function writeIn(...call: Parameters<typeof gitIn>): Promise<Buffer> {
  const [deps, project] = call;
  const out = await gitIn(...call).catch(afterProbe(deps));
  await syncRepository(await repositoryOf(deps, project));
  return out;
}

/** Runs a Git command like `gitIn`. @returns null if Git exits with an error because an object does not exist. */
export const gitOrNull = (...call: Parameters<typeof gitIn>): Promise<Buffer | null> =>
  gitIn(...call).catch(nullIfRefused);

/**
 * Runs a Git command like `writeIn`. @returns null if Git exits with an error because a reference is missing or already
 * exists.
 */
export const writeOrNull = (...call: Parameters<typeof gitIn>): Promise<Buffer | null> =>
  writeIn(...call).catch(nullIfRefused);

function nullIfRefused(cause: unknown): null {
  if (cause instanceof GitFailed && cause.status !== null) return null;
  throw cause;
}

const HASH = /^[0-9a-f]{40}$/;

/** The pattern of an abbreviated commit id. */
const SHORT_HASH = /^[0-9a-f]{4,39}$/i;

/** The pattern of the name of a branch or a tag, or of an id. Options, ranges and expressions of Git do not match. */
const REVISION = /^(?!-)[^\s~^:?*[\\\0@{}]+(?:@[^\s~^:?*[\\\0@{}]+)*$/;

/** Whether a name is a full object id: Git interprets 40 digits (64 with SHA-256) as an id, never as a reference. */
export const isObjectId = (name: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name);

/**
 * Returns the commit of a revision. A branch with this name comes first, then a tag with this name, then an object with
 * this full or abbreviated id. A full reference (`refs/heads/main`, `refs/tags/main`) is unambiguous. Git's own
 * resolution is not used, because it prefers tags and accepts many other expressions.
 * @param revision null for the default branch.
 * @returns the id of the commit; null if it does not exist, for example in an empty repository.
 */
export async function findCommit(
  deps: Needs,
  project: CodeOf,
  revision: string | null,
): Promise<string | null> {
  if (revision === null || revision === "HEAD") return commitAt(deps, project, "HEAD");
  if (revision.length > 1_024 || !REVISION.test(revision) || revision.includes("..")) return null;
  // Earlier versions allowed branches and tags whose names look like object ids. Such a branch or tag must not hide the
  // object.
  const byId = isObjectId(revision) ? await commitAt(deps, project, revision.toLowerCase()) : null;
  return (
    byId ??
    (await findNamedCommit(deps, project, revision)) ??
    (SHORT_HASH.test(revision) ? await findAbbreviated(deps, project, revision.toLowerCase()) : null)
  );
}

/** Returns the commit that an object leads to, or null. @param object `HEAD` or a full object id. */
async function commitAt(deps: Needs, project: CodeOf, object: string): Promise<string | null> {
  const args = ["rev-parse", "--quiet", "--verify", "--end-of-options", `${object}^{commit}`];
  const hash = (await gitOrNull(deps, project, args))?.toString("utf8").trim() ?? "";
  return HASH.test(hash) ? hash : null;
}

/** The object that a reference points to: a commit, an annotated tag, or another object. */
type Target = Readonly<{ kind: string; hash: string }>;

async function findNamedCommit(deps: Needs, project: CodeOf, name: string): Promise<string | null> {
  const refs = [`refs/heads/${name}`, `refs/tags/${name}`];
  if (/^refs\/(?:heads|tags)\//.test(name)) refs.push(name);
  const targets = await findReferences(deps, project, refs);
  const target = refs.map((ref) => targets.get(ref)).find((candidate) => candidate !== undefined);
  if (target === undefined) return null;
  // Git resolves a tag that points to another tag.
  return target.kind === "commit" ? target.hash : commitAt(deps, project, target.hash);
}

/**
 * Looks up references by their full names. @returns the targets of the references that exist. Annotated tags are
 * resolved one step.
 */
export async function findReferences(
  deps: Needs,
  project: CodeOf,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Target>> {
  const fields = ["refname", "objecttype", "objectname", "*objecttype", "*objectname"];
  const format = `--format=${fields.map((field) => `%(${field})`).join("%00")}`;
  const out = await gitIn(deps, project, ["for-each-ref", format, ...refs]);
  const targets = new Map<string, Target>();
  for (const line of out.toString("utf8").split("\n")) {
    const [ref = "", kind = "", hash = "", peeledKind = "", peeled = ""] = line.split("\0");
    // Git also returns references in a folder that has the requested name.
    if (refs.includes(ref))
      targets.set(ref, peeled === "" ? { kind, hash } : { kind: peeledKind, hash: peeled });
  }
  return targets;
}

/** Returns the only commit whose id begins with `start`; null if no commit or several commits match. */
async function findAbbreviated(deps: Needs, project: CodeOf, start: string): Promise<string | null> {
  const out = await gitOrNull(deps, project, ["rev-parse", `--disambiguate=${start}`]);
  const ids = out?.toString("utf8").split("\n").filter(Boolean) ?? [];
  if (ids.length === 0) return null;
  const input = ids.map((id) => `${id}\n`).join("");
  const types = (await gitIn(deps, project, ["cat-file", "--batch-check"], { input })).toString("utf8");
  const commits = [...types.matchAll(/^([0-9a-f]{40}) commit /gm)].map(([, id = ""]) => id);
  return commits.length === 1 ? (commits[0] ?? null) : null;
}

/** Whether a path stays inside the repository: it is not empty, not absolute, and does not contain `..`. */
export const isInside = (path: string): boolean =>
  path.length <= 4_096 &&
  !path.includes("\0") &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
