import { spawnSync } from "node:child_process";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { needs } from "./machine.ts";

/** Whether Git is installed; `npm test` installs Git if possible. */
export const gitIsHere = spawnSync("git", ["--version"]).status === 0;

/** The options of tests that require Git. */
export const GIT = needs({ git: gitIsHere });

/** A commit to create: its branch, message and files. A file with the content null is removed. */
export type PlannedCommit = Readonly<{
  branch: string;
  message: string;
  files: Readonly<Record<string, string | Uint8Array | null>>;
}>;

/**
 * Creates commits in the repository of a project, in order, each as a child of the last commit of its branch.
 */
export async function commitAll(
  deps: Deps,
  project: Readonly<{ id: number }>,
  planned: readonly PlannedCommit[],
): Promise<void> {
  const cwd = await repositoryOf(deps, project);
  const parts: Uint8Array[] = [];
  const say = (text: string) => parts.push(Buffer.from(text));
  const data = (bytes: Uint8Array) => {
    say(`data ${bytes.byteLength}\n`);
    parts.push(bytes, Buffer.from("\n"));
  };
  const written = new Set<string>();
  const call = { cwd, path: deps.config.programPath };
  const listed = await runGit(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"], call);
  const stored = new Set(listed.toString("utf8").split("\n"));
  for (const [index, { branch, message, files }] of planned.entries()) {
    const at = `${1_795_000_000 + index * 60} +0000`;
    say(
      `commit refs/heads/${branch}\nauthor Ann <ann@example.com> ${at}\ncommitter Ann <ann@example.com> ${at}\n`,
    );
    data(Buffer.from(message));
    if (!written.has(branch)) say(fromOf(branch, stored, written));
    written.add(branch);
    for (const [path, content] of Object.entries(files)) {
      if (content === null) say(`D ${path}\n`);
      else {
        say(`M 100644 inline ${path}\n`);
        data(typeof content === "string" ? Buffer.from(content) : content);
      }
    }
  }
  await runGit(["fast-import", "--quiet", "--force"], { ...call, input: Buffer.concat(parts) });
}

/**
 * Returns the command of `git fast-import` that names the parent of the first commit on a branch. The parent
 * is the last commit of the stored branch, or the last commit of `main` for a new branch. The result is empty
 * for a new branch `main`.
 */
function fromOf(branch: string, stored: ReadonlySet<string>, written: ReadonlySet<string>): string {
  if (stored.has(branch)) return `from refs/heads/${branch}^0\n`;
  if (branch === "main") return "";
  return written.has("main") ? "from refs/heads/main\n" : "from refs/heads/main^0\n";
}
