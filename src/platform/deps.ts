import type { Config } from "./config.ts";
import type { SecretKeys } from "./crypto/keys.ts";
import type { Database } from "./db/db.ts";
import type { Logger } from "./log.ts";

/** Everything a service needs from outside itself: time, chance, the database, the log, the keys. */
export type Deps = Omit<Database, "close"> &
  Readonly<{
    config: Config;
    keys: SecretKeys;
    clock: () => Date;
    randomBytes: (size: number) => Uint8Array;
    log: Logger;
    /** Set while a command of the operator runs: audit events name the command line as their actor. */
    commandLine?: true;
  }>;

/** One per process, however many bundles load this module: a module is loaded once per bundle. */
const PLACE = Symbol.for("gatehouse.deps");
const place = globalThis as { [PLACE]?: Deps };

/** The dependencies of this process. Raises an Error before `provideDeps`. */
export function systemDeps(): Deps {
  const deps = place[PLACE];
  if (deps === undefined) throw new Error("The instance is not open yet.");
  return deps;
}

export const depsAreOpen = (): boolean => place[PLACE] !== undefined;

/** Called once at start, and by tests. */
export function provideDeps(deps: Deps): void {
  place[PLACE] = deps;
}
