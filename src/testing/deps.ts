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
/** The least that argon2id takes: thousands of hashes would be most of the time of these tests. */
const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1 };
const START = "2026-11-21T12:00:00.000Z";

export type LoggedLine = Readonly<
  { level: "info" | "warn" | "error"; event: string } & Record<string, unknown>
>;

export type TestDeps = Deps &
  Readonly<{
    /** Moves the clock, which stands still otherwise. */
    advance: (seconds: number) => void;
    /** Every line that was logged, oldest first. */
    logged: readonly LoggedLine[];
  }>;

/**
 * The dependencies of one test file, on a database of its own, which are those of the process from then on.
 * @param overrides take the place of what would be made.
 */
export async function openTestDeps(overrides: Partial<Deps> = {}): Promise<TestDeps> {
  // What a process has noted and not written down is of the file before, which had another database.
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
      // What is redacted by its name must not be there in the first place.
      logged.push({ ...lineOf(facts, cause), ...facts, level });
    };
  return { log: { info: at("info"), warn: at("warn"), error: at("error") }, logged };
}
