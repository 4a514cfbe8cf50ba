import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { verifyChain } from "@/instance/audit/verification.ts";
import type { Config } from "@/kernel/config/config.ts";
import { migrate } from "@/kernel/db/migrate.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { publishFile } from "@/registries/packages/service.ts";
import { apiUser } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { emptyDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { insertApplication } from "@/testing/rows.ts";
import { backUp, restore } from "./service.ts";

const deps = await openTestDeps();
const ABOUT = { version: "1.2.3", now: new Date("2026-11-21T12:00:00.000Z") };
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");
const outer = await groupOf(deps, ann.user, "outer");
const inner = await groupOf(deps, ann.user, "inner", { parent: outer });
const project = await projectOf(deps, ann.user, "shop", { group: inner });
await memberOf(deps, project, bob.user, "developer", new Date("2027-01-01T00:00:00.000Z"));
const application = await insertApplication(deps.db, ann.user.id, "uid");
const png = new Uint8Array([0, 1, 2, 254, 255]);
await deps.db.applicationLogo.create({
  data: { applicationId: application.id, png, digest: "d", createdAt: ABOUT.now },
});

/**
 * Returns the configuration of an instance that does not exist yet, with the secret of the current instance.
 */
async function another(): Promise<Config> {
  return { ...deps.config, dataDir: join(temporaryFolder(), "data"), database: await emptyDatabase() };
}

/**
 * Publishes a package file, and returns a function that returns the path of the stored file in an instance.
 */
async function published(fileName: string): Promise<(config: Pick<Config, "dataDir">) => string> {
  const coordinates = { packageName: "tool", version: "1.0", fileName };
  const file = await publishFile(deps, project, ann.user, coordinates, new Blob([fileName]).stream());
  if (typeof file === "string") throw new Error(file);
  const name = `${file.file.sha256}.${file.file.key}`;
  return ({ dataDir }) => join(dataDir, "packages", String(project.id), name);
}

const [at, text] = ["'2026-01-01T00:00:00.000+00:00'", "'a'"];
const named = { name: text, path: text, fullPath: text, fullPathLower: text, description: text };
const namespace = { id: "1", ...named, visibility: "'private'", createdAt: at };
const flags = { paused: "false", locked: "false", runUntagged: "true" };
/**
 * The SQL values of rows that are inserted before a migration stores the group ids of a project in other
 * tables.
 */
const OLDER = {
  Group: namespace,
  Project: { ...namespace, nameLower: text, groupId: "1", topGroupId: "1", lastActivityAt: at },
  Runner: {
    id: "1",
    kind: text,
    digest: text,
    description: text,
    ...flags,
    accessLevel: text,
    createdAt: at,
  },
  RunnerProject: { runnerId: "1", projectId: "1" },
};

const newFolder = () => join(temporaryFolder(), "backup");

describe("the restore of a backup", GIT, () => {
  it("a backup that is restored on another server contains every row and every commit, and new ids continue after the restored ids", async () => {
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": "a\n" } }]);
    const source = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
    await runGit(["update-ref", "refs/heads/trunk", "refs/heads/main"], source);
    await runGit(["symbolic-ref", "HEAD", "refs/heads/trunk"], source);
    const folder = newFolder();
    expect(await backUp(deps.config, folder, ABOUT)).toMatchObject({ repositories: 1, secret: false });
    expect(statSync(folder).mode & 0o077).toBe(0);
    const target = await another();
    expect(await restore(target, folder)).toMatchObject({ repositories: 1 });
    const { db, close } = await openDatabase(target.database);
    try {
      expect(await db.user.findMany()).toEqual(await deps.db.user.findMany());
      expect(await db.group.findMany()).toEqual(await deps.db.group.findMany());
      expect(await db.projectMember.findMany()).toEqual(await deps.db.projectMember.findMany());
      expect(await db.personalAccessToken.findMany()).toEqual(await deps.db.personalAccessToken.findMany());
      expect((await db.applicationLogo.findFirstOrThrow()).png).toEqual(png);
      const added = await insertApplication(db, ann.user.id, "another");
      expect(added.id).toBeGreaterThan(application.id);
      expect(await db.auditEvent.count()).toBeGreaterThan(0);
      expect(await verifyChain({ ...deps, db })).toMatchObject({ isIntact: true });
    } finally {
      await close();
    }
    const copied = { cwd: await repositoryOf({ config: target }, project), path: target.programPath };
    const head = (call: typeof source) => runGit(["rev-parse", "--symbolic-full-name", "HEAD", "main"], call);
    expect((await head(copied)).toString()).toBe((await head(source)).toString());
    await runGit(["fsck", "--strict"], copied);
  });

  it(
    conformance(
      "SC-01",
      "a restored repository does not contain the replacement references that an earlier version of Gatehouse accepted",
    ),
    async () => {
      const source = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
      const head = String(await runGit(["rev-parse", "refs/heads/main"], source)).trim();
      await runGit(["update-ref", `refs/replace/${"0".repeat(39)}1`, head], source);
      await runGit(["update-ref", "refs/notes/commits", head], source);
      const folder = newFolder();
      await backUp(deps.config, folder, ABOUT);
      const target = await another();
      await restore(target, folder);
      const restored = { cwd: await repositoryOf({ config: target }, project), path: target.programPath };
      const refs = String(await runGit(["for-each-ref", "--format=%(refname)"], restored)).split("\n");
      expect(refs).toContain("refs/notes/commits");
      expect(refs.filter((ref) => ref.startsWith("refs/replace/"))).toEqual([]);
    },
  );

  it("the restore of a backup omits repositories whose projects are missing in the database of the backup", async () => {
    await repositoryOf(deps, { id: 4711 });
    const folder = newFolder();
    expect(await backUp(deps.config, folder, ABOUT)).toMatchObject({ repositories: 2 });
    const target = await another();
    expect(await restore(target, folder)).toMatchObject({ repositories: 1 });
    expect(readdirSync(join(target.dataDir, "repositories"))).toEqual([`${project.id}.git`]);
    rmSync(join(deps.config.dataDir, "repositories", "4711.git"), { recursive: true });
  });

  it("a restored backup contains exactly the package files that its database lists", async () => {
    const remaining = await published("kept.bin");
    const lost = await published("lost.bin");
    const folder = newFolder();
    await backUp(deps.config, folder, ABOUT);
    expect(statSync(remaining({ dataDir: folder })).mode & 0o077).toBe(0);
    // This file simulates a file that was added and removed while the database was copied.
    rmSync(lost({ dataDir: folder }));
    const stray = join(folder, "packages", String(project.id), `${"a".repeat(64)}.${"b".repeat(32)}`);
    writeFileSync(stray, "content without a row in the database");
    const target = await another();
    expect(await restore(target, folder)).toMatchObject({ packageFiles: 1 });
    expect(readFileSync(remaining(target), "utf8")).toBe("kept.bin");
    expect(readdirSync(join(target.dataDir, "packages", String(project.id)))).toHaveLength(1);
    const { db, close } = await openDatabase(target.database);
    expect(await db.publishedFile.findMany({ select: { name: true } })).toEqual([{ name: "kept.bin" }]);
    await close();
  });

  it("a backup is a consistent snapshot even if other processes write during the backup", async () => {
    const folder = newFolder();
    let going = true;
    const writing = (async () => {
      for (let count = 0; going; count += 1) {
        await deps.transaction(async (within) => {
          await insertApplication(within.db, ann.user.id, `left-${count}`);
          await insertApplication(within.db, bob.user.id, `right-${count}`);
        });
        // During this pause of the writes, the copy of the database proceeds.
        await setTimeout(1);
      }
    })();
    await backUp(deps.config, folder, ABOUT);
    going = false;
    await writing;
    const target = await another();
    await restore(target, folder);
    const { db, close } = await openDatabase(target.database);
    const [left, right] = await Promise.all([
      db.application.count({ where: { uid: { startsWith: "left-" } } }),
      db.application.count({ where: { uid: { startsWith: "right-" } } }),
    ]);
    await close();
    expect(left).toBe(right);
  });

  it("a backup from an older version is migrated to the current version after it is restored", async () => {
    const older = await another();
    await migrate(older.database, { upTo: "20261122014452_personal_token_families" });
    const { db: before, close: closeBefore } = await openDatabase(older.database);
    for (const [table, row] of Object.entries(OLDER)) {
      const columns = Object.keys(row).map((name) => `"${name}"`);
      await before.$executeRawUnsafe(
        `INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${Object.values(row).join(", ")})`,
      );
    }
    await closeBefore();
    const folder = newFolder();
    await backUp(older, folder, ABOUT);
    const target = await another();
    await restore(target, folder);
    const { db, close } = await openDatabase(target.database);
    expect(await db.runnerProject.findMany()).toEqual([
      { runnerId: 1, projectId: 1, groupId: 1, topGroupId: 1 },
    ]);
    await close();
  });

  it("a backup is written to a new directory, and is restored into an empty directory either completely or not at all", async () => {
    const folder = newFolder();
    await backUp(deps.config, folder, ABOUT);
    await expect(backUp(deps.config, folder, ABOUT)).rejects.toThrow(/is not empty/);
    const target = await another();
    await restore(target, folder);
    await expect(restore(target, folder)).rejects.toThrow(/is not empty/);
    await expect(restore(await another(), newFolder())).rejects.toThrow(/not a complete backup/);
    const foreign = JSON.parse(readFileSync(join(folder, "backup.json"), "utf8")) as object;
    writeFileSync(join(folder, "backup.json"), JSON.stringify({ ...foreign, provider: "other" }));
    await expect(restore(await another(), folder)).rejects.toThrow(/not a backup of Gatehouse/);
    rmSync(join(folder, "backup.json"));
    await expect(restore(await another(), folder)).rejects.toThrow(/not a complete backup/);
  });

  it("a backup that does not contain the instance secret can be restored only if the secret is given separately", async () => {
    const folder = newFolder();
    await backUp(deps.config, folder, ABOUT);
    const target = { ...(await another()), secret: null };
    await expect(restore(target, folder)).rejects.toThrow(/set GATEHOUSE_SECRET/);
    const own = { ...deps.config, secret: null };
    writeFileSync(join(own.dataDir, "secret"), "a secret of this instance alone\n");
    const whole = newFolder();
    expect(await backUp(own, whole, ABOUT)).toMatchObject({ secret: true });
    renameSync(join(whole, "secret"), join(whole, "lost"));
    await expect(restore(target, whole)).rejects.toThrow(/The backup is incomplete: .*secret is missing/);
    renameSync(join(whole, "lost"), join(whole, "secret"));
    await restore(target, whole);
    expect(readFileSync(join(target.dataDir, "secret"), "utf8")).toBe("a secret of this instance alone\n");
    expect(statSync(join(target.dataDir, "secret")).mode & 0o077).toBe(0);
  });
});
