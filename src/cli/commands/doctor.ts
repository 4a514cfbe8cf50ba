import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { failureOf } from "@/instance/mail/rules";
import { openTransport } from "@/instance/mail/smtp";
import { countSealed } from "@/instance/secret-rotation/sealed-column";
import { openRotationIn, readSecretState } from "@/instance/secret-rotation/service";
import type { DatabaseConfig } from "@/kernel/config/config";
import type { Db } from "@/kernel/db/db";
import { pendingMigrations } from "@/kernel/db/migrate";
import { openDatabase } from "@/kernel/db/open";
import { isTransactionPooler } from "@/kernel/db/pooler";
import { fileStorageOf } from "@/kernel/objects/file-storage";
import { checkDiskSpace, checkNode, checkRedirectUris, Warning } from "@/operations/health/checks";
import { newestMissingFiles } from "@/registries/packages/migration";
import { HOOKS } from "@/server/compose";
import { keysFor } from "@/server/first-start";
import { givenSecrets } from "@/server/secret";
import { type CommandEnvironment, defineCommand } from "./command";

/** The time within which the object storage must respond. */
const FILE_STORAGE_MS = 5_000;

type Finding = Readonly<{ check: string; ok: boolean; detail: string; warning?: true }>;
type Check = Readonly<{
  /**
   * @throws an Error whose message is a sentence for the operator. The error is a `Warning` when the instance
   * can still serve requests.
   */
  check: (config: CommandEnvironment["config"]) => Promise<string>;
  /**
   * The names of the checks that must succeed before this check. When one of the named checks fails, this
   * check is skipped.
   */
  after?: readonly string[];
}>;

const CHECKS: Readonly<Record<string, Check>> = {
  node: { check: async (config) => checkNode(config) },
  "data folder": { check: dataFolder },
  "disk space": { check: checkDiskSpace, after: ["data folder"] },
  secret: { check: secretGiven },
  database: { check: databaseAnswers },
  migrations: { check: migrationsApplied, after: ["database"] },
  "secret of the database": { check: secretFits, after: ["secret", "database"] },
  "encrypted values": { check: sealedValuesReadable, after: ["migrations", "secret of the database"] },
  "mail server": { check: mailServerAnswers },
  "file storage": { check: fileStorageAnswers },
  "package files": { check: packageFilesStored, after: ["migrations", "file storage"] },
  "redirect URIs": { check: redirectUrisSecure, after: ["database"] },
};

/** Checks the instance without changing it, and prints a solution for each problem. */
const doctor = defineCommand({
  name: "doctor",
  usage: "",
  about: "Check that this instance can serve requests, and print a solution for each problem.",
  options: {},
  run: async ({ config }) => {
    const findings = await diagnose(config);
    const text = findings
      .map((finding) => `${labelOf(finding)}${finding.check}: ${finding.detail}`)
      .join("\n");
    return { text, json: { findings }, failed: findings.some(({ ok }) => !ok) };
  },
});

/**
 * Runs all checks, and returns their results in order. A check is skipped when another check that must
 * succeed first has failed.
 */
export async function diagnose(config: CommandEnvironment["config"]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [name, { check, after = [] }] of Object.entries(CHECKS)) {
    if (findings.some((finding) => !finding.ok && after.includes(finding.check))) continue;
    const ok = (detail: string): Finding => ({ check: name, ok: true, detail });
    const bad = (cause: unknown): Finding =>
      cause instanceof Warning
        ? { check: name, ok: true, warning: true, detail: cause.message }
        : { check: name, ok: false, detail: messageOf(cause) };
    findings.push(await check(config).then(ok, bad));
  }
  return findings;
}

const labelOf = ({ ok, warning }: Finding): string => {
  if (!ok) return "PROBLEM ";
  return warning ? "WARNING " : "ok      ";
};

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function dataFolder({ dataDir }: CommandEnvironment["config"]): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} will be created at the first start`;
  accessSync(dataDir, constants.R_OK | constants.W_OK);
  return dataDir;
}

async function secretGiven(config: CommandEnvironment["config"]): Promise<string> {
  if (givenSecrets(config).length === 0) return `${config.dataDir}/secret will be created at the first start`;
  return config.secret === null ? `in ${config.dataDir}/secret` : "in GATEHOUSE_SECRET";
}

async function databaseAnswers({ database }: CommandEnvironment["config"]): Promise<string> {
  if (isToBeMade(database)) return `${database.file} will be created at the first start`;
  const opened = await openDatabase(database).catch((cause) => {
    const databaseName = database.provider === "sqlite" ? database.file : new URL(database.url).host;
    const lines = messageOf(cause).trim().split("\n");
    // The error message of Prisma also contains the failed SQL statement. Only the part of the message that
    // comes from the driver is printed.
    const driverMessage = /Message: `([^`]+)`/.exec(lines.at(-1) ?? "")?.[1] ?? lines.at(-1);
    throw new Error(`The database at ${databaseName} does not respond. Check DATABASE_URL. ${driverMessage}`);
  });
  try {
    if (database.provider === "postgresql" && isTransactionPooler(database.url))
      return await poolerHasTimeLimits(opened.db);
    return `${database.provider} answers`;
  } finally {
    await opened.close();
  }
}

