import { rename, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { LOOSE_MAX } from "@/code/git/reference-files.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { GIT_PROCESSES, objectProcessIds } from "@/testing/object-processes.ts";
import { projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { deleteProject } from "@/workspace/projects/service.ts";
import { countBetween, listCommits, readCommit } from "./commit.ts";
import { requireObject } from "./objects.ts";
import { listBranches, listTags } from "./reference.ts";
import { findCommit, gitIn, gitOfObjects } from "./revision.ts";
import { repositoryOf } from "./service.ts";
import { findFile, listTree, readFile } from "./tree.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");

const commit = (branch: string, message: string, files: Readonly<Record<string, string | null>>) => ({
  branch,
  message,
  files,
});
const MAIN = { revision: "main", path: "", recursive: false };

describe("reads of a repository", GIT, () => {
  it("pushed commits, files and branches can be read immediately after the push", async () => {
    const project = await projectOf(deps, ann.user, "pushed");
    const titles = async () =>
      (await listCommits(deps, project, { revision: null, skip: 0, most: 10 }))?.map(
        ({ message }) => message,
      );
    await commitAll(deps, project, [commit("main", "One", { "a.txt": "a" })]);
    expect(await titles()).toEqual(["One"]);
    expect((await listTree(deps, project, MAIN))?.map(({ name }) => name)).toEqual(["a.txt"]);
    await commitAll(deps, project, [
      commit("main", "Two", { "b/c.txt": "c" }),
      commit("topic", "Three", { "a.txt": "b" }),
    ]);
    expect(await titles()).toEqual(["Two", "One"]);
    expect((await listTree(deps, project, MAIN))?.map(({ path }) => path)).toEqual(["b", "a.txt"]);
    expect((await listTree(deps, project, { ...MAIN, path: "b" }))?.map(({ path }) => path)).toEqual([
      "b/c.txt",
    ]);
    const branches = await listBranches(deps, project);
    expect(branches.map(({ name, commit: { message } }) => [name, message])).toEqual([
      ["main", "Two"],
      ["topic", "Three"],
    ]);
    const file = await findFile(deps, project, { revision: "topic", path: "a.txt" });
    expect(file && String(await readFile(deps, project, file))).toBe("b");
  });

  it("an object can still be read after Git has packed the object", async () => {
    const project = await projectOf(deps, ann.user, "packed");
    await commitAll(deps, project, [commit("main", "One", { "a.txt": "a" })]);
    expect((await readCommit(deps, project, "main"))?.message).toBe("One");
    await commitAll(deps, project, [
      commit("main", "Two", { "a.txt": "b" }),
      commit("main", "Three", { "a.txt": "c" }),
    ]);
    await gitIn(deps, project, ["gc", "--quiet", "--prune=now"]);
    const three = await readCommit(deps, project, "main");
    expect(three?.message).toBe("Three");
    await gitIn(deps, project, ["repack", "-a", "-d", "-f", "--quiet"]);
    expect((await readCommit(deps, project, three?.parents[0] ?? ""))?.message).toBe("Two");
    const file = await findFile(deps, project, { revision: "main", path: "a.txt" });
    expect(file && String(await readFile(deps, project, file))).toBe("c");
  });

  it("reading the same objects and references a second time starts no Git process", async () => {
    const project = await projectOf(deps, ann.user, "cached");
    await commitAll(deps, project, [
      commit("main", "One", { "a.txt": "a", "b/c.txt": "c" }),
      commit("main", "Two", { "a.txt": "b" }),
    ]);
    await gitIn(deps, project, ["update-ref", "refs/tags/v1", "refs/heads/main"]);
    const read = async (by: Parameters<typeof listBranches>[0]) => {
      const file = await findFile(by, project, { revision: "main", path: "b/c.txt" });
      return [
        await listBranches(by, project),
        await listTags(by, project),
        await listTree(by, project, MAIN),
        await listTree(by, project, { ...MAIN, recursive: true }),
        await listCommits(by, project, { revision: "main", skip: 0, most: 20 }),
        await countBetween(by, project, { from: null, to: (await findCommit(by, project, "main")) ?? "" }),
        file && String(await readFile(by, project, file)),
      ];
    };
    const first = await read(deps);
    const folder = await repositoryOf(deps, project);
    for (const id of objectProcessIds(folder)) process.kill(id, "SIGKILL");
    await expect.poll(() => objectProcessIds(folder)).toEqual([]);
    expect(await read({ config: { ...deps.config, programPath: "/nonexistent" } })).toEqual(first);
  });

  it("cached objects of a deleted repository are never returned for a new project with the same id", async () => {
    const project = await projectOf(deps, ann.user, "first");
    await commitAll(deps, project, [commit("main", "Secret", { "a.txt": "a" })]);
    const sha = (await readCommit(deps, project, "main"))?.hash ?? "";
    const count = ["rev-list", "--count", sha];
    expect(String(await gitOfObjects(deps, project, count))).toBe("1\n");
    const folder = await repositoryOf(deps, project);
    // The test simulates a deletion by another server process, of which the process of the test is not
    // notified.
    await rename(folder, `${folder}.old`);
    await rm(`${folder}.old`, { recursive: true });
    expect(await readCommit(deps, project, sha)).toBeNull();
    await expect(requireObject(deps, project, "commit", sha)).rejects.toMatchObject({ name: "GitFailed" });
    await expect(gitOfObjects(deps, project, count)).rejects.toMatchObject({ name: "GitFailed" });
  });

  it("all branches and tags are returned, even if they exceed the limits for reading reference files and for one request to Git", async () => {
    const project = await projectOf(deps, ann.user, "many");
    await commitAll(deps, project, [commit("main", "One", { "a.txt": "a" })]);
    const sha = (await findCommit(deps, project, "main")) ?? "";
    const count = LOOSE_MAX + 1;
    const updates = Array.from({ length: count }, (_, number) => `create refs/heads/b${number} ${sha}\n`);
    await gitIn(deps, project, ["update-ref", "--stdin"], { input: updates.join("") });
    const branches = await listBranches(deps, project);
    expect(branches).toHaveLength(count + 1);
    expect(branches.at(-1)).toMatchObject({ name: "main", isDefault: true, commit: { hash: sha } });
    const body = `tagger Ann <ann@example.com> 1795000000 +0000\ndata 1000005\nOne\n\n${"x".repeat(1_000_000)}\n`;
    const tags = Array.from({ length: 18 }, (_, number) => `tag v${number}\nfrom ${sha}\n${body}`);
    await gitIn(deps, project, ["fast-import", "--quiet", "--date-format=raw"], { input: tags.join("") });
    const listed = await listTags(deps, project);
    expect(listed).toHaveLength(18);
    expect(listed[0]).toMatchObject({ message: "One", commit: { hash: sha } });
  });

  it("findCommit accepts the abbreviated id of a commit, but not the id of a tree or of a missing object", async () => {
    const project = await projectOf(deps, ann.user, "short");
    await commitAll(deps, project, [commit("main", "One", { "a.txt": "a" })]);
    const sha = (await findCommit(deps, project, "main")) ?? "";
    const tree = String(await gitIn(deps, project, ["rev-parse", "main^{tree}"])).trim();
    expect(await findCommit(deps, project, sha.slice(0, 8))).toBe(sha);
    expect(await findCommit(deps, project, sha.slice(0, 8).toUpperCase())).toBe(sha);
    for (const id of [tree, tree.slice(0, 10), "0".repeat(40), "0".repeat(8)])
      expect(await findCommit(deps, project, id)).toBeNull();
  });
});

describe("deleting a project", () => {
  it("deleteProject ends the Git process of the project's repository", GIT_PROCESSES, async () => {
    const project = await projectOf(deps, ann.user, "removed");
    await commitAll(deps, project, [commit("main", "One", { "a.txt": "a" })]);
    await readCommit(deps, project, "main");
    const folder = await repositoryOf(deps, project);
    expect(objectProcessIds(folder)).toHaveLength(1);
    expect(await deleteProject(deps, project, ann.user)).toBe("removed");
    expect(objectProcessIds(folder)).toEqual([]);
  });
});
