import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Config } from "@/kernel/config/config.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { type ObjectStorage, openBucket } from "@/kernel/objects/s3.ts";
import { publishFile } from "@/registries/packages/service.ts";
import { apiUser } from "@/testing/api.ts";
import { emptyDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { startObjectStorage, type TestObjectStorage } from "@/testing/object-storage.ts";
import { projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { listBackups, newestBackup } from "./object-backup.ts";
import { createBackup, fetchBackup, openPlace, removeOlderBackups } from "./places.ts";
import { restore } from "./service.ts";
import { verifyBackup } from "./verification.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const project = await projectOf(deps, ann.user, "project");
const other = await projectOf(deps, ann.user, "other");
let minutes = 0;
/** The time of each backup. The name of a backup in object storage contains the time of the backup. */
const about = () => {
  minutes += 1;
  return { version: "1.2.3", now: new Date(Date.UTC(2026, 10, 21, 12, minutes)) };
};

async function publish(fileName: string): Promise<void> {
  const coordinates = { packageName: "tool", version: "1.0", fileName };
  const content = new Blob([fileName.repeat(1000)]).stream();
  const file = await publishFile(deps, project, ann.user, coordinates, content);
  if (typeof file === "string") throw new Error(file);
}

const commit = (target: typeof project, message: string) =>
  commitAll(deps, target, [{ branch: "main", message, files: { "a.txt": `${message}\n` } }]);

async function another(config: Config = deps.config): Promise<Config> {
  return { ...config, dataDir: join(temporaryFolder(), "data"), database: await emptyDatabase() };
}

async function usersIn(config: Config): Promise<number> {
  const { db, close } = await openDatabase(config.database);
  return await db.user.count().finally(close);
}

beforeAll(async () => {
  await commit(project, "one");
  await commit(other, "one");
  await publish("first.bin");
});

describe("a backup in a folder", GIT, () => {
  it("a backup in a folder has hard links to the unchanged files of the previous backup, and stays complete if the previous backup is deleted", async () => {
    const [first, second] = [join(temporaryFolder(), "first"), join(temporaryFolder(), "second")];
    await createBackup(deps.config, { folder: first }, about(), null);
    await publish("second.bin");
    await commit(other, "two");
    await createBackup(deps.config, { folder: second }, about(), first);
    const links = (path: string): number => statSync(join(second, path)).nlink;
    expect(links(`repositories/${project.id}.bundle`)).toBe(2);
    expect(links(`repositories/${other.id}.bundle`)).toBe(1);
    const packages = readdirSync(join(second, "packages", String(project.id)));
    expect(packages.map((name) => links(`packages/${project.id}/${name}`)).toSorted()).toEqual([1, 2]);
    rmSync(first, { recursive: true });
    const target = await another();
    expect(await restore(target, second)).toMatchObject({ repositories: 2, packageFiles: 2 });
  });

  it("a backup is refused if the folder of the previous backup contains no complete backup", async () => {
    const previous = temporaryFolder();
    const folder = join(temporaryFolder(), "backup");
    const refused = createBackup(deps.config, { folder }, about(), previous);
    await expect(refused).rejects.toThrow(/is not a complete backup/);
    expect(existsSync(folder)).toBe(false);
  });

  it("the verification reports package files that are missing in the backup, and the restore reports the number of missing files", async () => {
    const folder = join(temporaryFolder(), "backup");
    await createBackup(deps.config, { folder }, about(), null);
    rmSync(join(folder, "packages"), { recursive: true });
    const verified = verifyBackup(
      deps.config,
      async () => folder,
      async () => [],
    );
    await expect(verified).rejects.toThrow(/Package files that are missing: 2\./);
    const restored = await restore(await another(), folder);
    expect(restored).toMatchObject({ packageFiles: 0, missingPackageFiles: 2 });
  });

  it("a relative path of a backup refers to the folder in which the command runs", () => {
    expect(openPlace(deps.config, "backups/one", "/var/lib")).toEqual({ folder: "/var/lib/backups/one" });
  });

  it("a backup contains both secrets during a rotation of the instance secret", async () => {
    const config = { ...deps.config, secret: null };
    writeFileSync(join(config.dataDir, "secret"), "the secret that is replaced, of enough letters\n");
    writeFileSync(join(config.dataDir, "secret.next"), "the secret that replaces it, of enough letters\n");
    const folder = join(temporaryFolder(), "backup");
    await createBackup(config, { folder }, about(), null);
    const target = await another(config);
    await restore(target, folder);
    for (const name of ["secret", "secret.next"])
      expect(readFileSync(join(target.dataDir, name))).toEqual(readFileSync(join(config.dataDir, name)));
    for (const name of ["secret", "secret.next"]) rmSync(join(config.dataDir, name));
  });
});

describe("a backup in an object storage", GIT, () => {
  let server: TestObjectStorage;
  let config: Config;
  let storage: ObjectStorage;
  beforeAll(async () => {
    server = await startObjectStorage();
    config = { ...deps.config, objectStorage: server.config };
    storage = openBucket(server.config, { name: "backups", prefix: "gatehouse/" });
  });
  afterAll(() => server.close());
  const place = async () => openPlace(config, "s3://backups/gatehouse", tmpdir());

  it("a backup to object storage sends only the data that changed since the previous backup, and leaves no file in DATA_DIR", async () => {
    const first = await createBackup(config, await place(), about(), null);
    const unchanged = await createBackup(config, await place(), about(), null);
    await publish("third.bin");
    await createBackup(config, await place(), about(), null);
    expect(unchanged.sentBytes).toBeLessThan(first.sentBytes ?? 0);
    expect(await listBackups(storage)).toHaveLength(3);
    expect(existsSync(join(config.dataDir, "backup-in-progress"))).toBe(false);
    const target = await another(config);
    const folder = await fetchBackup(await place(), null, join(temporaryFolder(), "fetched"));
    expect(await restore(target, folder)).toMatchObject({ repositories: 2, packageFiles: 3 });
    expect(await usersIn(target)).toBe(await deps.db.user.count());
    const [oldest = ""] = await listBackups(storage);
    const older = await fetchBackup(
      await place(),
      oldest.split("/").at(-1) ?? "",
      join(temporaryFolder(), "older"),
    );
    expect(await restore(await another(config), older)).toMatchObject({ packageFiles: 2 });
  });

  it("a backup is verified by restoring it, and a damaged or missing object is reported", async () => {
    const restored: string[] = [];
    const verify = (problems: readonly string[] = []) =>
      verifyBackup(
        config,
        async (folder) => fetchBackup(await place(), null, folder),
        async (target) => {
          restored.push(target.dataDir);
          expect(await usersIn(target)).toBe(await deps.db.user.count());
          return problems;
        },
      );
    await createBackup(config, await place(), about(), null);
    await verify();
    await expect(verify(["secret: does not match"])).rejects.toThrow(/not valid:\nsecret: does not match/);
    expect(restored.map((folder) => existsSync(folder))).toEqual([false, false]);
    // This test damages an object of the newest backup, because older backups have objects that the newest
    // backup does not contain.
    const [digest = ""] = Object.values((await newestBackup(storage))?.files ?? {}).flat();
    const [object = ""] = (await storage.list("objects/")).filter((name) => name.endsWith(digest));
    const content = await storage.get(object);
    await storage.put(object, new TextEncoder().encode("damaged"));
    await expect(verify()).rejects.toThrow(/is damaged/);
    await storage.remove(object);
    await expect(verify()).rejects.toThrow(/is missing/);
    await storage.put(object, new Uint8Array(content ?? []));
    await verify();
  });

  it("an old backup is deleted together with the objects that no newer backup contains", async () => {
    const before = (await storage.list("objects/")).length;
    await createBackup(config, await place(), about(), null);
    expect(await removeOlderBackups(await place(), 1)).toBe(4);
    expect(await listBackups(storage)).toHaveLength(1);
    expect((await storage.list("objects/")).length).toBeLessThan(before);
    await verifyBackup(
      config,
      async (folder) => fetchBackup(await place(), null, folder),
      async () => [],
    );
  });

  it("a backup is refused if the access key is unknown or missing, if the bucket is unknown, or if the URL is invalid", async () => {
    const wrong = { ...config, objectStorage: { ...server.config, accessKeyId: "unknown" } };
    const backUpTo = async (target: Config, url: string) =>
      createBackup(target, openPlace(target, url, tmpdir()), about(), null);
    await expect(backUpTo(wrong, "s3://backups/gatehouse")).rejects.toThrow(/403, InvalidAccessKeyId/);
    await expect(backUpTo(config, "s3://unknown/gatehouse")).rejects.toThrow(/does not exist/);
    await expect(backUpTo(config, "s3://backups/../x")).rejects.toThrow(/is not the URL of a bucket/);
    await expect(backUpTo({ ...config, objectStorage: null }, "s3://backups/x")).rejects.toThrow(
      /S3_ACCESS_KEY_ID/,
    );
  });
});
