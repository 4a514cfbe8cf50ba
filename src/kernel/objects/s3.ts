import type { Bucket, ObjectStorageConfig } from "../config/object-storage";
import { openS3, type S3Client, type S3Request, sha256Of } from "./s3-client";

/** A storage of immutable objects with names of letters, digits, `-`, `_`, `.` and `/`. */
export type ObjectStorage = Readonly<{
  put: (name: string, content: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Returns the content of an object in the bucket; null when the object does not exist. */
  get: (name: string) => Promise<Buffer | null>;
  has: (name: string) => Promise<boolean>;
  /** Returns the object names that begin with a text, in alphabetical order. */
  list: (start: string) => Promise<readonly string[]>;
  /** Deletes an object from the bucket, if the object exists. */
  remove: (name: string) => Promise<void>;
}>;

const NOT_FOUND = 404;

/** Opens a bucket for objects that fit into memory. */
export function openBucket(config: ObjectStorageConfig, bucket: Bucket): ObjectStorage {
  const client = openS3(config, bucket);
  return {
    put: async (name, content) => {
      const request = { sizeBytes: content.byteLength, sha256: sha256Of(content), open: () => once(content) };
      const { status } = await client.send({ method: "PUT", target: { name }, content: request });
      if (status === NOT_FOUND) throw client.missingBucket();
    },
    get: async (name) => {
      const response = await client.send({ method: "GET", target: { name } });
      if (response.status !== NOT_FOUND) return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      return null;
    },
    has: async (name) => (await client.send({ method: "HEAD", target: { name } })).status !== NOT_FOUND,
    list: async (start) => {
      const names: string[] = [];
      for await (const page of listObjects(client, bucket, start)) names.push(...page);
      return names.toSorted();
    },
    remove: async (name) => {
      await client.send({ method: "DELETE", target: { name } });
    },
  };
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Yields the object names that begin with a text, in pages of at most a thousand. */
export async function* listObjects(
  client: S3Client,
  { prefix }: Bucket,
  start: string,
  limits?: Pick<S3Request, "attempts" | "silenceMs">,
): AsyncGenerator<readonly string[]> {
  for (let token: string | undefined = ""; token !== undefined; ) {
    const query = new URLSearchParams({ "list-type": "2", prefix: prefix + start });
    if (token !== "") query.set("continuation-token", token);
    const response = await client.send({ method: "GET", target: { query }, ...limits });
    if (response.status === NOT_FOUND) throw client.missingBucket();
    const xml = await response.text();
    // Object names contain only characters that need no escape in XML.
    yield [...xml.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => key.slice(prefix.length));
    token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(xml)?.[1];
  }
}
