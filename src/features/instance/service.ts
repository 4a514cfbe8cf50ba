import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@/platform/config";
import { deriveKeys } from "@/platform/crypto/keys";
import type { Db } from "@/platform/db/db";
import { isMissingTable, isUniqueViolation } from "@/platform/db/errors";
import { migrate } from "@/platform/db/migrate";
import { openDatabase } from "@/platform/db/open";
import { type Deps, provideDeps } from "@/platform/deps";
import { openLog } from "@/platform/log";
import * as users from "../users/service";
import { givenSecret, instanceSecret } from "./secret";
import * as store from "./store";

/** The administrator that a first start makes; `password` only where a person at a terminal will read it. */
export type FirstStart = Readonly<{ username: string; password: string | null; passwordPlace: string }>;

export type Instance = Readonly<{ deps: Deps; firstStart: FirstStart | null; close: () => Promise<void> }>;

/**
 * Opens the instance for this process: migrates the database, proves that the secret is its own, makes the first
 * administrator once, and makes the dependencies known to every endpoint.
 * @throws an Error with a sentence for the operator when the secret or the database is not usable.
 */
export async function openInstance(config: Config): Promise<Instance> {
  const keys = deriveKeys(instanceSecret(config, randomBytes));
  await migrate(config.database);
  const { close, ...database } = await openDatabase(config.database);
  const deps: Deps = {
    ...database,
    config,
    keys,
    clock: () => new Date(),
    randomBytes,
    log: openLog(config.logLevel),
  };
  try {
    const firstStart = await recognise(deps);
    provideDeps(deps);
    return { deps, firstStart, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** The check value of the secret; on the very first start, that and the administrator, in one transaction. */
async function recognise(deps: Deps): Promise<FirstStart | null> {
  const known = await store.secretCheck(deps.db);
  if (known === null) {
    const first = await firstStart(deps);
    if (first !== null) return first;
  }
  if ((known ?? (await store.secretCheck(deps.db))) !== deps.keys.check) throw anotherSecret();
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
  const known = await store.secretCheck(db).catch((cause) => {
    if (isMissingTable(cause)) return null;
    throw cause;
  });
  if (known === null) return false;
  if (secret === null || deriveKeys(secret).check !== known) throw anotherSecret();
  return true;
}

/** @returns null when another process was first. */
async function firstStart(deps: Deps): Promise<FirstStart | null> {
  const given = deps.config.rootPassword;
  const password = given ?? Buffer.from(deps.randomBytes(18)).toString("base64url");
  const person = { username: "root", email: "root@localhost", name: "Administrator", password, admin: true };
  try {
    await deps.transaction(async (db) => {
      await store.insert(db, deps.keys.check, deps.clock());
      const created = await users.create({ ...deps, db }, person);
      if ("problems" in created)
        throw new Error(`The administrator could not be made: ${JSON.stringify(created)}`);
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return null;
    throw cause;
  }
  if (given !== null) return { username: "root", password: null, passwordPlace: "GATEHOUSE_ROOT_PASSWORD" };
  if (process.stdout.isTTY) return { username: "root", password, passwordPlace: "" };
  const file = join(deps.config.dataDir, "initial_root_password");
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return { username: "root", password: null, passwordPlace: file };
}

/** What the person at the terminal must know after a first start. */
export const firstStartSentence = ({ username, password, passwordPlace }: FirstStart): string =>
  password === null
    ? `Sign in as the administrator ${username}; the password is in ${passwordPlace}`
    : `Sign in as the administrator ${username}; the password is ${password}`;
