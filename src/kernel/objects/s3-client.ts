import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Bucket, ObjectStorageConfig } from "../config/object-storage.ts";
import { streamOf } from "./chunks.ts";

/**
 * Raised when the object storage does not respond, or refuses a request. The message is a sentence for the
 * operator.
 */
export class ObjectStorageFailed extends Error {
  constructor(message: string) {
    super(message);
    // Each bundle has its own copy of the error class, so the function recognizes the error by its name.
    this.name = "ObjectStorageFailed";
  }
}

export const isObjectStorageFailure = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === "ObjectStorageFailed";

/** The content that a request sends to the object storage. `open` is called for each attempt. */
export type RequestContent = Readonly<{
  sizeBytes: number;
  sha256: string;
  open: () => AsyncIterable<Uint8Array>;
}>;

export type S3Request = Readonly<{
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** The name of the requested object, or the query parameters of a request that lists objects. */
  target: Readonly<{ name: string }> | Readonly<{ query: URLSearchParams }>;
  headers?: Readonly<Record<string, string>>;
  content?: RequestContent;
  /** The number of attempts; by default 4. */
  attempts?: number;
  /** The maximum time without a response while no data is sent; by default 30 seconds. */
  silenceMs?: number;
}>;

export type S3Client = Readonly<{
  /**
   * Returns the response, which is successful or has the status 404. An object that does not exist and a
   * bucket that does not exist both have the status 404.
   * @throws ObjectStorageFailed for every other response, and if there is no response.
   */
  send: (request: S3Request) => Promise<Response>;
  missingBucket: () => ObjectStorageFailed;
}>;

const ATTEMPTS = 4;
const SILENCE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Opens a bucket. The library that signs the requests is loaded at the first request. */
export function openS3(config: ObjectStorageConfig, bucket: Bucket): S3Client {
  const { accessKeyId, secretAccessKey, region, endpoint } = config;
  // The bucket name is part of the path. Every compatible server supports URLs with the bucket name in the
  // path.
  const root = `${endpoint.href.replace(/\/$/, "")}/${bucket.name}`;
  const urlOf = (target: S3Request["target"]): string =>
    // Object names contain only characters that need no encoding in a URL.
    "name" in target ? `${root}/${bucket.prefix}${target.name}` : `${root}/?${target.query}`;
  const failure = (text: string) => new ObjectStorageFailed(`The object storage at ${endpoint.host} ${text}`);
  const signer = import("aws4fetch").then(
    ({ AwsClient }) => new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 }),
  );
  // The import of the library can fail only if the installation is damaged. If the installation is damaged,
  // the first request reports the failure.
  signer.catch(() => undefined);

  async function attempt({ method, target, headers, content, silenceMs }: S3Request): Promise<Response> {
    const controller = new AbortController();
    const limitMs = silenceMs ?? SILENCE_MS;
    const timer = setTimeout(() => controller.abort(new Error(`no response within ${limitMs} ms`)), limitMs);
    const sent =
      content === undefined
        ? {}
        : {
            body: streamOf(refreshing(content.open(), timer)),
            duplex: "half" as const,
          };
    const request = {
      method,
      signal: controller.signal,
      headers: { ...headers, ...(content === undefined ? {} : headersOf(content)) },
      ...sent,
    };
    try {
      return await (await signer).fetch(urlOf(target), request);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    send: async (request) => {
      const attempts = request.attempts ?? ATTEMPTS;
      for (let tries = 1; ; tries += 1) {
        const response = await attempt(request).catch((cause) => {
          if (tries < attempts) return null;
          throw failure(`does not respond: ${reasonOf(cause)}. Check S3_ENDPOINT.`);
        });
        if (response?.ok || response?.status === NOT_FOUND) return response;
        if (response !== null && !(tries < attempts && mayPass(response.status))) {
          const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "no reason";
          const answer = `a request to the bucket ${bucket.name}: ${response.status}, ${code}.`;
          if (response.status >= SERVER_ERROR) throw failure(`failed to process ${answer}`);
          throw failure(
            `refused ${answer} Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION, and the permissions of the key.`,
          );
        }
        await response?.body?.cancel();
        await pause(FIRST_PAUSE_MS * 2 ** tries);
      }
    },
    missingBucket: () =>
      new ObjectStorageFailed(
        `The bucket ${bucket.name} does not exist. Create the bucket, or correct the name of the bucket.`,
      ),
  };
}

/**
 * Returns the headers that describe the content of a request. The digest of the content is signed, so that
 * the storage refuses content that was modified in transit.
 */
const headersOf = ({ sizeBytes, sha256 }: RequestContent): Readonly<Record<string, string>> => ({
  "X-Amz-Content-Sha256": sha256,
  "Content-Length": String(sizeBytes),
});

/** Yields the chunks of the content of a request, and restarts the timer of the time limit at each chunk. */
async function* refreshing(
  chunks: AsyncIterable<Uint8Array>,
  timer: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    timer.refresh();
    yield chunk;
  }
}

const mayPass = (status: number): boolean => status >= SERVER_ERROR || status === TOO_MANY_REQUESTS;

export const sha256Of = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

function reasonOf(cause: unknown): string {
  const error = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return error instanceof Error ? error.message : String(error);
}
