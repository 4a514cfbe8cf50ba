import { randomBytes } from "node:crypto";
import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { readConfig } from "@/kernel/config/config.ts";
import { deriveKeys } from "@/kernel/crypto/keys.ts";
import type { PasswordCost } from "@/kernel/crypto/password.ts";
import { type Deps, depsOf, provideDeps } from "@/kernel/deps/deps.ts";
import { discardBuffers } from "@/kernel/jobs/write-behind.ts";
import { type Logger, lineOf } from "@/kernel/log/log.ts";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { HOOKS } from "@/server/compose.ts";
import { openTestDatabase } from "./database.ts";
import { temporaryFolder } from "./folder.ts";

const SECRET = "the secret of the tests, which protects nothing";
/** The lowest cost that argon2id accepts. The cost is low because the tests compute thousands of hashes. */
const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1 };
const START = "2026-11-21T12:00:00.000Z";

export type LoggedLine = Readonly<
  { level: "info" | "warn" | "error"; event: string } & Record<string, unknown>
>;

export type TestDeps = Deps &
  Readonly<{
    /** Advances the clock of the dependencies. The clock does not advance automatically. */
    advance: (seconds: number) => void;
    /** The logged lines, oldest first. */
    logged: readonly LoggedLine[];
  }>;

/**
 * Creates the dependencies of a test file with its own database, and provides them to the process.
 * @param overrides replacements for the default dependencies.
 */
export async function openTestDeps(overrides: Partial<Deps> = {}): Promise<TestDeps> {
  // Discards the buffered writes of the previous test file, which had another database.
  discardBuffers();
  resetProcessWide();
  const { config, ...database } = await openTestDatabase();
  let now = Date.parse(START);
  const { log, logged } = recordingLog();
  const deps: TestDeps = {
    ...depsOf(database),
    config: testConfig(config),
    keys: deriveKeys(SECRET),
    clock: () => new Date(now),
    randomBytes: (size) => randomBytes(size),
    passwordCost: CHEAP,
    log,
    hooks: HOOKS,
    ...overrides,
    logged,
    advance: (seconds) => {
      now += seconds * 1_000;
    },
  };
  provideDeps(deps);
  return deps;
}

const testConfig = (database: DatabaseConfig) =>
  readConfig({
    BASE_URL: "http://localhost:3000",
    DATA_DIR: temporaryFolder(),
    DATABASE_URL: database.provider === "sqlite" ? `file:${database.file}` : database.url,
    GATEHOUSE_SECRET: SECRET,
  });

function recordingLog(): { log: Logger; logged: readonly LoggedLine[] } {
  const logged: LoggedLine[] = [];
  const at =
    (level: LoggedLine["level"]) =>
    (...[facts, cause]: Parameters<Logger["info"]>) => {
      // The recorded lines contain the values before the redaction of secret fields, so that tests can find
      // secrets.
      logged.push({ ...lineOf(facts, cause), ...facts, level });
    };
  return { log: { info: at("info"), warn: at("warn"), error: at("error") }, logged };
}
