import S3rver from "s3rver";
import type { ObjectStorageConfig } from "@/kernel/config/config.ts";
import { temporaryFolder } from "./folder.ts";

/** A server that is compatible with Amazon S3, with the bucket `backups`. */
export type TestObjectStorage = Readonly<{
  config: ObjectStorageConfig;
  /** The folder in which the server stores its objects. */
  folder: string;
  close: () => Promise<void>;
}>;

/** Starts s3rver, which verifies the access key of requests, and does not verify signatures of version 4. */
export async function startObjectStorage(): Promise<TestObjectStorage> {
  const folder = temporaryFolder();
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "backups", configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  // The key with which s3rver is delivered.
  const key = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  return { config: { endpoint, region: "us-east-1", ...key }, folder, close: () => server.close() };
}
