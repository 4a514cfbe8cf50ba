import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { apiUser, tokenWith } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { runs } from "@/testing/long.ts";
import { buildProgram } from "@/testing/program.ts";
import { projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { folderOf } from "./service.ts";

const deps = await openTestDeps({ clock: () => new Date() });
const PROCESSES = ["a", "b"];

type Result = Readonly<{
  acknowledged: readonly Readonly<{ projectId: number; commit: string; branch: string }>[];
  merges: number;
  retries: number;
}>;

it("if two server processes share a folder of repositories, no acknowledged push is lost, and no repository is damaged", {
  ...GIT,
  timeout: runs({ short: 600_000, long: 1_800_000 }),
}, async () => {
  const owner = await apiUser(deps, "owner");
  const token = await tokenWith(deps, owner.user, ["api"]);
  const projects = [await projectOf(deps, owner.user, "one"), await projectOf(deps, owner.user, "two")];
  for (const project of projects)
    await commitAll(deps, project, [
      { branch: "main", message: "Begin", files: { "a.txt": "a\n" } },
      { branch: "shared", message: "Begin", files: { "b.txt": "b\n" } },
    ]);
  const share = await buildProgram("share-repositories");
  const repetitions = runs({ short: 3, long: 40 });
  const { database } = deps.config;
  const environment = {
    BASE_URL: deps.config.issuer,
    DATA_DIR: deps.config.dataDir,
    DATABASE_URL: database.provider === "postgresql" ? database.url : "",
    GATEHOUSE_SECRET: deps.config.secret ?? "",
    GATEHOUSE_ROOT_PASSWORD: "correct horse battery staple",
    LOG_LEVEL: "silent",
  };
  const projectIds = projects.map(({ id }) => id);
  const input = { environment, userId: owner.user.id, token, projectIds, repetitions };
  const results = (await Promise.all(
    PROCESSES.map((name) => share(JSON.stringify({ ...input, name }))),
  )) as readonly Result[];
  const acknowledged = results.flatMap((result) => result.acknowledged);
  expect(acknowledged).toHaveLength(PROCESSES.length * projects.length * repetitions * 2);
  expect(results.reduce((sum, { merges }) => sum + merges, 0)).toBeGreaterThan(0);
  for (const project of projects) {
    const git = (...args: readonly string[]) =>
      spawnSync("git", [...args], { cwd: folderOf(deps, project), encoding: "utf8" });
    expect(git("fsck", "--full", "--strict")).toMatchObject({ status: 0 });
    const lost = acknowledged
      .filter(({ projectId }) => projectId === project.id)
      .filter(({ commit, branch }) => git("merge-base", "--is-ancestor", commit, branch).status !== 0);
    expect(lost).toEqual([]);
  }
});
