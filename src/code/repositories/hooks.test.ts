import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { conformance } from "@/testing/conformance.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { GIT } from "@/testing/repository.ts";
import { hooksFolder } from "./hooks.ts";

const WANTED = 120_000;

it(
  conformance(
    "SC-16",
    "the pack-objects hook passes a large number of commit ids to git pack-objects in linear time",
  ),
  GIT,
  async () => {
    const cwd = temporaryFolder();
    const call = { cwd, path: process.env["PATH"] ?? "" };
    await runGit(["init", "--quiet", "--bare", "--initial-branch=main", "."], call);
    const input = "commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\n";
    await runGit(["fast-import", "--quiet"], { ...call, input });
    const id = (await runGit(["rev-parse", "main"], call)).toString("utf8").trim();
    const revisions = `--shallow ${id}\n${`${id}\n`.repeat(WANTED)}--not\n${"0".repeat(40)}\n\n`;
    const hook = join(hooksFolder(temporaryFolder()), "pack-objects");
    // A shell loop over all commit ids would take a minute, so the hook must not contain a shell loop.
    const { status, stdout } = spawnSync(hook, ["wc", "-l"], { cwd, input: revisions, timeout: 25_000 });
    expect([status, Number(stdout)]).toEqual([0, WANTED + 3]);
  },
);
