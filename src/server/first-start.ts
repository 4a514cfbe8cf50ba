import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { INITIAL_PASSWORD } from "@/identity/sign-in/first-sign-in";
import * as users from "@/identity/users/service";
import { completeChain } from "@/instance/audit/service";
import { recordSecretCheck, secretCheckOf } from "@/instance/lock/secret-check";
import { readSecretState, selectKeys } from "@/instance/secret-rotation/service";
import type { Config, DatabaseConfig } from "@/kernel/config/config";
import { deriveKeys, replaceKeys, type SecretKeys } from "@/kernel/crypto/keys";
import { PASSWORD_COST } from "@/kernel/crypto/password";
import { pooledRandomBytes } from "@/kernel/crypto/random";
import type { Db } from "@/kernel/db/db";
import { isUniqueViolation } from "@/kernel/db/errors";
import { isMigrated, migrate } from "@/kernel/db/migrate";
import { openDatabase, reachDatabase } from "@/kernel/db/open";
import type { Patience } from "@/kernel/db/reach-postgresql";
import { type Deps, depsOf, provideDeps } from "@/kernel/deps/deps";
import { createFolderDurably, replaceDurably } from "@/kernel/disk/durable-file";
import { openLog } from "@/kernel/log/log";
import { isFollowingRequests } from "@/kernel/tracing/tracing";
import type { StartStage } from "@/operations/health/readiness";
import { HOOKS } from "./compose";
import { createSecret, givenKeys, givenSecrets, missingSecret } from "./secret";

/**
 * The administrator that the first start creates. The field `password` is set only when the password is shown
 * at a terminal.
 */
export type FirstStart = Readonly<{ username: string; password: string | null; passwordPlace: string }>;

export type Instance = Readonly<{ deps: Deps; firstStart: FirstStart | null; close: () => Promise<void> }>;

/**
 * The time for which a server waits for its database server, which may start simultaneously. A command-line
 * command does not wait for the database server.
 */
export const SERVER_PATIENCE_MS = 30_000;

export type StartOptions = Pick<Patience, "signal" | "report" | "patienceMs"> &
  Readonly<{
    onStage?: (stage: StartStage) => void;
    /** Whether another process of this server has migrated the database. */
    isMigrated?: boolean;
    /** Whether the function fails when no instance exists, instead of creating an instance. */
    mustExist?: boolean;
    /** The program of the thread that commits frequent writes to SQLite. */
    writerThread?: string;
  }>;

/**
 * Opens the instance for this process. The function waits for the database server and for locks that delay
 * migrations, and migrates the database. The function then checks that the secret belongs to the database,
 * creates the first administrator once, and provides the dependencies to every endpoint.
 * @throws an Error whose message is a sentence for the operator if the secret or the database cannot be used.
 */
export async function openInstance(config: Config, options: StartOptions = {}): Promise<Instance> {
  givenSecrets(config);
  options.onStage?.("database");
  await reachDatabase(config.database, options);
  if (options.mustExist === true) await requireInstance(config);
  const keys = deriveKeys(await instanceSecret(config));
  options.onStage?.("migrations");
  if (options.isMigrated !== true)
    await migrate(config.database, { signal: options.signal, report: options.report });
  const log = openLog(config.logLevel);
  const observation = isFollowingRequests() ? { log, slowQueryMs: config.slowQueryMs } : undefined;
  const database = await openDatabase(config.database, { ...options, observation });
  const deps: Deps = {
    ...depsOf(database),
    config,
    keys,
    clock: () => new Date(),
    randomBytes: pooledRandomBytes(),
    passwordCost: PASSWORD_COST,
    log,
    hooks: HOOKS,
  };
  try {
    const firstStart = await recognize(deps);
    if (options.isMigrated !== true) await completeChain(deps);
    provideDeps(deps);
    return { deps, firstStart, close: database.close };
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

/**
 * Checks that an instance exists, without creating files.
 * @throws an Error that names the database in which no instance exists.
 */
export async function requireInstance({ database, dataDir }: Config): Promise<void> {
  if (await isMigrated(database)) return;
  const isFile = database.provider === "sqlite";
  const problem = isFile && !existsSync(database.file) ? "does not exist" : "has no tables of Gatehouse";
  throw new Error(
    `There is no instance: the database ${databaseName(database)} ${problem}. DATA_DIR is ${dataDir}. Run the command with the DATA_DIR and DATABASE_URL of the server. To create a new instance in this database, run "gatehouse serve" or "gatehouse migrate".`,
  );
}

/** Returns the path of the SQLite file, or the name and the host of the PostgreSQL database, for a message. */
export function databaseName(database: DatabaseConfig): string {
  if (database.provider === "sqlite") return database.file;
  const { host, pathname } = new URL(database.url);
  return `${decodeURIComponent(pathname.slice(1))} at ${host}`;
}

/**
 * Returns the instance secret, and creates the secret for a new database. The secret is stored durably before
 * any process creates a database whose values are encrypted with the secret.
 */
async function instanceSecret(config: Config): Promise<string> {
  const [given] = givenSecrets(config);
  if (given !== undefined) return given;
  const isSealed = (await secretCheckIn(config.database)) !== null;
  // After the check, another process may have created both the secret and the database, because several
  // processes can start simultaneously.
  const created = isSealed ? givenSecrets(config)[0] : createSecret(config, randomBytes);
  if (created === undefined) throw missingSecret(config);
  return created;
}

/**
 * Returns the check value of the secret with which this database was created; null for a new database. The
 * function does not change the database.
 */
async function secretCheckIn(database: DatabaseConfig): Promise<string | null> {
  if (database.provider === "sqlite" && !existsSync(database.file)) return null;
  const { db, close } = await openDatabase(database);
  try {
    return (await readSecretState(db)).check;
  } finally {
    await close();
  }
}

/**
 * Selects the keys of the secret that belongs to the database. On the first start, the function stores the check value and creates the administrator in
 * one transaction.
 */
async function recognize(deps: Deps): Promise<FirstStart | null> {
  const check = await secretCheckOf(deps.db);
  if (check === null) {
    const first = await firstStart(deps);
    if (first !== null) return first;
  }
  const keys = selectKeys(await readSecretState(deps.db), givenKeys(deps.config), deps.clock());
  if (keys === null) throw anotherSecret();
  replaceKeys(deps.keys, keys);
  return null;
}

const anotherSecret = () =>
  new Error(
    "This database was created with another instance secret. Set GATEHOUSE_SECRET to the original secret, or restore the file DATA_DIR/secret.",
  );

/**
 * Returns the keys with which the values in this database are encrypted, without changing the database; null when no
 * process has opened the database yet.
 * @throws the same errors as `openInstance`.
 */
export async function keysFor(config: Config, db: Db): Promise<SecretKeys | null> {
  const sets = givenKeys(config);
  const state = await readSecretState(db);
  if (state.check === null) return null;
  if (sets.length === 0) throw missingSecret(config);
  const keys = selectKeys(state, sets, new Date());
  if (keys === null) throw anotherSecret();
  return keys;
}

/**
 * Creates the first administrator.
 * @returns null when another process has already created the administrator.
 */
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
      // The password is written before the commit, so that a power failure cannot leave an administrator
      // whose password is unknown.
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

/** Returns the message with the credentials of the first start, for the terminal. */
export const firstStartSentence = ({ username, password, passwordPlace }: FirstStart): string =>
  password === null
    ? `Sign in as the administrator ${username}; the password is in ${passwordPlace}`
    : `Sign in as the administrator ${username}; the password is ${password}`;
