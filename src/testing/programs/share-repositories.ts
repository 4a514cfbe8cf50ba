import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { findById } from "@/identity/users/service.ts";
import { readConfig } from "@/kernel/config/config.ts";
import { merge } from "@/review/merge-requests/merge.ts";
import { createMergeRequest } from "@/review/merge-requests/service.ts";
import { openInstance } from "@/server/first-start.ts";
import { openGitClient } from "@/testing/git-server.ts";
import { draftOf } from "@/testing/projects.ts";
import { releaseAll } from "@/testing/release.ts";
import { findProject } from "@/workspace/projects/service.ts";

/**
 * This program is one of several processes that serve the same repositories. The program pushes to its own
 * branches and to a branch that all processes share, merges, reads and packs, and prints the acknowledged
 * commits.
 */
type Input = Readonly<{
  environment: Readonly<Record<string, string>>;
  /** The name of this process, which is part of its branch names. */
  name: string;
  userId: number;
  token: string;
  projectIds: readonly number[];
  repetitions: number;
}>;

const PUSH_ATTEMPTS = 60;

const { environment, name, userId, token, projectIds, repetitions }: Input = JSON.parse(
  process.argv[2] ?? "",
);
const { deps, close } = await openInstance(readConfig({ ...environment, PATH: process.env["PATH"] }));
const client = await openGitClient();
const acknowledged: { projectId: number; commit: string; branch: string }[] = [];
let merges = 0;
let retries = 0;

async function shareProject(projectId: number): Promise<void> {
  const user = await findById(deps, userId);
  if (user === null) throw new Error("The user does not exist.");
  const project = await findProject(deps, String(projectId), user);
  if (project === null) throw new Error("The project does not exist.");
  const copy = join(client.folder, String(projectId));
  const git = (...args: readonly string[]) => client.ok(args, copy);
  const acknowledge = async (branch: string) =>
    acknowledged.push({ projectId, branch, commit: await git("rev-parse", "HEAD") });
  await client.ok(["clone", "-q", client.urlOf(project.fullPath, token), copy]);
  for (let round = 0; round < repetitions; round += 1) {
    const own = `${name}-${round}`;
    await git("fetch", "-q", "origin");
    await git("checkout", "-q", "-B", own, "origin/main");
    writeFileSync(join(copy, `${own}.txt`), `${own}\n`.repeat(100));
    await git("add", ".");
    await git("commit", "-q", "-m", own);
    await git("push", "-q", "origin", own);
    await acknowledge(own);
    await pushShared(git, copy, round);
    await acknowledge("shared");
    if (round % 2 === 1) await mergeBranch(own);
    // Git packs the repository with the program that the server uses, while other processes push.
    if (round % 3 === 2)
      await runGit(["gc", "--quiet"], {
        cwd: await repositoryOf(deps, project),
        path: deps.config.programPath,
        timeoutMs: 60_000,
      });
  }

  async function mergeBranch(sourceBranch: string): Promise<void> {
    const context = { project, user } as Parameters<typeof createMergeRequest>[1];
    const draft = { sourceBranch, targetBranch: "main", ...draftOf(sourceBranch) };
    const request = await createMergeRequest(deps, context, draft);
    if (typeof request === "string" || !("iid" in request)) throw new Error(JSON.stringify(request));
    const merged = await merge(deps, context, request, {});
    if (typeof merged === "object" && "state" in merged && merged.state === "merged") merges += 1;
  }
}

/**
 * Adds a commit to the branch that all processes push to, and repeats the push if another process was faster.
 */
async function pushShared(
  git: (...args: readonly string[]) => Promise<string>,
  copy: string,
  round: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await git("fetch", "-q", "origin");
    await git("checkout", "-q", "-B", "shared", "origin/shared");
    writeFileSync(join(copy, `shared-${name}-${round}.txt`), `${name} ${round}\n`);
    await git("add", ".");
    await git("commit", "-q", "-m", `shared ${name} ${round}`);
    const { code, text } = await client.git(["push", "-q", "origin", "shared"], copy);
    if (code === 0) return;
    if (attempt === PUSH_ATTEMPTS || !/rejected|failed to push|cannot lock ref/.test(text))
      throw new Error(text);
    retries += 1;
  }
}

await Promise.all(projectIds.map(shareProject));
await close();
await releaseAll();
process.stdout.write(JSON.stringify({ acknowledged, merges, retries }));
