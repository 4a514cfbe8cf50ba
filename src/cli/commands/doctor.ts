import { accessSync, constants, existsSync } from "node:fs";
import { givenSecret } from "@/features/instance/secret";
import { knowsSecret } from "@/features/instance/service";
import type { DatabaseConfig } from "@/platform/config";
import { pendingMigrations } from "@/platform/db/migrate";
import { openDatabase } from "@/platform/db/open";
import { defineCommand, type Surroundings } from "../command";

type Finding = Readonly<{ check: string; ok: boolean; detail: string }>;
type Check = Readonly<{
  look: (config: Surroundings["config"]) => Promise<string>;
  /** Without these there is nothing to look at. */
  after?: readonly string[];
}>;

const CHECKS: Readonly<Record<string, Check>> = {
  node: { look: nodeVersion },
  "data folder": { look: dataFolder },
  secret: { look: secretGiven },
  database: { look: databaseAnswers },
  migrations: { look: migrationsApplied, after: ["database"] },
  "secret of the database": { look: secretFits, after: ["secret", "database"] },
};

/** Changes nothing: it looks, and says what to do. */
const doctor = defineCommand({
  name: "doctor",
  usage: "",
  about: "Look whether this instance can serve, and say what to do where it cannot.",
  options: {},
  run: async ({ config }) => {
    const findings: Finding[] = [];
    for (const [check, { look, after = [] }] of Object.entries(CHECKS)) {
      if (findings.some((one) => !one.ok && after.includes(one.check))) continue;
      const ok = (detail: string): Finding => ({ check, ok: true, detail });
      const bad = (cause: unknown): Finding => ({ check, ok: false, detail: messageOf(cause) });
      findings.push(await look(config).then(ok, bad));
    }
    const text = findings
      .map(({ check, ok, detail }) => `${ok ? "ok      " : "PROBLEM "}${check}: ${detail}`)
      .join("\n");
    return { text, json: { findings }, failed: findings.some(({ ok }) => !ok) };
  },
});

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function nodeVersion(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Node ${process.version} is too old; use 20.19 or newer.`);
  return process.version;
}

async function dataFolder({ dataDir }: Surroundings["config"]): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} will be made at the first start`;
  accessSync(dataDir, constants.R_OK | constants.W_OK);
  return dataDir;
}

async function secretGiven(config: Surroundings["config"]): Promise<string> {
  if (givenSecret(config) === null) return `${config.dataDir}/secret will be made at the first start`;
  return config.secret === null ? `in ${config.dataDir}/secret` : "in GATEHOUSE_SECRET";
}

async function databaseAnswers({ database }: Surroundings["config"]): Promise<string> {
  if (isToBeMade(database)) return `${database.file} will be made at the first start`;
  const opened = await openDatabase(database).catch((cause) => {
    const place = database.provider === "sqlite" ? database.file : new URL(database.url).host;
    const lines = messageOf(cause).trim().split("\n");
    // Around what the driver says stands which statement of ours was not run.
    const said = /Message: `([^`]+)`/.exec(lines.at(-1) ?? "")?.[1] ?? lines.at(-1);
    throw new Error(`The database at ${place} does not answer; see DATABASE_URL. ${said}`);
  });
  await opened.close();
  return `${database.provider} answers`;
}

const isToBeMade = (database: DatabaseConfig): database is DatabaseConfig & { provider: "sqlite" } =>
  database.provider === "sqlite" && !existsSync(database.file);

async function secretFits(config: Surroundings["config"]): Promise<string> {
  const fresh = "will be kept at the first start";
  if (isToBeMade(config.database)) return fresh;
  const { db, close } = await openDatabase(config.database);
  try {
    return (await knowsSecret(config, db)) ? "the one that it was made with" : fresh;
  } finally {
    await close();
  }
}

async function migrationsApplied({ database }: Surroundings["config"]): Promise<string> {
  const pending = await pendingMigrations(database);
  return pending.length === 0
    ? "all applied"
    : `${pending.length} to apply; a start or "gatehouse migrate" does it`;
}

export const commands = [doctor];
