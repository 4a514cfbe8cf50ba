/**
 * The location of objects in S3-compatible object storage. The prefix is empty or ends with `/`.
 */
export type Bucket = Readonly<{ name: string; prefix: string }>;

/** The server of an S3-compatible object storage service, and the access key for this server. */
export type ObjectStorageConfig = Readonly<{
  endpoint: URL;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}>;

/** The storage of package files: `DATA_DIR`, or a bucket. */
export type FileStorageConfig =
  | Readonly<{ kind: "folder" }>
  | Readonly<{ kind: "s3"; server: ObjectStorageConfig; bucket: Bucket }>;

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

type Settings = Readonly<{
  STORAGE: FileStorageConfig["kind"];
  S3_BUCKET?: Bucket | undefined;
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
}>;

/** Returns the object storage that the environment variables configure; null when its keys are not set. */
export function objectStorageOf(settings: Settings): ObjectStorageConfig | null {
  const { S3_ENDPOINT, S3_REGION: region, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) return null;
  const endpoint = new URL(S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`);
  return Object.freeze({
    endpoint,
    region,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  });
}

/**
 * Returns the bucket of package files; null when no bucket or no key is set. The command `storage migrate`
 * uses the bucket even while `STORAGE` is `folder`.
 */
export function fileBucketOf(settings: Settings): Extract<FileStorageConfig, { kind: "s3" }> | null {
  const server = objectStorageOf(settings);
  const { S3_BUCKET: bucket } = settings;
  return server === null || bucket === undefined ? null : Object.freeze({ kind: "s3", server, bucket });
}

/** @throws an Error when `STORAGE` is `s3` and the bucket or its key is not set. */
export function fileStorageOf(settings: Settings): FileStorageConfig {
  if (settings.STORAGE === "folder") return Object.freeze({ kind: "folder" });
  const bucket = fileBucketOf(settings);
  if (bucket !== null) return bucket;
  const missing = (["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const).filter(
    (name) => settings[name] === undefined,
  );
  throw new Error(
    `The environment variables are invalid:\n${missing.map((name) => `  ${name} is missing: STORAGE=s3 needs it`).join("\n")}`,
  );
}
