import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { FileStorageConfig } from "../config/object-storage.ts";
import type { FileRange, FileStorage, RequestLimits } from "./file-storage.ts";
import { listObjects } from "./s3.ts";
import { ObjectStorageFailed, openS3 } from "./s3-client.ts";

const NOT_FOUND = 404;
const PARTIAL = 206;
const REMOVALS_AT_ONCE = 8;
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens the storage in a bucket. The name of an object is the prefix of the bucket, followed by the name of
 * the file.
 */
export function openS3Storage({ server, bucket }: Extract<FileStorageConfig, { kind: "s3" }>): FileStorage {
  const client = openS3(server, bucket);
  const remove = async (name: string, limits?: RequestLimits): Promise<void> => {
    await client.send({ method: "DELETE", target: { name }, ...limits });
  };
  /** Returns the response headers for an object in the bucket; null for an object that does not exist. */
  const headersOf = async (name: string): Promise<Headers | null> => {
    const response = await client.send({ method: "HEAD", target: { name } });
    return response.status === NOT_FOUND ? null : response.headers;
  };
  async function open(name: string, range: FileRange | null): Promise<ReadableStream<Uint8Array> | null> {
    const headers = range === null ? {} : { Range: `bytes=${range.begin}-${range.end}` };
    const response = await client.send({ method: "GET", target: { name }, headers });
    if (response.status === NOT_FOUND) {
      // A missing bucket must cause an error, and must not look like a missing file.
      const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
      if (code === "NoSuchBucket") throw client.missingBucket();
      return null;
    }
    if (range !== null && response.status !== PARTIAL) {
      await response.body?.cancel();
      throw new ObjectStorageFailed(`The object storage at ${server.endpoint.host} does not support ranges.`);
    }
    return response.body ?? new Blob().stream();
  }
  return {
    kind: "s3",
    place: `s3://${bucket.name}/${bucket.prefix} at ${server.endpoint.host}`,
    put: async (name, { path, sizeBytes, sha256 }) => {
      const content = {
        sizeBytes,
        sha256,
        open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      };
      const response = await client.send({ method: "PUT", target: { name }, content });
      if (response.status === NOT_FOUND) throw client.missingBucket();
      await response.body?.cancel();
    },
    open,
    sizeOf: async (name) => {
      const headers = await headersOf(name);
      return headers === null ? null : Number(headers.get("content-length"));
    },
    copyTo: async (name, path) => {
      const content = await open(name, null);
      if (content === null) return false;
      try {
        await pipeline(
          Readable.fromWeb(content as WebStream),
          createWriteStream(path, { mode: 0o600, flush: true }),
        );
        return true;
      } catch (cause) {
        await rm(path, { force: true });
        throw cause;
      }
    },
    list: (folder) => listObjects(client, bucket, `${folder}/`),
    remove,
    removeFolder: async (folder, limits) => {
      for await (const names of listObjects(client, bucket, `${folder}/`, limits))
        for (let at = 0; at < names.length; at += REMOVALS_AT_ONCE)
          await Promise.all(names.slice(at, at + REMOVALS_AT_ONCE).map((name) => remove(name, limits)));
    },
    removeIfOlder: async (name, before) => {
      const modified = (await headersOf(name))?.get("last-modified") ?? null;
      if (modified === null || new Date(modified) >= before) return false;
      await remove(name);
      return true;
    },
    check: async (timeoutMs) => {
      // No object has a name that begins with `check/`, so the list is empty.
      const query = new URLSearchParams({ "list-type": "2", prefix: `${bucket.prefix}check/` });
      const request = { method: "GET", target: { query }, attempts: 1, silenceMs: timeoutMs } as const;
      const response = await client.send(request);
      await response.body?.cancel();
      if (response.status === NOT_FOUND) throw client.missingBucket();
    },
  };
}