/**
 * @throws a `Warning` when the database role has no `statement_timeout`, because the instance cannot set the
 * timeout itself behind a connection pooler.
 */
async function poolerHasTimeLimits(db: Db): Promise<string> {
  const rows = await db.$queryRaw<
    { limit: string }[]
  >`SELECT current_setting('statement_timeout') AS "limit"`;
  if (rows[0]?.limit === "0")
    throw new Warning(
      "postgresql answers through a connection pooler, but its role has no statement_timeout. Run the ALTER ROLE statements of docs/operations/pgbouncer.md.",
    );
  return "postgresql answers through a connection pooler";
}

const isToBeMade = (database: DatabaseConfig): database is DatabaseConfig & { provider: "sqlite" } =>
  database.provider === "sqlite" && !existsSync(database.file);

async function secretFits(config: CommandEnvironment["config"]): Promise<string> {
  const fresh = "will be recorded at the first start";
  if (isToBeMade(config.database)) return fresh;
  const { db, close } = await openDatabase(config.database);
  try {
    return (await keysFor(config, db)) === null ? fresh : "matches the database";
  } finally {
    await close();
  }
}

/**
 * Counts the encrypted values that the current instance secret cannot decrypt.
 * @throws an Error when a value cannot be decrypted at all; a `Warning` while a rotation of the secret is in progress.
 */
async function sealedValuesReadable(config: CommandEnvironment["config"]): Promise<string> {
  if (isToBeMade(config.database) || (await pendingMigrations(config.database)).length > 0) return "none yet";
  const { db, close } = await openDatabase(config.database);
  try {
    const keys = await keysFor(config, db);
    if (keys === null) return "none yet";
    const { current, previous, unreadable } = await countSealed({ db, keys, randomBytes, hooks: HOOKS });
    if (unreadable > 0)
      throw new Error(
        `${unreadable} of ${current + previous + unreadable} values cannot be decrypted with the secrets of this process. Restore the secret that encrypted these values.`,
      );
    const rotation = openRotationIn(await readSecretState(db));
    if (rotation !== null)
      throw new Warning(
        `${previous} of ${current + previous} values are encrypted with the ${rotation.stage === "switched" ? "previous" : "new"} secret, and both secrets are accepted: a rotation is in progress. Run "gatehouse secret rotate" to finish the rotation.`,
      );
    return `all ${current} values can be decrypted`;
  } finally {
    await close();
  }
}

async function migrationsApplied({ database }: CommandEnvironment["config"]): Promise<string> {
  const pending = await pendingMigrations(database);
  return pending.length === 0
    ? "all applied"
    : `${pending.length} to apply: start the server or run "gatehouse migrate"`;
}

async function mailServerAnswers({ mail }: CommandEnvironment["config"]): Promise<string> {
  if (mail === null) return "none: SMTP_URL is not set, so no e-mail is sent";
  const transport = await openTransport(mail);
  try {
    await transport.verify();
  } catch (cause) {
    throw new Warning(
      `The mail server at ${new URL(mail.url).host} does not respond: ${failureOf(cause).reason}. Check SMTP_URL.`,
    );
  } finally {
    transport.close();
  }
  return "answers";
}

async function fileStorageAnswers(config: CommandEnvironment["config"]): Promise<string> {
  if (config.files.kind === "folder") return `the folder ${config.dataDir}`;
  const storage = fileStorageOf(config);
  await storage.check(FILE_STORAGE_MS);
  return `${storage.place} answers`;
}

/**
 * @throws an Error when new package files are missing, for example after a change of `STORAGE` without a
 * migration.
 */
async function packageFilesStored(config: CommandEnvironment["config"]): Promise<string> {
  if (isToBeMade(config.database) || (await pendingMigrations(config.database)).length > 0) return "none yet";
  const { db, close } = await openDatabase(config.database);
  try {
    const storage = fileStorageOf(config);
    const { checked, missing } = await newestMissingFiles({ db }, storage);
    if (missing > 0)
      throw new Error(
        `${missing} of the ${checked} newest files are missing in ${storage.place}. If STORAGE was changed, run "gatehouse storage migrate --to ${storage.kind}". Otherwise, restore the missing files from a backup.`,
      );
    return checked === 0 ? "none yet" : `checked the newest ${checked}, and none is missing`;
  } finally {
    await close();
  }
}

async function redirectUrisSecure({ baseUrl, database }: CommandEnvironment["config"]): Promise<string> {
  if (isToBeMade(database) || (await pendingMigrations(database)).length > 0) return "none yet";
  const { db, close } = await openDatabase(database);
  try {
    return await checkRedirectUris({ baseUrl }, db);
  } finally {
    await close();
  }
}

export const commands = [doctor];
