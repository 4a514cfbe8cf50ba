import type { Deps } from "@/platform/deps";
import { GitFailed, runGit } from "@/platform/git/program";
import { repositoryOf } from "./service";

/** A project whose code its viewer may read. */
export type CodeOf = Readonly<{ id: number }>;

type Needs = Pick<Deps, "config">;

/**
 * Runs Git in the repository of a project; paths are taken as they are, and never as patterns.
 * @throws GitFailed, GitLimit where there is more than can be shown, GitBusy.
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
  const surroundings = { GIT_LITERAL_PATHSPECS: "1", GIT_OPTIONAL_LOCKS: "0", ...variables };
  return runGit(args, { cwd, path: deps.config.programPath, variables: surroundings, ...more });
}

/** The same, where Git's refusal means that something is not there. */
export async function gitOrNull(...call: Parameters<typeof gitIn>): Promise<Buffer | null> {
  try {
    return await gitIn(...call);
  } catch (cause) {
    if (cause instanceof GitFailed && cause.status !== null) return null;
    throw cause;
  }
}

const HASH = /^[0-9a-f]{40}$/;

/** What a person can mean by a revision: a branch, a tag or a commit. Never an option, a range or a look into time. */
const REVISION = /^(?!-)[^\s~^:?*[\\\0@{}]+(?:@[^\s~^:?*[\\\0@{}]+)*$/;

/**
 * The commit that a branch, a tag or (the beginning of) a hash names.
 * @param revision null for the default branch.
 * @returns null where there is none, as in an empty repository.
 */
export async function findCommit(
  deps: Needs,
  project: CodeOf,
  revision: string | null,
): Promise<string | null> {
  const name = revision ?? "HEAD";
  if (name.length > 1_024 || !REVISION.test(name) || name.includes("..")) return null;
  const out = await gitOrNull(deps, project, [
    "rev-parse",
    "--quiet",
    "--verify",
    "--end-of-options",
    `${name}^{commit}`,
  ]);
  const hash = out?.toString("utf8").trim() ?? "";
  return HASH.test(hash) ? hash : null;
}

/** A path inside a repository: not empty, not absolute, and not out of it. */
export const isInside = (path: string): boolean =>
  path.length <= 4_096 &&
  !path.includes("\0") &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
