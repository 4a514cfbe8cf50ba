import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { depsOf } from "@/kernel/deps/deps.ts";
import { publishFile } from "@/registries/packages/service.ts";
import { apiUser } from "@/testing/api.ts";
import { commandLine, gatehouse, json, useInstance } from "@/testing/command-line.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { startObjectStorage, type TestObjectStorage } from "@/testing/object-storage.ts";
import { projectOf } from "@/testing/projects.ts";

const { config: database, ...opened } = await openTestDatabase();
commandLine();
let server: TestObjectStorage;

beforeAll(async () => {
  server = await startObjectStorage();
  const dataDir = useInstance(database);
  await gatehouse("application", "list");
  const deps = await openTestDeps(depsOf(opened));
  const config = { ...deps.config, dataDir };
  const ann = await apiUser(deps, "ann");
  const project = await projectOf(deps, ann.user, "shop");
  const coordinates = { packageName: "tool", version: "1", fileName: "tool.bin" };
  await publishFile({ ...deps, config }, project, ann.user, coordinates, new Blob(["content"]).stream());
});
afterAll(() => server.close());

const doctor = async (check: string): Promise<string> => {
  const { out } = await gatehouse("doctor");
  return out.split("\n").find((line) => line.includes(check)) ?? "";
};

it("`storage migrate` copies all package files to the bucket, and `doctor` reports files that were not copied", async () => {
  expect(await gatehouse("storage", "migrate", "--to", "s3")).toMatchObject({
    status: 2,
    err: expect.stringContaining("Set S3_BUCKET"),
  });
  vi.stubEnv("S3_BUCKET", "files/gatehouse");
  vi.stubEnv("S3_ENDPOINT", server.config.endpoint.origin);
  vi.stubEnv("S3_ACCESS_KEY_ID", server.config.accessKeyId);
  vi.stubEnv("S3_SECRET_ACCESS_KEY", server.config.secretAccessKey);
  expect(await gatehouse("storage", "migrate", "--to", "tape")).toMatchObject({ status: 2 });
  expect(await doctor("package files")).toMatch(/^ok .*checked the newest 1, and none is missing/);
  vi.stubEnv("STORAGE", "s3");
  expect(await doctor("package files")).toMatch(/^PROBLEM .*1 of the 1 newest files are missing in s3:/);
  expect(await doctor("file storage")).toMatch(/^ok .*s3:\/\/files\/gatehouse\/ at 127.0.0.1:\d+ answers/);
  expect(await json("storage", "migrate", "--to", "s3")).toEqual({
    to: "s3",
    total: 1,
    copied: 1,
    copiedBytes: 7,
    present: 0,
    failed: [],
  });
  expect(await json("storage", "migrate", "--to", "s3", "--verify")).toMatchObject({ copied: 0, present: 1 });
  expect(await doctor("package files")).toMatch(/^ok/);
  await server.close();
  expect(await doctor("file storage")).toMatch(/^PROBLEM .*does not respond/);
  await server.restart();
});

it("`storage migrate` prints the steps that remain before and after STORAGE is changed", async () => {
  vi.stubEnv("STORAGE", "folder");
  const before = await gatehouse("storage", "migrate", "--to", "s3");
  expect(before).toMatchObject({ status: 0 });
  expect(before.out).toContain("1. Set STORAGE=s3 in the environment of every server");
  expect(before.out).toContain('3. Run "gatehouse storage migrate --to s3 --verify" with STORAGE=s3');
  vi.stubEnv("STORAGE", "s3");
  const after = await gatehouse("storage", "migrate", "--to", "s3", "--verify");
  expect(after.out).not.toContain("Set STORAGE");
  expect(after.out).toMatch(
    /the migration is complete\. Run "gatehouse doctor", .* delete .*\/packages\.\n$/,
  );
  const back = await gatehouse("storage", "migrate", "--to", "folder");
  expect(back.out).toContain("1. Set STORAGE=folder");
});
