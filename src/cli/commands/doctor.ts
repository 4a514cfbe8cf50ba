import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { failureOf } from "@/instance/mail/rules";
import { openTransport } from "@/instance/mail/smtp";
import type { DatabaseConfig } from "@/kernel/config/config";
import { pendingMigrations } from "@/kernel/db/migrate";
import { openDatabase } from "@/kernel/db/open";
import { diskSpaceOf, diskSpaceText, isDiskSpaceLow } from "@/kernel/disk/disk-space";
import { insecureRedirectUris } from "@/oauth/applications/administration";
import { knowsSecret } from "@/server/first-start";
import { givenSecret } from "@/server/secret";
import { type CommandEnvironment, defineCommand } from "./command";
import { checkNodeVersion } from "./node-version";

type Finding = Readonly<{ check: string; ok: boolean; detail: string; warning?: true }>;
type Check = Readonly<{
  /**
   * @throws an Error whose message is a sentence for the operator; a `Warning` when the instance can serve
   * requests nevertheless.
   */
  check: (config: CommandEnvironment["config"]) => Promise<string>;
  /** The checks that must succeed first: this check is skipped when any of them fails. */
  after?: readonly string[];
}>;

const CHECKS: Readonly<Record<string, Check>> = {
  node: { check: nodeVersion },
  "data folder": { check: dataFolder },
  "disk space": { check: diskSpace, after: ["data folder"] },
  secret: { check: secretGiven },
  database: { check: databaseAnswers },
  migrations: { check: migrationsApplied, after: ["database"] },
  "secret of the database": { check: secretFits, after: ["secret", "database"] },
  "mail server": { check: mailServerAnswers },
  "redirect URIs": { check: redirectUrisSecure, after: ["database"] },
};

/** A problem that does not yet prevent the instance from serving requests. */
class Warning extends Error {}

/** Checks the instance without changing it, and prints the solution of each problem. */
const doctor = defineCommand({
  name: "doctor",
  usage: "",
  about: "Check that this instance can serve requests, and print the solution of each problem.",
  options: {},
  run: async ({ config }) => {
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
    const text = findings
      .map((finding) => `${labelOf(finding)}${finding.check}: ${finding.detail}`)
      .join("\n");
    return { text, json: { findings }, failed: findings.some(({ ok }) => !ok) };
  },
});

const labelOf = ({ ok, warning }: Finding): string => {
  if (!ok) return "PROBLEM ";
  return warning ? "WARNING " : "ok      ";
};

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function nodeVersion({ database }: CommandEnvironment["config"]): Promise<string> {
  const { problem, warning } = checkNodeVersion(process.versions.node, database.provider);
  if (problem !== undefined) throw new Error(problem);
  if (warning !== undefined) throw new Warning(warning);
  return process.version;
}

async function dataFolder({ dataDir }: CommandEnvironment["config"]): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} will be created at the first start`;
  accessSync(dataDir, constants.R_OK | constants.W_OK);
  return dataDir;
}

async function diskSpace({ dataDir, database }: CommandEnvironment["config"]): Promise<string> {
  const folders = [dataDir, ...(database.provider === "sqlite" ? [dirname(database.file)] : [])];
  const spaces = await Promise.all(folders.filter((folder) => existsSync(folder)).map(diskSpaceOf));
  const lowest = spaces.toSorted((a, b) => a.freeBytes - b.freeBytes)[0];
  if (lowest === undefined) return `${dataDir} will be created at the first start`;
  if (isDiskSpaceLow(lowest))
    throw new Warning(`${diskSpaceText(lowest)}. Free some space, or enlarge the disk of ${dataDir}.`);
  return diskSpaceText(lowest);
}

async function secretGiven(config: CommandEnvironment["config"]): Promise<string> {
  if (givenSecret(config) === null) return `${config.dataDir}/secret will be created at the first start`;
  return config.secret === null ? `in ${config.dataDir}/secret` : "in GATEHOUSE_SECRET";
}

async function databaseAnswers({ database }: CommandEnvironment["config"]): Promise<string> {
  if (isToBeMade(database)) return `${database.file} will be created at the first start`;
  const opened = await openDatabase(database).catch((cause) => {
    const databaseName = database.provider === "sqlite" ? database.file : new URL(database.url).host;
    const lines = messageOf(cause).trim().split("\n");
    // The message also contains the failed statement, so only the driver's part of the message is printed.
    const driverMessage = /Message: `([^`]+)`/.exec(lines.at(-1) ?? "")?.[1] ?? lines.at(-1);
    throw new Error(`The database at ${databaseName} does not respond. Check DATABASE_URL. ${driverMessage}`);
  });
  await opened.close();
  return `${database.provider} answers`;
}

const isToBeMade = (database: DatabaseConfig): database is DatabaseConfig & { provider: "sqlite" } =>
  database.provider === "sqlite" && !existsSync(database.file);

async function secretFits(config: CommandEnvironment["config"]): Promise<string> {
  const fresh = "will be recorded at the first start";
  if (isToBeMade(config.database)) return fresh;
  const { db, close } = await openDatabase(config.database);
  try {
    return (await knowsSecret(config, db)) ? "matches the database" : fresh;
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

const APPLICATIONS_SHOWN = 20;

/**
 * Applications that were registered while BASE_URL used http are refused after BASE_URL was changed to https.
 */
async function redirectUrisSecure({ baseUrl, database }: CommandEnvironment["config"]): Promise<string> {
  if (baseUrl.protocol === "http:") return "may use http, because BASE_URL does";
  if (isToBeMade(database) || (await pendingMigrations(database)).length > 0) return "none yet";
  const { db, close } = await openDatabase(database);
  try {
    const applications = await insecureRedirectUris(db, APPLICATIONS_SHOWN);
    if (applications.length === 0) return "all use https, or http on this computer";
    const lines = applications.map(
      ({ id, name, owner, uris }) => `${name} (${id}, of ${owner}): ${uris.join(" ")}`,
    );
    throw new Warning(
      `${countOf(applications.length)} with http redirect URIs, which are refused because BASE_URL is https. Register https redirect URIs:\n    ${lines.join("\n    ")}`,
    );
  } finally {
    await close();
  }
}

const countOf = (count: number): string => {
  if (count === APPLICATIONS_SHOWN) return `${count} or more applications`;
  return count === 1 ? "1 application" : `${count} applications`;
};

export const commands = [doctor];
