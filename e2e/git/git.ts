import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The exit status and the output of an ended Git command. */
export type Ended = Readonly<{ code: number | null; out: string; err: string }>;

/** Returns whether Git is installed. */
export function hasGit(): boolean {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Creates a home folder with a Git configuration, as on a user's computer. Git never asks for a password. */
export type Desk = Readonly<{
  folder: string;
  git: (args: readonly string[], cwd?: string) => Promise<Ended>;
  /**
   * Runs Git.
   * @returns the output of Git.
   * @throws an Error with the error output of Git if the command fails.
   */
  ok: (args: readonly string[], cwd?: string) => Promise<string>;
  remove: () => void;
}>;

export function openDesk(variables: Readonly<Record<string, string>> = {}): Desk {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-git-"));
  const env = {
    // The types of Next.js require `NODE_ENV` in every object with environment variables.
    NODE_ENV: "test" as const,
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.com",
    ...variables,
  };
  const git: Desk["git"] = (args, cwd = folder) =>
    new Promise((resolve, reject) => {
      const child = spawn("git", args, { cwd, env });
      let [out, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text) => {
        out += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        err += text;
      });
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, out, err }));
    });
  return {
    folder,
    git,
    ok: async (args, cwd) => {
      const { code, out, err } = await git(args, cwd);
      if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${err}`);
      return out.trim();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
