import { accessSync, constants, existsSync } from "node:fs";
import { pendingMigrations } from "@/platform/db/migrate";
import { openDatabase } from "@/platform/db/open";
import { defineCommand, type Surroundings } from "../command";

type Finding = Readonly<{ check: string; ok: boolean; detail: string }>;

/** Changes nothing: it looks, and says what to do. */
export const doctor = defineCommand({
  name: "doctor",
  usage: "",
  about: "Look whether this instance can serve, and say what to do where it cannot.",
  options: {},
  run: async ({ config }) => {
    const checks: readonly (readonly [string, (config: Surroundings["config"]) => Promise<string>])[] = [
      ["node", nodeVersion],
      ["data folder", dataFolder],
      ["database", databaseAnswers],
      ["migrations", migrationsApplied],
    ];
    const findings: Finding[] = [];
    for (const [check, look] of checks) {
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

async function databaseAnswers({ database }: Surroundings["config"]): Promise<string> {
  if (database.provider === "sqlite" && !existsSync(database.file))
    return `${database.file} will be made at the first start`;
  const { db, close } = await openDatabase(database);
  try {
    await db.$queryRaw`SELECT 1`;
    return `${database.provider} answers`;
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
