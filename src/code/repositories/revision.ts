import { findCached, keepCached } from "@/code/git/object-cache";
import { GitFailed, runGit } from "@/code/git/program";
import { readReference } from "@/code/git/reference-files";
import { syncRepository } from "@/code/git/sync-repository";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { objectInfo, peelToCommit } from "./objects";
import { afterProbe, folderOf, repositoryOf, storedRepository } from "./service";

/** A project whose source code the user may read. */
export type CodeOf = Readonly<{ id: number }>;

type Needs = Pick<Deps, "config">;

/**
 * Runs Git in the repository of a project. Git interprets paths literally, not as patterns.
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

/** The outputs of the Git commands that `gitOfObjects` is running. */
const pendingOutputs = processWide("git-pending-outputs", () => new Map<string, Promise<Buffer>>());

/**
 * Runs a Git command like `gitIn`. The output of the command is cached without a time limit. The output must
 * therefore depend only on objects whose full ids are in the arguments and the input of the command.
 * Simultaneous calls with the same arguments share one process.
 */
export async function gitOfObjects(
  deps: Needs,
  project: CodeOf,
  args: readonly string[],
  more: Readonly<{ input?: string; bytesMax?: number }> = {},
): Promise<Buffer> {
  const { key: repositoryKey } = await storedRepository(deps, project);
  const key = [repositoryKey, ...args, more.bytesMax, more.input].join("\0");
  const cached = findCached(key);
  if (cached !== undefined) return cached.content;
  const pending = pendingOutputs();
  const current = pending.get(key);
  if (current !== undefined) return current;
  const output = gitIn(deps, project, args, more).finally(() => pending.delete(key));
  pending.set(key, output);
  const content = await output;
  keepCached(key, { kind: "output", content });
  return content;
}

/**
 * Runs a Git command that writes to a repository. When the command has ended, the changed references and
 * objects are synced to the disk, so that the changes survive a power failure.
 * @throws StorageFailed if the disk is full or cannot be written.
 */
export async function writeIn(...call: Parameters<typeof gitIn>): Promise<Buffer> {
  const [deps, project] = call;
  const out = await gitIn(...call).catch(afterProbe(deps));
  await syncRepository(await repositoryOf(deps, project));
  return out;
}

/** Runs a Git command like `gitIn`. @returns null if Git exits with an error because an object does not exist. */
const gitOrNull = (...call: Parameters<typeof gitIn>): Promise<Buffer | null> =>
  gitIn(...call).catch(nullIfRefused);

/**
 * Runs a Git command like `writeIn`.
 * @returns null if Git exits with an error because a reference is missing or already exists.
 */
export const writeOrNull = (...call: Parameters<typeof gitIn>): Promise<Buffer | null> =>
  writeIn(...call).catch(nullIfRefused);

/**
 * Returns null if the failure is that Git exited with an error, for example because an object does not exist.
 * @throws every other failure.
 */
export function nullIfRefused(cause: unknown): null {
  if (cause instanceof GitFailed && cause.status !== null) return null;
  throw cause;
}

const HASH = /^[0-9a-f]{40}$/i;

/**
 * The pattern of an abbreviated commit id. With fewer than seven digits, a client could find commits that a force push
 * has removed by trying all ids.
 */
const SHORT_HASH = /^[0-9a-f]{7,39}$/i;

/**
 * The pattern of the name of a branch or a tag, or of an object id. Command-line options, ranges and other
 * revision expressions of Git do not match the pattern.
 */
const REVISION = /^(?!-)[^\s~^:?*[\\\0@{}]+(?:@[^\s~^:?*[\\\0@{}]+)*$/;

/**
 * Returns whether a name is a full object id: Git interprets 40 digits (64 with SHA-256) as an id, never as a
 * reference.
 */
export const isObjectId = (name: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name);

/**
 * Returns the commit of a revision. The function first looks for a branch with this name, then for a tag with
 * this name, and then for an object with this full or abbreviated id. The full name of a reference
 * (`refs/heads/main`, `refs/tags/main`) is unambiguous. The function does not let Git resolve the revision,
 * because Git prefers tags and accepts many other expressions.
 * @param revision null for the default branch.
 * @returns the id of the commit; null if the commit does not exist, for example in an empty repository.
 */
export async function findCommit(
  deps: Needs,
  project: CodeOf,
  revision: string | null,
): Promise<string | null> {
  if (revision === null || revision === "HEAD") return headCommit(deps, project);
  if (revision.length > 1_024 || !REVISION.test(revision) || revision.includes("..")) return null;
  // A branch or tag that an earlier version created may have a name that looks like an object id. An object
  // with this id takes precedence over the branch or tag.
  const byId = HASH.test(revision) ? await commitAt(deps, project, revision.toLowerCase()) : null;
  return (
    byId ??
    (await findNamedCommit(deps, project, revision)) ??
    (SHORT_HASH.test(revision) ? await findAbbreviated(deps, project, revision.toLowerCase()) : null)
  );
}

/**
 * Returns the commit with this id, or the commit to which the annotated tag with this id points; null if
 * neither exists.
 */
const commitAt = (deps: Needs, project: CodeOf, id: string): Promise<string | null> =>
  peelToCommit(deps, project, id).catch(nullIfRefused);

async function headCommit(deps: Needs, project: CodeOf): Promise<string | null> {
  const id = readReference(folderOf(deps, project), "HEAD");
  return id === null ? null : commitAt(deps, project, id);
}

/**
 * Returns the commit of a branch or a tag; null if no branch or tag has this name.
 * @throws GitFailed if the reference contains the id of a missing object.
 */
async function findNamedCommit(deps: Needs, project: CodeOf, name: string): Promise<string | null> {
  const refs = [`refs/heads/${name}`, `refs/tags/${name}`];
  if (/^refs\/(?:heads|tags)\//.test(name)) refs.push(name);
  const folder = folderOf(deps, project);
  for (const ref of refs) {
    const id = readReference(folder, ref);
    if (id !== null) return peelToCommit(deps, project, id);
  }
  return null;
}

/** Returns the only commit whose id begins with `start`; null if no commit or several commits match. */
async function findAbbreviated(deps: Needs, project: CodeOf, start: string): Promise<string | null> {
  const info = await objectInfo(deps, project, start);
  if (info === "missing") return null;
  if (info !== "ambiguous" && info.id.startsWith(start)) return info.kind === "commit" ? info.id : null;
  // Several object ids begin with `start`, or Git resolved `start` as the name of a reference. The option
  // `--disambiguate` lists every object whose id begins with `start`.
  const out = await gitOrNull(deps, project, ["rev-parse", `--disambiguate=${start}`]);
  const ids = out?.toString("utf8").split("\n").filter(Boolean) ?? [];
  if (ids.length === 0) return null;
  const input = ids.map((id) => `${id}\n`).join("");
  const types = (await gitIn(deps, project, ["cat-file", "--batch-check"], { input })).toString("utf8");
  const commits = [...types.matchAll(/^([0-9a-f]{40}) commit /gm)].map(([, id = ""]) => id);
  return commits.length === 1 ? (commits[0] ?? null) : null;
}

/**
 * Returns whether a path can refer to a file inside the repository: a relative path that is not empty and
 * does not contain `..`.
 */
export const isInside = (path: string): boolean =>
  path.length <= 4_096 &&
  !path.includes("\0") &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
