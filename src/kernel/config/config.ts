import { resolve } from "node:path";
import { z } from "zod";
import { type ConfiguredProvider, configuredProviders } from "./identity-providers.ts";
import { wholeNumber } from "./number.ts";
import {
  type Bucket,
  type FileStorageConfig,
  fileBucketOf,
  fileStorageOf,
  type ObjectStorageConfig,
  objectStorageOf,
  parseBucket,
} from "./object-storage.ts";
import { PRODUCT_NAME } from "./product.ts";
import { TRACING_VARIABLES, type TracingConfig, tracingOf } from "./tracing.ts";
import { parseTrustedProxies, type TrustedProxies } from "./trusted-proxies.ts";
import { parseWorkerCount, WORKER_COUNT_RULE } from "./worker-count.ts";

/** The minimum length of the instance secret, in `GATEHOUSE_SECRET` or in the file `DATA_DIR/secret`. */
export const SECRET_CHARACTERS_MIN = 32;

const origin = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL, such as https://id.example.com" })
  .refine(isOrigin, "must contain only scheme, host and port: no path, query, fragment or credentials");

/** An e-mail address, or a name and an e-mail address in angle brackets. */
const SENDER =
  /^(?:(?<name>[^\p{Cc}<>"@]+?) *<(?<inBrackets>[^\s@<>"]+@[^\s@<>"]+)>|(?<alone>[^\s@<>"]+@[^\s@<>"]+))$/u;

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const environment = z.object({
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  BASE_URL: origin.optional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^(file:|postgresql:\/\/|postgres:\/\/)/, "must start with file: or postgresql://")
    .optional(),
  GATEHOUSE_SECRET: z
    .string()
    .min(SECRET_CHARACTERS_MIN, `must be at least ${SECRET_CHARACTERS_MIN} characters`)
    .optional(),
  GATEHOUSE_SECRET_PREVIOUS: z
    .string()
    .min(SECRET_CHARACTERS_MIN, `must be at least ${SECRET_CHARACTERS_MIN} characters`)
    .optional(),
  GATEHOUSE_ROOT_PASSWORD: z.string().min(8, "must be at least 8 characters").max(128).optional(),
  TRUSTED_PROXIES: z.string().default("").transform(addressRanges),
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin"),
  WEB_CONCURRENCY: z.string().default("1").transform(workerCount),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  SLOW_QUERY_MS: wholeNumber(0, 3_600_000).optional(),
  ...TRACING_VARIABLES,
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: "must be an smtp or smtps URL, such as smtp://user:password@mail.example.com:587",
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .max(320, "must have at most 320 characters")
    .regex(SENDER, "must be an e-mail address such as id@example.com, or Gatehouse <id@example.com>")
    .optional(),
  METRICS_TOKEN: z.string().min(16, "must be at least 16 characters").optional(),
  METRICS_ALLOW: z.string().transform(addressRanges).optional(),
  REGISTRY_URL: origin.optional(),
  REGISTRY_INTERNAL_URL: origin.optional(),
  REGISTRY_SERVICE: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, '.', '_' or '-'")
    .default("container_registry"),
  STORAGE: z.enum(["folder", "s3"], "must be folder or s3").default("folder"),
  S3_BUCKET: z.string().transform(bucket).optional(),
  S3_ENDPOINT: origin.optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, "must be a region such as eu-central-1")
    .default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  REGISTRY_NOTIFICATION_TOKEN: z.string().min(16, "must be at least 16 characters").optional(),
});

function addressRanges(text: string, context: z.RefinementCtx): TrustedProxies {
  try {
    return parseTrustedProxies(text);
  } catch (cause) {
    context.addIssue(cause instanceof Error ? cause.message : String(cause));
    return z.NEVER;
  }
}

function workerCount(text: string, context: z.RefinementCtx): number {
  const count = parseWorkerCount(text);
  if (count !== null) return count;
  context.addIssue(`${WORKER_COUNT_RULE}, not ${JSON.stringify(text)}`);
  return z.NEVER;
}

function bucket(text: string, context: z.RefinementCtx): Bucket {
  const parsed = parseBucket(`s3://${text}`);
  if (parsed !== null) return parsed;
  context.addIssue("must be the name of a bucket, or BUCKET/PREFIX");
  return z.NEVER;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && `${new URL(text).origin}/` === new URL(text).href;
}

export type DatabaseConfig =
  | { readonly provider: "sqlite"; readonly file: string }
  | { readonly provider: "postgresql"; readonly url: string };

/** The container registry that trusts this instance. */
export type RegistryConfig = Readonly<{
  /** The URL at which users and their Docker clients call the registry. */
  url: URL;
  /** The URL at which this instance calls the registry. */
  internalUrl: URL;
  /**
   * The audience of the registry tokens. This instance and the registry must be configured with the same
   * audience.
   */
  service: string;
  /** The token that authenticates the notifications of the registry. */
  notificationToken: string;
}>;

/** The mail server that sends the e-mails of this instance. */
export type MailConfig = Readonly<{
  /** The URL of the SMTP server. The URL may contain a password, so it must not appear in messages or in the log. */
  url: string;
  /** The sender of every e-mail. */
  from: Readonly<{ name: string; address: string }>;
}>;

/**
 * The callers that may read the metrics: callers that send the configured token, and callers with one of the
 * configured IP addresses.
 */
export type MetricsConfig = Readonly<{ token: string | null; allowed: TrustedProxies | null }>;

export type Config = Readonly<{
  port: number;
  host: string;
  /**
   * The origin of every URL that the server sends. The server never builds a URL from the `Host` header of a request.
   */
  baseUrl: URL;
  /** `baseUrl` without the final slash: the OAuth issuer (RFC 8414 §2). */
  issuer: string;
  dataDir: string;
  database: DatabaseConfig;
  secret: string | null;
  /**
   * The previous instance secret. `gatehouse secret rotate` decrypts data with the previous secret and
   * encrypts the data with `secret`.
   */
  previousSecret: string | null;
  rootPassword: string | null;
  /** The proxies whose `X-Forwarded-For` header is trusted. */
  trustedProxies: TrustedProxies;
  /** The value of `PATH`, with which programs such as Git are found. */
  programPath: string;
  /**
   * The number of processes that serve requests. With the value 1, the main process serves requests itself.
   */
  workers: number;
  logLevel: z.infer<typeof environment>["LOG_LEVEL"];
  /** The minimum duration of a statement that is logged as slow; null if slow statements are not logged. */
  slowQueryMs: number | null;
  /** The configuration of the export of traces; null when the instance records no traces. */
  tracing: TracingConfig | null;
  /** The callers that may read the metrics; null when the instance collects no metrics. */
  metrics: MetricsConfig | null;
  /** The container registry; null when the instance has no container registry. */
  registry: RegistryConfig | null;
  /** The mail server; null when the instance sends no e-mail. */
  mail: MailConfig | null;
  /** The object storage for backups and files; null when its keys are not set. */
  objectStorage: ObjectStorageConfig | null;
  /** The storage of package files. */
  files: FileStorageConfig;
  /** The bucket for package files, even if the current storage is the folder; null when no bucket is set. */
  fileBucket: Extract<FileStorageConfig, { kind: "s3" }> | null;
  /** The sign-in providers that environment variables define. */
  identityProviders: readonly ConfiguredProvider[];
}>;

/**
 * Reads the configuration from environment variables.
 * @param env the process environment, or the variables of a test.
 * @throws an Error whose message names each invalid variable and the reason.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(nonEmpty);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new Error(`The environment variables are invalid:\n${lines.join("\n")}`);
  }
  const settings = parsed.data;
  const dataDir = resolve(settings.DATA_DIR);
  const baseUrl = new URL(settings.BASE_URL ?? `http://localhost:${settings.PORT}`);
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    baseUrl,
    issuer: baseUrl.origin,
    dataDir,
    database: databaseOf(settings.DATABASE_URL, dataDir),
    secret: settings.GATEHOUSE_SECRET ?? null,
    previousSecret: previousSecretOf(settings),
    rootPassword: settings.GATEHOUSE_ROOT_PASSWORD ?? null,
    trustedProxies: settings.TRUSTED_PROXIES,
    programPath: settings.PATH,
    workers: settings.WEB_CONCURRENCY,
    logLevel: settings.LOG_LEVEL,
    slowQueryMs: settings.SLOW_QUERY_MS ?? null,
    tracing: tracingOf(settings),
    metrics: metricsOf(settings),
    registry: registryOf(settings),
    mail: mailOf(settings),
    objectStorage: objectStorageOf(settings),
    files: fileStorageOf(settings),
    fileBucket: fileBucketOf(settings),
    identityProviders: configuredProviders(nonEmpty, baseUrl.protocol === "http:"),
  });
}

function previousSecretOf(settings: z.infer<typeof environment>): string | null {
  const { GATEHOUSE_SECRET, GATEHOUSE_SECRET_PREVIOUS } = settings;
  if (GATEHOUSE_SECRET_PREVIOUS !== undefined && GATEHOUSE_SECRET === undefined)
    throw new Error(
      "The environment variables are invalid:\n  GATEHOUSE_SECRET is missing: GATEHOUSE_SECRET_PREVIOUS is set, so GATEHOUSE_SECRET must contain the new secret",
    );
  return GATEHOUSE_SECRET_PREVIOUS ?? null;
}

const metricsOf = ({ METRICS_TOKEN, METRICS_ALLOW }: z.infer<typeof environment>): MetricsConfig | null =>
  METRICS_TOKEN === undefined && METRICS_ALLOW === undefined
    ? null
    : Object.freeze({ token: METRICS_TOKEN ?? null, allowed: METRICS_ALLOW ?? null });

function mailOf({ SMTP_URL, MAIL_FROM }: z.infer<typeof environment>): MailConfig | null {
  if (SMTP_URL === undefined) return null;
  if (MAIL_FROM === undefined)
    throw new Error(
      "The environment variables are invalid:\n  MAIL_FROM is missing: SMTP_URL requires the e-mail address of a sender",
    );
  const { name, inBrackets, alone } = SENDER.exec(MAIL_FROM)?.groups ?? {};
  return Object.freeze({
    url: SMTP_URL,
    from: { name: name ?? PRODUCT_NAME, address: inBrackets ?? alone ?? MAIL_FROM },
  });
}

function registryOf(settings: z.infer<typeof environment>): RegistryConfig | null {
  const { REGISTRY_URL, REGISTRY_INTERNAL_URL, REGISTRY_SERVICE, REGISTRY_NOTIFICATION_TOKEN } = settings;
  if (REGISTRY_URL === undefined) return null;
  if (REGISTRY_NOTIFICATION_TOKEN === undefined)
    throw new Error(
      "The environment variables are invalid:\n  REGISTRY_NOTIFICATION_TOKEN is missing: REGISTRY_URL requires the token with which the registry authenticates its notifications",
    );
  return Object.freeze({
    url: new URL(REGISTRY_URL),
    internalUrl: new URL(REGISTRY_INTERNAL_URL ?? REGISTRY_URL),
    service: REGISTRY_SERVICE,
    notificationToken: REGISTRY_NOTIFICATION_TOKEN,
  });
}

/** Returns the configuration of this process. No other module reads the process environment. */
export const processConfig = (): Config => readConfig(process.env);

function databaseOf(url: string | undefined, dataDir: string): DatabaseConfig {
  if (url === undefined) return { provider: "sqlite", file: resolve(dataDir, "gatehouse.db") };
  if (url.startsWith("file:")) return { provider: "sqlite", file: resolve(url.slice("file:".length)) };
  return { provider: "postgresql", url };
}
