import { resolve } from "node:path";
import { z } from "zod";

const integer = (least: number, most: number, fallback: number) =>
  z.coerce.number().int().min(least).max(most).default(fallback);

const environment = z.object({
  PORT: integer(1, 65_535, 3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  BASE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL, such as https://id.example.com" })
    .refine(isOrigin, "must be an origin alone: no path, query, fragment or credentials")
    .optional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^(file:|postgresql:\/\/|postgres:\/\/)/, "must start with file: or postgresql://")
    .optional(),
  GATEHOUSE_SECRET: z.string().min(32, "must be at least 32 characters").optional(),
  GATEHOUSE_ROOT_PASSWORD: z.string().min(8, "must be at least 8 characters").max(128).optional(),
  TRUSTED_PROXIES: z.string().default(""),
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

function isOrigin(text: string): boolean {
  return URL.canParse(text) && `${new URL(text).origin}/` === new URL(text).href;
}

export type DatabaseConfig =
  | { readonly provider: "sqlite"; readonly file: string }
  | { readonly provider: "postgresql"; readonly url: string };

export type Config = Readonly<{
  port: number;
  host: string;
  /** Everything that leaves the server is built on this, never on a request's `Host`. */
  baseUrl: URL;
  /** `baseUrl` without the final slash: the OAuth issuer (RFC 8414 §2). */
  issuer: string;
  dataDir: string;
  database: DatabaseConfig;
  secret: string | null;
  rootPassword: string | null;
  trustedProxies: string;
  /** Where programs such as Git are looked for. */
  programPath: string;
  logLevel: z.infer<typeof environment>["LOG_LEVEL"];
}>;

/**
 * The environment as one value.
 * @param env the process environment, or a test's.
 * @throws an Error whose message names each variable that is not usable and why.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new Error(`The environment is not usable:\n${lines.join("\n")}`);
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
    rootPassword: settings.GATEHOUSE_ROOT_PASSWORD ?? null,
    trustedProxies: settings.TRUSTED_PROXIES,
    programPath: settings.PATH,
    logLevel: settings.LOG_LEVEL,
  });
}

/** The configuration of this process. The one place that reads the process environment. */
export const processConfig = (): Config => readConfig(process.env);

function databaseOf(url: string | undefined, dataDir: string): DatabaseConfig {
  if (url === undefined) return { provider: "sqlite", file: resolve(dataDir, "gatehouse.db") };
  if (url.startsWith("file:")) return { provider: "sqlite", file: resolve(url.slice("file:".length)) };
  return { provider: "postgresql", url };
}
