import S3rver from "s3rver";
import type { ObjectStorageConfig } from "@/kernel/config/object-storage.ts";
import { temporaryFolder } from "./folder.ts";

/** A server that is compatible with Amazon S3, with the buckets `backups` and `files`. */
export type TestObjectStorage = Readonly<{
  config: ObjectStorageConfig;
  /** The folder with the stored objects of the server. */
  folder: string;
  /**
   * Ends the server. The function `restart` starts the server again on the same port, with the same objects.
   */
  close: () => Promise<void>;
  restart: () => Promise<void>;
}>;

/**
 * Starts s3rver, which verifies the access key of a request, but not the signature (version 4) of the
 * request.
 */
export async function startObjectStorage(): Promise<TestObjectStorage> {
  const folder = temporaryFolder();
  const start = async (port: number) => {
    const server = new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      directory: folder,
      configureBuckets: ["backups", "files"].map((name) => ({ name, configs: [] })),
    });
    return { server, port: (await server.run()).port };
  };
  let { server, port } = await start(0);
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  // The default key of s3rver.
  const key = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  return {
    config: { endpoint, region: "us-east-1", ...key },
    folder,
    close: () => server.close(),
    restart: async () => {
      ({ server, port } = await start(port));
    },
  };
}
