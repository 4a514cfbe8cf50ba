import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileStorageConfig } from "@/kernel/config/object-storage.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { startObjectStorage, type TestObjectStorage } from "@/testing/object-storage.ts";
import { chunksOf } from "./chunks.ts";
import { type FileStorage, fileStorageOf } from "./file-storage.ts";

let server: TestObjectStorage;
beforeAll(async () => {
  server = await startObjectStorage();
});
afterAll(() => server.close());

const COPY = { mayLink: false } as const;
const LINK = { mayLink: true } as const;

function localFile(content: string | Buffer) {
  const path = join(temporaryFolder(), "local");
  writeFileSync(path, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { path, sizeBytes: Buffer.byteLength(content), sha256 };
}

async function read(content: ReadableStream<Uint8Array> | null): Promise<Buffer | null> {
  if (content === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(content)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function namesIn(storage: FileStorage, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of storage.list(folder)) names.push(...page);
  return names.toSorted();
}

const bucketOf = (name: string, prefix: string): FileStorageConfig => ({
  kind: "s3",
  server: server.config,
  bucket: { name, prefix },
});

const IMPLEMENTATIONS: readonly (readonly [string, () => FileStorageConfig])[] = [
  ["a folder", () => ({ kind: "folder" })],
  ["a bucket", () => bucketOf("files", "")],
  ["a prefix of a bucket", () => bucketOf("files", "some/prefix/")],
];

describe.each(IMPLEMENTATIONS)("the storage in %s", (_name, configOf) => {
  let storage: FileStorage;
  beforeAll(() => {
    storage = fileStorageOf({ dataDir: temporaryFolder(), files: configOf() });
  });

  it("the file storage returns the content, any part of the content and the size of a file, and returns null for a missing file", async () => {
    const content = randomBytes(3_000_000);
    await storage.put("packages/1/large", localFile(content), LINK);
    expect((await read(await storage.open("packages/1/large", null)))?.equals(content)).toBe(true);
    const part = await read(await storage.open("packages/1/large", { begin: 1_000_000, end: 1_000_009 }));
    expect(part?.equals(content.subarray(1_000_000, 1_000_010))).toBe(true);
    expect(await storage.sizeOf("packages/1/large")).toBe(3_000_000);
    expect(await storage.open("packages/1/missing", null)).toBeNull();
    expect(await storage.open("packages/1/missing", { begin: 0, end: 1 })).toBeNull();
    expect(await storage.sizeOf("packages/1/missing")).toBeNull();
    await storage.check(5_000);
  });

  it("the file storage stores an empty file, and leaves the local file in place", async () => {
    const file = localFile("");
    await storage.put("packages/2/empty", file, COPY);
    expect(existsSync(file.path)).toBe(true);
    expect(await storage.sizeOf("packages/2/empty")).toBe(0);
    expect(await read(await storage.open("packages/2/empty", null))).toEqual(Buffer.alloc(0));
  });

  it("the file storage copies a stored file to a local path", async () => {
    await storage.put("packages/3/copied", localFile("content"), COPY);
    const path = join(temporaryFolder(), "copy");
    expect(await storage.copyTo("packages/3/copied", path, COPY)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("content");
    const missing = join(temporaryFolder(), "missing");
    expect(await storage.copyTo("packages/3/missing", missing, LINK)).toBe(false);
    expect(existsSync(missing)).toBe(false);
  });

  it("the file storage lists exactly the files of a folder and its subfolders", async () => {
    for (const name of ["listed/1/a", "listed/1/b", "listed/12/c", "listed-too/d"])
      await storage.put(name, localFile(name), COPY);
    expect(await namesIn(storage, "listed")).toEqual(["listed/1/a", "listed/1/b", "listed/12/c"]);
    expect(await namesIn(storage, "listed/1")).toEqual(["listed/1/a", "listed/1/b"]);
    expect(await namesIn(storage, "listed/none")).toEqual([]);
  });

  it("the file storage deletes a file, a folder, or a file that was stored before a given time", async () => {
    for (const name of ["gone/1/a", "gone/1/b", "gone/12/c"]) await storage.put(name, localFile(name), COPY);
    await storage.remove("gone/1/a");
    await storage.remove("gone/1/a");
    expect(await namesIn(storage, "gone")).toEqual(["gone/1/b", "gone/12/c"]);
    await storage.removeFolder("gone/1");
    await storage.removeFolder("gone/1");
    expect(await namesIn(storage, "gone")).toEqual(["gone/12/c"]);
    const hour = 3_600_000;
    expect(await storage.removeIfOlder("gone/12/c", new Date(Date.now() - hour))).toBe(false);
    expect(await storage.removeIfOlder("gone/12/c", new Date(Date.now() + hour))).toBe(true);
    expect(await storage.removeIfOlder("gone/12/c", new Date(Date.now() + hour))).toBe(false);
    expect(await namesIn(storage, "gone")).toEqual([]);
  });

  it("the file storage ends the transfer when a stream is canceled", async () => {
    await storage.put("packages/4/canceled", localFile(randomBytes(5_000_000)), COPY);
    const content = await storage.open("packages/4/canceled", null);
    const reader = content?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(await storage.sizeOf("packages/4/canceled")).toBe(5_000_000);
  });
});

describe("the storage in a folder", () => {
  it("the folder storage creates a hard link to an immutable file, and copies a file that may change", async () => {
    const dataDir = temporaryFolder();
    const storage = fileStorageOf({ dataDir, files: { kind: "folder" } });
    await storage.put("packages/1/linked", localFile("a"), LINK);
    await storage.put("packages/1/copied", localFile("a"), COPY);
    expect(statSync(join(dataDir, "packages/1/linked")).nlink).toBe(2);
    expect(statSync(join(dataDir, "packages/1/copied")).nlink).toBe(1);
  });
});

describe("the storage in a bucket", () => {
  it("the bucket storage sends the length and the signed digest of the content", async () => {
    const file = localFile("signed");
    const requests: Headers[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      if (input instanceof Request) requests.push(input.headers);
      return fetch(input, init);
    };
    try {
      await fileStorageOf({ dataDir: "", files: bucketOf("files", "") }).put("signed", file, COPY);
    } finally {
      globalThis.fetch = fetch;
    }
    const [headers] = requests;
    expect(headers?.get("x-amz-content-sha256")).toBe(file.sha256);
    expect(headers?.get("content-length")).toBe("6");
    expect(headers?.get("authorization")).toMatch(/SignedHeaders=[\w;-]*x-amz-content-sha256/);
  });

  it("the bucket storage reports an unknown bucket, an unknown access key and a server that does not respond", async () => {
    const storage = (files: FileStorageConfig) => fileStorageOf({ dataDir: "", files });
    const unknown = storage(bucketOf("unknown", ""));
    await expect(unknown.open("a", null)).rejects.toThrow("The bucket unknown does not exist.");
    await expect(unknown.put("a", localFile("a"), COPY)).rejects.toThrow("does not exist");
    await expect(unknown.check(5_000)).rejects.toThrow("does not exist");
    const files = { ...bucketOf("files", ""), server: { ...server.config, accessKeyId: "unknown" } };
    await expect(storage(files).open("a", null)).rejects.toThrow(/403, InvalidAccessKeyId/);
    await server.close();
    try {
      await expect(storage(bucketOf("files", "")).sizeOf("a")).rejects.toThrow(
        /does not respond: .*ECONNREFUSED/,
      );
    } finally {
      await server.restart();
    }
  });
});
