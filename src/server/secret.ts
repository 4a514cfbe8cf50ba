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

/** The host names in a database URL that refer to the host of this process. */
const HERE: readonly string[] = ["", "localhost", "127.0.0.1", "[::1]"];

const fileOf = ({ dataDir }: Config): string => join(dataDir, "secret");

/** The file that contains the new secret during a rotation. */
const nextFileOf = ({ dataDir }: Config): string => join(dataDir, "secret.next");

/**
 * Returns the instance secrets of this process: the secret in the environment or in `DATA_DIR/secret`, and
 * the other secret of a rotation in progress. The list is empty when no secret exists.
 * @throws an Error if the secret in the file is too short. Also throws an Error if the database is on another
 * host and the environment contains no secret. With a database on another host, all processes need the same
 * secret, but a generated secret would exist only on this host.
 */
export function givenSecrets(config: Config): readonly string[] {
  const { secret, previousSecret } = config;
  if (secret !== null) return previousSecret === null ? [secret] : [secret, previousSecret];
  if (config.database.provider === "postgresql" && !HERE.includes(new URL(config.database.url).hostname))
    throw new Error(
      "GATEHOUSE_SECRET is not set. GATEHOUSE_SECRET is required with a database on another host. Set the same secret of at least 32 random characters for every process.",
    );
  return [readSecret(fileOf(config)), readSecret(nextFileOf(config))].filter((given) => given !== null);
}

/** Returns the keys of each instance secret of this process. */
export const givenKeys = (config: Config): readonly KeySet[] => givenSecrets(config).map(deriveKeySet);

/**
 * Creates the secret that replaces `DATA_DIR/secret`, in a second file with mode 0600. If the file already
 * exists from an interrupted rotation, the function returns the secret in the file.
 */
export function createNextSecret(config: Config, randomBytes: (size: number) => Uint8Array): string {
  const secret = newSecret(randomBytes);
  if (createDurably(nextFileOf(config), `${secret}\n`)) return secret;
  return readSecret(nextFileOf(config)) ?? secret;
}

/**
 * Replaces the secret in `DATA_DIR/secret` with the new secret of a rotation, and deletes the file of the
 * rotation. After an interruption, at least one of the two files contains the new secret.
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
 * after it has been stored durably. When several processes start simultaneously, every process returns the
 * secret that the first process created.
 */
export function createSecret(config: Config, randomBytes: (size: number) => Uint8Array): string {
  createFolderDurably(config.dataDir);
  const secret = newSecret(randomBytes);
  if (createDurably(fileOf(config), `${secret}\n`)) return secret;
  return readSecret(fileOf(config)) ?? secret;
}

/**
 * Returns the error for a missing secret. The function must not create a secret, because a new secret could
 * not decrypt the existing database.
 */
export const missingSecret = (config: Config): Error =>
  new Error(
    `The secret of this instance is missing: ${fileOf(config)} does not exist, but the database was created with a secret. Restore the file from a backup, or set GATEHOUSE_SECRET to the content of the file. For a new instance, use an empty database.`,
  );

function readSecret(file: string): string | null {
  const secret = readIfPresent(file)?.trim();
  if (secret === undefined) return null;
  if (secret.length < SECRET_CHARACTERS_MIN)
    throw new Error(
      `${file} contains only ${secret.length} characters, but the instance secret needs at least ${SECRET_CHARACTERS_MIN} characters. Restore the file from a backup. For a new instance with an empty database, delete the file: the next start creates a new secret.`,
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
