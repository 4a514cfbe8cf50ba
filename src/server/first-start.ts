import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as users from "@/identity/users/service";
import { recordSecretCheck, secretCheckOf } from "@/instance/lock/secret-check";
import type { Config, DatabaseConfig } from "@/kernel/config/config";
import { deriveKeys } from "@/kernel/crypto/keys";
import { PASSWORD_COST } from "@/kernel/crypto/password";
import type { Db } from "@/kernel/db/db";
import { isMissingTable, isUniqueViolation } from "@/kernel/db/errors";
import { migrate } from "@/kernel/db/migrate";
import { openDatabase, reachDatabase } from "@/kernel/db/open";
import type { Patience } from "@/kernel/db/reach-postgresql";
import { type Deps, depsOf, provideDeps } from "@/kernel/deps/deps";
import { createFolderDurably, replaceDurably } from "@/kernel/disk/durable-file";
import { openLog } from "@/kernel/log/log";
import { HOOKS } from "./compose";
import { createSecret, givenSecret, missingSecret } from "./secret";

/** The administrator that a first start makes; `password` only where a person at a terminal will read it. */
export type FirstStart = Readonly<{ username: string; password: string | null; passwordPlace: string }>;

export type Instance = Readonly<{ deps: Deps; firstStart: FirstStart | null; close: () => Promise<void> }>;

/** How long a server waits for its database server, which may start together with it. A command does not wait. */
export const SERVER_PATIENCE_MS = 30_000;

/** Until which stage of its start an instance has come. */
export type StartStage = "database" | "migrations";

export type StartOptions = Pick<Patience, "signal" | "report" | "patienceMs"> &
  Readonly<{ onStage?: (stage: StartStage) => void }>;

/**
 * Opens the instance for this process: waits for the database server and for locks that keep migrations waiting, migrates the database, proves that the secret is its own, makes the first
 * administrator once, and makes the dependencies known to every endpoint.
 * @throws an Error with a sentence for the operator when the secret or the database is not usable.
 */
export async function openInstance(config: Config, options: StartOptions = {}): Promise<Instance> {
  givenSecret(config);
  options.onStage?.("database");
  await reachDatabase(config.database, options);
  const keys = deriveKeys(await instanceSecret(config));
  options.onStage?.("migrations");
  await migrate(config.database, { signal: options.signal, report: options.report });
  const database = await openDatabase(config.database);
  const deps: Deps = {
    ...depsOf(database),
    config,
    keys,
    clock: () => new Date(),
    randomBytes,
    passwordCost: PASSWORD_COST,
    log: openLog(config.logLevel),
    hooks: HOOKS,
  };
  try {
    const firstStart = await recognise(deps);
    provideDeps(deps);
    return { deps, firstStart, close: database.close };
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

/** The secret exists, and would survive a power cut, before anything creates a database that is sealed with it. */
async function instanceSecret(config: Config): Promise<string> {
  const given = givenSecret(config);
  if (given !== null) return given;
  const isSealed = (await secretCheckIn(config.database)) !== null;
  // Another process of a first start may have created both in between.
  const created = isSealed ? givenSecret(config) : createSecret(config, randomBytes);
  if (created === null) throw missingSecret(config);
  return created;
}

/** Returns the check value of the secret that this database was made with; null for a new one. Changes nothing. */
async function secretCheckIn(database: DatabaseConfig): Promise<string | null> {
  if (database.provider === "sqlite" && !existsSync(database.file)) return null;
  const { db, close } = await openDatabase(database);
  try {
    return await secretCheck(db);
  } finally {
    await close();
  }
}

const secretCheck = (db: Db): Promise<string | null> =>
  secretCheckOf(db).catch((cause) => {
    if (isMissingTable(cause)) return null;
    throw cause;
  });

/** The check value of the secret; on the very first start, that and the administrator, in one transaction. */
async function recognise(deps: Deps): Promise<FirstStart | null> {
  const check = await secretCheckOf(deps.db);
  if (check === null) {
    const first = await firstStart(deps);
    if (first !== null) return first;
  }
  if ((check ?? (await secretCheckOf(deps.db))) !== deps.keys.check) throw anotherSecret();
  return null;
}

const anotherSecret = () =>
  new Error(
    "This database was made with another instance secret. Set GATEHOUSE_SECRET to it, or put it back into DATA_DIR/secret.",
  );

/**
 * Looks whether this database would be opened with the secret of this configuration, and changes nothing.
 * @returns false where nobody has opened it yet.
 * @throws an Error as `openInstance` does.
 */
export async function knowsSecret(config: Config, db: Db): Promise<boolean> {
  const secret = givenSecret(config);
  const check = await secretCheck(db);
  if (check === null) return false;
  if (secret === null) throw missingSecret(config);
  if (deriveKeys(secret).check !== check) throw anotherSecret();
  return true;
}

const INITIAL_PASSWORD = "initial_root_password";

/** @returns null when another process was first. */
async function firstStart(deps: Deps): Promise<FirstStart | null> {
  const given = deps.config.rootPassword;
  const password = given ?? Buffer.from(deps.randomBytes(18)).toString("base64url");
  const user = { username: "root", email: "root@localhost", name: "Administrator", password, admin: true };
  const file = given === null && !process.stdout.isTTY ? join(deps.config.dataDir, INITIAL_PASSWORD) : null;
  if (file !== null) createFolderDurably(deps.config.dataDir);
  try {
    await deps.transaction(async (within) => {
      await recordSecretCheck(within.db, within.keys.check, within.clock());
      const created = await users.create(within, user);
      if ("problems" in created) throw new Error(administratorProblem(created.problems));
      // Before the commit: afterwards, a power cut would leave an administrator whose password nobody knows.
      if (file !== null) replaceDurably(file, `${password}\n`);
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return null;
    throw cause;
  }
  if (given !== null) return { username: "root", password: null, passwordPlace: "GATEHOUSE_ROOT_PASSWORD" };
  if (file === null) return { username: "root", password, passwordPlace: "" };
  return { username: "root", password: null, passwordPlace: file };
}

function administratorProblem({ password, ...others }: users.FieldErrors): string {
  if (password !== undefined && Object.keys(others).length === 0)
    return `The administrator root was not created: GATEHOUSE_ROOT_PASSWORD ${password}. Choose another password.`;
  return `The administrator root could not be created: ${JSON.stringify(others)}`;
}

/** What the person at the terminal must know after a first start. */
export const firstStartSentence = ({ username, password, passwordPlace }: FirstStart): string =>
  password === null
    ? `Sign in as the administrator ${username}; the password is in ${passwordPlace}`
    : `Sign in as the administrator ${username}; the password is ${password}`;
