import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { needs } from "@/testing/machine.ts";
import { buildProgram } from "@/testing/program.ts";
import { gitIsHere } from "@/testing/repository.ts";
import { TRACED, unsyncedAt } from "@/testing/unsynced.ts";

/**
 * The pattern of the names of files that the server does not need to sync to the disk. SQLite itself syncs
 * its database files. The server does not need the files that Git writes for the "dumb" protocol, because the
 * server does not support this protocol.
 */
const IGNORED = /\.db(?:-\w+)?$|\/info\/(?:refs|packs)$/;

/** The test traces the system calls of the server and of Git to determine which files were synced. */
const canTrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

it(
  conformance(
    "SC-35",
    "before the server responds to a write, it syncs all files and folders that the write changed, so that the write survives a power failure",
  ),
  needs({ git: gitIsHere, strace: canTrace }),
  async () => {
    const folder = temporaryFolder();
    const trace = join(folder, "trace");
    const run = await buildProgram("write-repositories");
    await run.under(["strace", "-f", "-y", "-s", "400", "-o", trace, "-e", `trace=${TRACED}`], folder);
    const lost = unsyncedAt(readFileSync(trace, "utf8"), {
      marker: join(folder, "moment", "/"),
      below: [join(folder, "data", "/"), join(folder, "backup"), join(folder, "restored")],
    });
    const real = [...lost].map(([step, paths]) => [step, paths.filter((path) => !IGNORED.test(path))]);
    expect(Object.fromEntries(real)).toEqual({
      readme: [],
      branch: [],
      "branch-removed": [],
      push: [],
      "push-of-a-pack": [],
      "merge-request": [],
      merge: [],
      packed: [],
      package: [],
      backup: [],
      restore: [],
    });
  },
);
