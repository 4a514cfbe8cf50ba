import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { deleteGroup } from "@/workspace/groups/service.ts";
import { createProject, deleteProject } from "@/workspace/projects/service.ts";
import { defaultBranch } from "./reference.ts";
import { gitIn } from "./revision.ts";
import { repositoryOf } from "./service.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const folders = join(deps.config.dataDir, "repositories");

it(
  "a repository is created together with the project, and deleted together with the project or the group of the project",
  GIT,
  async () => {
    const alone = await projectOf(deps, ann.user, "alone");
    const group = await groupOf(deps, ann.user, "team");
    const inGroup = await projectOf(deps, ann.user, "in-group", { group });
    expect(existsSync(join(folders, `${alone.id}.git`, "HEAD"))).toBe(true);
    expect(await deleteProject(deps, alone, ann.user)).toBe("removed");
    expect(readdirSync(folders)).toEqual([`${inGroup.id}.git`]);
    expect(await deleteGroup(deps, group, ann.user)).toBe("removed");
    expect(readdirSync(folders)).toEqual([]);
  },
);

it("a new project does not get a repository folder that remains from a deleted project", GIT, async () => {
  const next = (await deps.db.project.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0;
  const counted = await projectOf(deps, ann.user, "counted");
  expect(counted.id).toBeGreaterThan(next);
  await commitAll(deps, { id: counted.id + 1 }, [
    { branch: "main", message: "Old", files: { "a.txt": "a" } },
  ]);
  const project = await projectOf(deps, ann.user, "new");
  expect(project.id).toBe(counted.id + 1);
  expect(readdirSync(join(folders, `${project.id}.git`, "refs", "heads"))).toEqual([]);
});

it(
  "a new project keeps commits that another client pushes before the response to the creation",
  GIT,
  async () => {
    const pushed = async (_: unknown, project: Readonly<{ id: number }>) =>
      commitAll(deps, project, [{ branch: "main", message: "Early", files: { "a.txt": "a" } }]);
    const projectLifecycle = [{ created: pushed }, ...deps.hooks.projectLifecycle];
    const racing = { ...deps, hooks: { ...deps.hooks, projectLifecycle } };
    const project = await projectOf(racing, ann.user, "early");
    expect(readdirSync(join(folders, `${project.id}.git`, "refs", "heads"))).toEqual(["main"]);
  },
);

it("several simultaneous calls of repositoryOf create a repository only once", GIT, async () => {
  const repositories = await Promise.all([1, 2, 3, 4].map(() => repositoryOf(deps, { id: 4711 })));
  expect(new Set(repositories)).toEqual(new Set([join(folders, "4711.git")]));
  expect(readdirSync(folders).filter((name) => name.startsWith("4711"))).toEqual(["4711.git"]);
});

it(
  "the repository of a new project contains a README if the user who created the project requested a README",
  GIT,
  async () => {
    const named = { ...ann.user, name: "Ann <b>\nauthor Eve" };
    const draft = { name: "With readme", description: "One.\n\nM 100644 inline x\n", readme: true };
    const created = await createProject(deps, named, draft, null);
    if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
    expect(await defaultBranch(deps, created.project)).toBe("main");
    const git = (...args: readonly string[]) => gitIn(deps, created.project, args).then(String);
    const written = `Ann bauthor Eve <${ann.user.id}-ann@users.noreply.localhost> ${deps.clock().toISOString().slice(0, 10)}`;
    expect(await git("log", "--format=%an <%ae> %as|%cn|%s", "main")).toBe(
      `${written}|Ann bauthor Eve|Initial commit\n`,
    );
    expect(await git("ls-tree", "--name-only", "main")).toBe("README.md\n");
    expect(await git("show", "main:README.md")).toBe("# With readme\n\nOne.\n\nM 100644 inline x\n");
    await git("fsck", "--strict");
  },
);

it("createProject succeeds without a README when Git cannot be run", GIT, async () => {
  const withoutGit = { ...deps, config: { ...deps.config, programPath: "/nonexistent" } };
  const created = await createProject(withoutGit, ann.user, { name: "No git", readme: true }, null);
  expect(created).toMatchObject({ project: { path: "no-git" } });
  expect(deps.logged).toContainEqual(expect.objectContaining({ event: "repository.not_begun" }));
});
