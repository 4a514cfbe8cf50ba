import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "@/kernel/config/config.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { cancelHousekeeping, requestHousekeeping, stopHousekeeping } from "./housekeeping.ts";

const folder = temporaryFolder();
const journal = join(folder, "journal");
const warned: unknown[] = [];
const nothing = () => undefined;

/**
 * Returns dependencies that run a script instead of Git. The script writes a line to a log file when it
 * starts.
 */
function depsWith(name: string, script: string) {
  const programs = join(folder, name);
  mkdirSync(programs);
  writeFileSync(join(programs, "git"), `#!/bin/sh\necho "begin $PWD $$ $*" >>${journal}\n${script}\n`, {
    mode: 0o755,
  });
  return {
    config: readConfig({ PATH: programs, DATA_DIR: folder }),
    log: {
      info: nothing,
      warn: (line: object, cause: unknown) => warned.push({ ...line, cause }),
      error: nothing,
    },
  };
}

function repository(projectId: number) {
  const path = join(folder, `${projectId}.git`);
  mkdirSync(path, { recursive: true });
  return { projectId, folder: path };
}

const lines = () => (existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : []);
const until = (count: number) => expect.poll(() => lines().length).toBe(count);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const lastPid = () => Number(lines().at(-1)?.split(" ")[2]);

it("housekeeping packs repositories one after another, and packs a repository only once if the queue contains several requests for this repository", async () => {
  const deps = depsWith("quick", `/bin/sleep 0.1\necho "end $PWD" >>${journal}`);
  const [first, second, third] = [1, 2, 3].map(repository) as [Repository, Repository, Repository];
  for (const repo of [first, second, second, third, second]) requestHousekeeping(deps, repo);
  requestHousekeeping(deps, { projectId: 4, folder: join(folder, "removed.git") });
  await until(6);
  expect(lines().map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(
    [first, second, third].flatMap((repo) => [`begin ${repo.folder}`, `end ${repo.folder}`]),
  );
  expect(lines()[0]).toContain("gc --auto");
});
type Repository = ReturnType<typeof repository>;

it("housekeeping logs a failure and continues with the next repository", async () => {
  const before = lines().length;
  requestHousekeeping(depsWith("failing", "echo broken >&2\nexit 1"), repository(5));
  requestHousekeeping(
    { ...depsWith("missing", ""), config: readConfig({ PATH: "/nonexistent", DATA_DIR: folder }) },
    repository(6),
  );
  await expect.poll(() => warned.length).toBe(2);
  expect(warned[0]).toMatchObject({
    event: "repository.not_tidied",
    project_id: 5,
    cause: new Error("broken\n"),
  });
  expect(lines()).toHaveLength(before + 1);
  // The PATH of the broken dependencies is invalid, so that spawn throws an error.
  // The working dependencies use a valid PATH.
  const broken = { ...depsWith("broken", ""), config: readConfig({ PATH: "/a\0b", DATA_DIR: folder }) };
  requestHousekeeping(broken, repository(7));
  requestHousekeeping(depsWith("well", ""), repository(8));
  await until(before + 2);
  expect(warned.at(-1)).toMatchObject({ event: "repository.not_tidied", project_id: 7 });
});

it("housekeeping stops Git when the repository is deleted or the server stops", async () => {
  const deps = depsWith("slow", "exec /bin/sleep 60");
  const before = lines().length;
  requestHousekeeping(deps, repository(7));
  requestHousekeeping(deps, repository(8));
  requestHousekeeping(deps, repository(9));
  await until(before + 1);
  const seventh = lastPid();
  await cancelHousekeeping(9);
  await cancelHousekeeping(7);
  expect(isAlive(seventh)).toBe(false);
  await until(before + 2);
  expect(lines().at(-1)).toContain("8.git");
  const eighth = lastPid();
  requestHousekeeping(deps, repository(10));
  await stopHousekeeping();
  expect(isAlive(eighth)).toBe(false);
  requestHousekeeping(deps, repository(11));
  expect(lines()).toHaveLength(before + 2);
  expect(warned).toHaveLength(3);
});
