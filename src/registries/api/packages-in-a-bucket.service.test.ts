import { createHash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as generic from "@app/api/v4/projects/[id]/packages/generic/[package_name]/[package_version]/[file_name]/route.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBucket } from "@/kernel/config/object-storage.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { fileStorageOf } from "@/kernel/objects/file-storage.ts";
import { createBackup, openPlace } from "@/operations/backup/places.ts";
import { restore } from "@/operations/backup/service.ts";
import { readiness } from "@/operations/health/readiness.ts";
import { isStorageEmpty } from "@/registries/packages/backup.ts";
import { migrateFiles } from "@/registries/packages/migration.ts";
import { sweepFiles } from "@/registries/packages/service.ts";
import { claimStorage } from "@/registries/packages/storage-owner.ts";
import { removeProjectFolders } from "@/registries/packages/stored-file.ts";
import { apiUser } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { emptyDatabase } from "@/testing/database.ts";
import { openTestDeps, type TestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { startObjectStorage, type TestObjectStorage } from "@/testing/object-storage.ts";
import { projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { deleteProject } from "@/workspace/projects/service.ts";

let server: TestObjectStorage;
let deps: TestDeps;
let owner: Awaited<ReturnType<typeof apiUser>>;
let project: AuthorizedProject;

const filesIn = (place: string) => {
  const bucket = parseBucket(place);
  if (bucket === null) throw new Error(place);
  return { kind: "s3" as const, server: server.config, bucket };
};

beforeAll(async () => {
  server = await startObjectStorage();
  deps = await openTestDeps();
  const files = filesIn("s3://files/gatehouse");
  deps = { ...deps, config: { ...deps.config, objectStorage: server.config, files, fileBucket: files } };
  provideDeps(deps);
  await deps.db.instance.create({ data: { id: 1, secretCheck: "", createdAt: deps.clock() } });
  owner = await apiUser(deps, "owner");
  project = await projectOf(deps, owner.user, "shop");
});
afterAll(() => server.close());

const request = async (method: "PUT" | "GET", file: string, more: RequestInit = {}, to = project) => {
  const path = { id: String(to.id), package_name: "tool", package_version: "1.0", file_name: file };
  const headers = { "private-token": owner.token, ...more.headers };
  const init = { ...more, method, headers, duplex: "half" };
  const handle = method === "PUT" ? generic.PUT : generic.GET;
  return handle(new Request(`${ORIGIN}/api/v4/x`, init), { params: Promise.resolve(path) });
};
const publish = async (file: string, body: string, to = project) =>
  (await request("PUT", file, { body }, to)).status;
const download = async (file: string, headers: Record<string, string> = {}) => {
  const response = await request("GET", file, { headers });
  return [response.status, await response.text()];
};

const storage = () => fileStorageOf(deps.config);
async function stored(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of storage().list("packages")) names.push(...page);
  return names;
}
/** Returns the names of the files that exist in DATA_DIR. */
const local = () =>
  readdirSync(join(deps.config.dataDir, "packages"), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  );

describe("a package file in a bucket", () => {
  it("a package file in a bucket can be published, downloaded with range requests, replaced and deleted, and leaves no file in DATA_DIR", async () => {
    expect(await publish("a.txt", "0123456789")).toBe(201);
    expect(await download("a.txt")).toEqual([200, "0123456789"]);
    expect(await download("a.txt", { range: "bytes=4-6" })).toEqual([206, "456"]);
    expect(await download("a.txt", { range: "bytes=10-" })).toEqual([416, ""]);
    const etag = `"${createHash("sha256").update("0123456789").digest("hex")}"`;
    expect(await download("a.txt", { "if-none-match": etag })).toEqual([304, ""]);
    expect(await publish("a.txt", "new")).toBe(201);
    expect(await download("a.txt")).toEqual([200, "new"]);
    expect(await publish("empty.txt", "")).toBe(201);
    expect(await download("empty.txt")).toEqual([200, ""]);
    expect(await stored()).toHaveLength(2);
    expect(local()).toEqual([]);
    const doomed = await projectOf(deps, owner.user, "doomed");
    expect(await publish("b.txt", "b", doomed)).toBe(201);
    expect(await stored()).toHaveLength(3);
    await deleteProject(deps, doomed, owner.user);
    expect(await stored()).toHaveLength(2);
  });

  it("a package file with wrong content in the bucket is never delivered completely", async () => {
    await publish("damaged.txt", "good content");
    const row = await deps.db.publishedFile.findFirstOrThrow({ where: { name: "damaged.txt" } });
    const name = `packages/${project.id}/${row.sha256}.${row.key}`;
    const path = join(temporaryFolder(), "x");
    await storage().copyTo(name, path, { mayLink: false });
    writeFileSync(path, "evil content");
    const sha256 = createHash("sha256").update("evil content").digest("hex");
    await storage().put(name, { path, sizeBytes: 12, sha256 }, { mayLink: false });
    const response = await request("GET", "damaged.txt");
    await expect(response.text()).rejects.toThrow(/does not match/);
    expect(deps.logged.at(-1)).toMatchObject({ event: "package.download_failed", file_id: row.id });
  });

  it(
    conformance(
      "SC-40",
      "the API responds with 503 while the object storage does not respond, and the stored package files match the database rows afterwards",
    ),
    async () => {
      const rows = await deps.db.publishedFile.count();
      expect((await readiness(deps, undefined, 60_000)).warnings).not.toContain("object_storage");
      await server.close();
      try {
        const response = await request("PUT", "late.txt", { body: "late" });
        expect([response.status, await response.json(), response.headers.get("retry-after")]).toEqual([
          503,
          {
            message:
              "503 Service Unavailable - The file storage of the server is not available. Nothing was changed.",
          },
          "5",
        ]);
        expect((await request("GET", "a.txt")).status).toBe(503);
        expect(deps.logged.at(-1)).toMatchObject({
          event: "api.object_storage_failed",
          level: "error",
        });
        expect(local()).toEqual([]);
        deps.advance(6);
        expect(await readiness(deps, undefined, 60_000)).toMatchObject({
          status: "warning",
          warnings: expect.arrayContaining(["object_storage"]),
        });
      } finally {
        await server.restart();
      }
      expect(await deps.db.publishedFile.count()).toBe(rows);
      expect(await download("a.txt")).toEqual([200, "new"]);
      expect(await publish("late.txt", "late")).toBe(201);
      deps.advance(6);
      expect((await readiness(deps, undefined, 60_000)).warnings).toEqual([]);
    },
  );

  it("pruning deletes a package file that has had no database row for an hour, but keeps a package file that has a database row", async () => {
    const before = await stored();
    const path = join(temporaryFolder(), "stray");
    writeFileSync(path, "x");
    const sha256 = createHash("sha256").update("x").digest("hex");
    const stray = `packages/4711/${"a".repeat(64)}.${"b".repeat(32)}`;
    await storage().put(stray, { path, sizeBytes: 1, sha256 }, { mayLink: false });
    const now = Date.now();
    const at = (hours: number) => ({ ...deps, clock: () => new Date(now + hours * 3_600_000) });
    expect(await sweepFiles(at(0.9))).toBe(0);
    expect(await sweepFiles(at(1.1))).toBe(1);
    expect(await stored()).toEqual(before);
  });

  it("a package file cannot be stored in the bucket of another instance, and pruning keeps the files of the other instance", async () => {
    const config = { ...deps.config, files: filesIn("s3://files/gatehouse") };
    await deps.db.instance.update({ where: { id: 1 }, data: { createdAt: new Date(0) } });
    try {
      provideDeps({ ...deps, config });
      expect(await publish("other.txt", "other")).toBe(503);
      await expect(sweepFiles({ ...deps, config })).rejects.toThrow(/belongs to another instance/);
    } finally {
      await deps.db.instance.update({ where: { id: 1 }, data: { createdAt: new Date(1) } });
      provideDeps(deps);
    }
  });

  it("a package file is not stored if another instance claims the empty bucket simultaneously", async () => {
    const shared = fileStorageOf({ ...deps.config, files: filesIn("s3://files/shared") });
    const rival = join(temporaryFolder(), "rival");
    writeFileSync(rival, "");
    const file = { path: rival, sizeBytes: 0, sha256: createHash("sha256").update("").digest("hex") };
    const raced = {
      ...shared,
      put: async (...input: Parameters<typeof shared.put>) => {
        await shared.put("instances/rival", file, { mayLink: false });
        await shared.put(...input);
      },
    };
    await expect(claimStorage(deps, raced)).rejects.toThrow(/belongs to another instance/);
    const owners: string[] = [];
    for await (const names of shared.list("instances")) owners.push(...names);
    expect(owners).toEqual(["instances/rival"]);
    await shared.remove("instances/rival");
    await claimStorage(deps, shared);
    await shared.put("instances/rival", file, { mayLink: false });
    await claimStorage(deps, shared);
    await expect(claimStorage(deps, shared, { again: true })).rejects.toThrow(/belongs to another instance/);
  });

  it("a project with package files is deleted without delay even if the object storage does not respond", async () => {
    const endpoint = await new Promise<Server>((resolve) => {
      const silent: Server = createServer(() => undefined).listen(0, "127.0.0.1", () => resolve(silent));
    });
    const { port } = endpoint.address() as AddressInfo;
    const silent = { ...server.config, endpoint: new URL(`http://127.0.0.1:${port}`) };
    const config = { ...deps.config, files: { ...filesIn("s3://files/gatehouse"), server: silent } };
    const started = Date.now();
    await removeProjectFolders({ ...deps, config }, [4711, 4712, 4713]);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(deps.logged.at(-1)).toMatchObject({
      ...{ event: "package.file_not_removed", name: "packages/4711", remaining: 3 },
    });
    endpoint.closeAllConnections();
    endpoint.close();
  });

  it("a backup contains the package files in a bucket, and is restored only if the target bucket is empty", async () => {
    const folder = join(temporaryFolder(), "backup");
    const about = { version: "1.2.3", now: deps.clock() };
    await createBackup(deps.config, openPlace(deps.config, folder, "/"), about, null);
    const target = {
      ...deps.config,
      dataDir: join(temporaryFolder(), "data"),
      database: await emptyDatabase(),
    };
    await expect(restore(target, folder)).rejects.toThrow(/s3:\/\/files\/gatehouse\/ .* has package files/);
    const empty = { ...target, files: filesIn("s3://files/restored") };
    const rows = await deps.db.publishedFile.count();
    expect(await restore(empty, folder)).toMatchObject({ packageFiles: rows });
    expect(await isStorageEmpty(fileStorageOf(empty))).toBe(false);
    expect(existsSync(join(empty.dataDir, "packages"))).toBe(false);
  });

  it("package files can be migrated repeatedly from a bucket to a folder and back, and the migration reports damaged files", async () => {
    const folder = fileStorageOf({ ...deps.config, files: { kind: "folder" } });
    const run = (from = storage(), to = folder, verify = false) =>
      migrateFiles(deps, from, to, { verify, report: () => undefined });
    const rows = await deps.db.publishedFile.count();
    const first = await run();
    expect(first).toMatchObject({ total: rows, copied: rows - 1, present: 0 });
    expect(first.failed).toHaveLength(1);
    expect(await run()).toMatchObject({ copied: 0, present: rows - 1 });
    await deps.db.publishedFile.deleteMany({ where: { name: "damaged.txt" } });
    expect(local()).toHaveLength(rows - 1);
    await storage().removeFolder("packages");
    expect(await run(folder, storage())).toMatchObject({ copied: rows - 1, present: 0, failed: [] });
    expect(await run(folder, storage(), true)).toMatchObject({ copied: 0, present: rows - 1 });
    expect(await download("a.txt")).toEqual([200, "new"]);
  });
});
