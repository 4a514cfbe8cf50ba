import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, SECRET_CHARACTERS_MIN } from "@/kernel/config/config";
import { deriveKeySet, type KeySet } from "@/kernel/crypto/keys";
import {
  createDurably,
  createFolderDurably,
  removeDurably,
  replaceDurably,
} from "@/kernel/disk/durable-file";

/** The host names of a database server that runs on this host. */
const HERE: readonly string[] = ["", "localhost", "127.0.0.1", "[::1]"];

const fileOf = ({ dataDir }: Config): string => join(dataDir, "secret");

/** The file that contains the new secret during a rotation. */
const nextFileOf = ({ dataDir }: Config): string => join(dataDir, "secret.next");

/**
 * Returns the instance secrets that this process has: the secret of the environment or of `DATA_DIR/secret`, and
 * during a rotation the other secret. The list is empty when no secret exists.
 * @throws an Error when the file has fewer characters than the minimum length of a secret, and when the
 * database is on another host and the environment has no secret: every process needs the same secret, and a
 * generated secret would exist only on this host.
 */
export function givenSecrets(config: Config): readonly string[] {
  const { secret, previousSecret } = config;
  if (secret !== null) return previousSecret === null ? [secret] : [secret, previousSecret];
  if (config.database.provider === "postgresql" && !HERE.includes(new URL(config.database.url).hostname))
    throw new Error(
      "GATEHOUSE_SECRET is not set. It is required with a database on another host: set the same 32 or more random characters for every process.",
    );
  return [readSecret(fileOf(config)), readSecret(nextFileOf(config))].filter((given) => given !== null);
}

/** Returns the keys of each secret that this process has. */
export const givenKeys = (config: Config): readonly KeySet[] => givenSecrets(config).map(deriveKeySet);

/**
 * Creates the secret that replaces `DATA_DIR/secret`, in a second file with mode 0600. If the file exists because a
 * rotation was interrupted, the function returns its secret.
 */
export function createNextSecret(config: Config, randomBytes: (size: number) => Uint8Array): string {
  const secret = newSecret(randomBytes);
  if (createDurably(nextFileOf(config), `${secret}\n`)) return secret;
  return readSecret(nextFileOf(config)) ?? secret;
}

/**
 * Makes the new secret of a rotation the secret in `DATA_DIR/secret`, and deletes the file of the rotation. After an
 * interruption, at least one of the two files contains the new secret.
 */
export function replaceSecretFile(config: Config): void {
  const next = readSecret(nextFileOf(config));
  if (next === null) return;
  replaceDurably(fileOf(config), `${next}\n`);
  removeDurably(nextFileOf(config));
}

const newSecret = (randomBytes: (size: number) => Uint8Array): string =>
  Buffer.from(randomBytes(32)).toString("base64url");

/**
 * Creates the instance secret, 32 random bytes in `DATA_DIR/secret` with mode 0600, and returns the secret
 * after it has been stored durably. When several processes start simultaneously, all of them return the
 * secret of the first process.
 */
export function createSecret(config: Config, randomBytes: (size: number) => Uint8Array): string {
  createFolderDurably(config.dataDir);
  const secret = newSecret(randomBytes);
  if (createDurably(fileOf(config), `${secret}\n`)) return secret;
  return readSecret(fileOf(config)) ?? secret;
}

/** The error for a missing secret of an existing database: a new secret could not decrypt its content. */
export const missingSecret = (config: Config): Error =>
  new Error(
    `The secret of this instance is missing: ${fileOf(config)} does not exist, but the database was created with a secret. Restore the file from a backup, or set GATEHOUSE_SECRET to its content. For a new instance, use an empty database.`,
  );

function readSecret(file: string): string | null {
  const secret = readIfPresent(file)?.trim();
  if (secret === undefined) return null;
  if (secret.length < SECRET_CHARACTERS_MIN)
    throw new Error(
      `${file} holds ${secret.length} characters; the instance secret needs at least ${SECRET_CHARACTERS_MIN}. Restore the file from a backup. For a new instance with an empty database, delete the file: the next start creates a new secret.`,
    );
  return secret;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}
