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

/** `npm test` installs it where it can. */
it("comes with its project and goes with it, and with the group above", GIT, async () => {
  const alone = await projectOf(deps, ann.user, "alone");
  const group = await groupOf(deps, ann.user, "team");
  const below = await projectOf(deps, ann.user, "below", { group });
  expect(existsSync(join(folders, `${alone.id}.git`, "HEAD"))).toBe(true);
  expect(await deleteProject(deps, alone, ann.user)).toBe("removed");
  expect(readdirSync(folders)).toEqual([`${below.id}.git`]);
  expect(await deleteGroup(deps, group, ann.user)).toBe("removed");
  expect(readdirSync(folders)).toEqual([]);
});

it("never is one that another project left behind", GIT, async () => {
  const next = (await deps.db.project.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0;
  const counted = await projectOf(deps, ann.user, "counted");
  expect(counted.id).toBeGreaterThan(next);
  await commitAll(deps, { id: counted.id + 1 }, [
    { branch: "main", message: "Old", files: { "a.txt": "a" } },
  ]);
  const made = await projectOf(deps, ann.user, "made");
  expect(made.id).toBe(counted.id + 1);
  expect(readdirSync(join(folders, `${made.id}.git`, "refs", "heads"))).toEqual([]);
});

it("is made once, however many ask for it at the same time", GIT, async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => repositoryOf(deps, { id: 4711 })));
  expect(new Set(made)).toEqual(new Set([join(folders, "4711.git")]));
  expect(readdirSync(folders).filter((name) => name.startsWith("4711"))).toEqual(["4711.git"]);
});

it("begins with a README that its maker signs, where that was asked for", GIT, async () => {
  const named = { ...ann.user, name: "Ann <b>\nauthor Eve" };
  const draft = { name: "With readme", description: "One.\n\nM 100644 inline x\n", readme: true };
  const made = await createProject(deps, named, draft, null);
  if (typeof made === "string" || "problems" in made) throw new Error(JSON.stringify(made));
  expect(await defaultBranch(deps, made.project)).toBe("main");
  const git = (...args: readonly string[]) => gitIn(deps, made.project, args).then(String);
  const written = `Ann bauthor Eve <${ann.user.id}-ann@users.noreply.localhost> ${deps.clock().toISOString().slice(0, 10)}`;
  expect(await git("log", "--format=%an <%ae> %as|%cn|%s", "main")).toBe(
    `${written}|Ann bauthor Eve|Initial commit\n`,
  );
  expect(await git("ls-tree", "--name-only", "main")).toBe("README.md\n");
  expect(await git("show", "main:README.md")).toBe("# With readme\n\nOne.\n\nM 100644 inline x\n");
  await git("fsck", "--strict");
});

it("is made without a README, too, where Git does not answer", GIT, async () => {
  const away = { ...deps, config: { ...deps.config, programPath: "/nonexistent" } };
  const made = await createProject(away, ann.user, { name: "No git", readme: true }, null);
  expect(made).toMatchObject({ project: { path: "no-git" } });
  expect(deps.logged).toContainEqual(expect.objectContaining({ event: "repository.not_begun" }));
});
