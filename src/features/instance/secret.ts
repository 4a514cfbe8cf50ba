import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@/platform/config";

/** Names under which a database server is on this host. */
const HERE: readonly string[] = ["", "localhost", "127.0.0.1", "[::1]"];

const fileOf = ({ dataDir }: Config): string => join(dataDir, "secret");

/**
 * The instance secret as far as there is one: the environment's, or what `DATA_DIR/secret` holds.
 * @returns null where a start will make it.
 * @throws an Error when the database is on another host and the environment has no secret: every process needs the
 * same one, and a generated one would be this host's alone.
 */
export function givenSecret(config: Config): string | null {
  if (config.secret !== null) return config.secret;
  if (config.database.provider === "postgresql" && !HERE.includes(new URL(config.database.url).hostname))
    throw new Error(
      "GATEHOUSE_SECRET is not set. With a database on another host it must be: the same 32 or more random characters for every process.",
    );
  return read(fileOf(config));
}

/**
 * The instance secret: the given one, or one of 32 random bytes kept in `DATA_DIR/secret`, mode 0600. Any number of
 * processes may start together: the first one's file holds.
 * @throws as `givenSecret` does.
 */
export function instanceSecret(config: Config, randomBytes: (size: number) => Uint8Array): string {
  const given = givenSecret(config);
  if (given !== null) return given;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  return keepFirst(fileOf(config), Buffer.from(randomBytes(32)).toString("base64url"));
}

/** Written aside and then linked, so that nobody ever reads half of it and nobody replaces it. */
function keepFirst(file: string, secret: string): string {
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${secret}\n`, { mode: 0o600 });
  try {
    linkSync(aside, file);
    return secret;
  } catch (cause) {
    const first = read(file);
    if (first === null) throw cause;
    return first;
  } finally {
    unlinkSync(aside);
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw cause;
  }
}
