import { createHash } from "node:crypto";
import type { ObjectStorageConfig } from "../config/config";

/** The place of objects in a storage that is compatible with Amazon S3. */
export type Bucket = Readonly<{ name: string; prefix: string }>;

/** A storage of immutable objects with names of letters, digits, `-`, `_`, `.` and `/`. */
export type ObjectStorage = Readonly<{
  put: (name: string, content: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Returns the content; null when there is no such object. */
  get: (name: string) => Promise<Buffer | null>;
  has: (name: string) => Promise<boolean>;
  /** Returns the names that begin with a text, in alphabetical order. */
  list: (start: string) => Promise<readonly string[]>;
  /** Deletes an object, if it exists. */
  remove: (name: string) => Promise<void>;
}>;

/** Raised when the storage does not respond, or refuses a request. The message is a sentence for the operator. */
export class ObjectStorageFailed extends Error {}

/**
 * Parses `s3://BUCKET/PREFIX`.
 * @returns null for any other text.
 */
export function parseBucket(text: string): Bucket | null {
  const [, name = "", path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  if (name === "" || path.split("/").includes("..")) return null;
  const prefix = path.replaceAll(/^\/+|\/+$/g, "");
  return { name, prefix: prefix === "" ? "" : `${prefix}/` };
}

const NOT_FOUND = 404;

/** Opens a bucket. The library that signs the requests is loaded when it is used. */
export async function openBucket(config: ObjectStorageConfig, bucket: Bucket): Promise<ObjectStorage> {
  const { AwsClient } = await import("aws4fetch");
  const { accessKeyId, secretAccessKey, region } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 4 });
  // The bucket is part of the path, which every compatible server supports.
  const root = `${config.endpoint.href.replace(/\/$/, "")}/${bucket.name}`;

  async function send(method: string, url: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> {
    const signed = body === undefined ? {} : { body, headers: { "X-Amz-Content-Sha256": sha256(body) } };
    const response = await client.fetch(url, { method, ...signed }).catch((cause) => {
      throw new ObjectStorageFailed(
        `The object storage at ${config.endpoint.host} does not respond: ${reasonOf(cause)}. Check S3_ENDPOINT.`,
      );
    });
    if (response.ok || response.status === NOT_FOUND) return response;
    const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "no reason";
    throw new ObjectStorageFailed(
      `The object storage at ${config.endpoint.host} refused a request to the bucket ${bucket.name}: ${response.status}, ${code}. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION, and the permissions of the key.`,
    );
  }

  const urlOf = (name: string): string => `${root}/${bucket.prefix}${name}`;
  return {
    put: async (name, content) => {
      const { status } = await send("PUT", urlOf(name), content);
      if (status === NOT_FOUND) throw new ObjectStorageFailed(`The bucket ${bucket.name} does not exist.`);
    },
    get: async (name) => {
      const response = await send("GET", urlOf(name));
      return response.status === NOT_FOUND ? null : Buffer.from(await response.arrayBuffer());
    },
    has: async (name) => (await send("HEAD", urlOf(name))).status !== NOT_FOUND,
    list: async (start) => {
      const names: string[] = [];
      for (let token: string | undefined = ""; token !== undefined; ) {
        const query = new URLSearchParams({ "list-type": "2", prefix: bucket.prefix + start });
        if (token !== "") query.set("continuation-token", token);
        const response = await send("GET", `${root}/?${query}`);
        if (response.status === NOT_FOUND)
          throw new ObjectStorageFailed(`The bucket ${bucket.name} does not exist.`);
        const xml = await response.text();
        // The names of the objects contain no character that XML would escape.
        for (const [, key = ""] of xml.matchAll(/<Key>([^<]+)<\/Key>/g))
          names.push(key.slice(bucket.prefix.length));
        token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(xml)?.[1];
      }
      return names.toSorted();
    },
    remove: async (name) => {
      await send("DELETE", urlOf(name));
    },
  };
}

/** The digest of the content is signed, so that the storage refuses content that was changed on the way. */
const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

function reasonOf(cause: unknown): string {
  const error = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return error instanceof Error ? error.message : String(error);
}
