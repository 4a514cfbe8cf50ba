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

/** SQLite syncs its own files; the lists for the "dumb" protocol, which the server does not speak, are written by Git unsynced. */
const APART = /\.db(?:-\w+)?$|\/info\/(?:refs|packs)$/;

/** The tests read the system calls of the server and of Git; without `strace` nobody can tell what was synced. */
const canTrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

it(
  conformance("SC-35", "a power cut after any acknowledged write loses neither its content nor its name"),
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
    const real = [...lost].map(([step, paths]) => [step, paths.filter((path) => !APART.test(path))]);
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
