import type { Config } from "../config/config.ts";
import type { SecretKeys } from "../crypto/keys.ts";
import type { PasswordCost } from "../crypto/password.ts";
import type { Database } from "../db/db.ts";
import type { Reads } from "../db/prepared.ts";
import type { Logger } from "../log/log.ts";
import { processWide } from "../process/process-wide.ts";

/**
 * The functions through which a module calls the modules that depend on it, because the module cannot import
 * these modules. A module declares its events and queries by adding members to this interface. For each
 * member, `src/server/compose.ts` lists the functions of the other modules.
 */
// biome-ignore lint/suspicious/noEmptyInterface: areas add members to the interface, which a type alias does not allow.
export interface Hooks {}

/** The external dependencies of a service: time, randomness, the database, the log, the keys. */
export type Deps = Pick<Database, "db" | "prepared"> &
  Readonly<{
    /**
     * Runs typed statements that only read rows. Inside of a transaction, the statements return the changes
     * of the transaction.
     */
    reads: Reads;
    /**
     * Runs the function `run` in one transaction without retries: an error rolls the transaction back. The
     * parameter `within` contains the same dependencies, with the transaction as the database. A transaction
     * that is started with `within` is part of the outer transaction. The prepared statements in `prepared`
     * do not run inside the transaction, except behind a connection pooler.
     */
    transaction: <Result>(this: Deps, run: (within: Deps) => Promise<Result>) => Promise<Result>;
    /**
     * Inside of a transaction, adds a function that runs immediately before the commit, after all other
     * statements. The function is meant for locks on rows that many transactions lock. A lock at the end of a
     * transaction is held only briefly, and its holder never waits for another lock.
     */
    beforeCommit?: (work: () => Promise<void>) => void;
    config: Config;
    keys: SecretKeys;
    clock: () => Date;
    randomBytes: (size: number) => Uint8Array;
    passwordCost: PasswordCost;
    log: Logger;
    hooks: Hooks;
    /** True while a command of the operator runs, so that audit events name the command line as their actor. */
    commandLine?: true;
    /** The administrator whose impersonation token authenticates the request, for audit events. */
    impersonatorId?: number;
  }>;

/** Returns the dependencies that come from an open database. */
export const depsOf = (
  database: Omit<Database, "close">,
): Pick<Deps, "db" | "prepared" | "reads" | "transaction"> => ({
  db: database.db,
  prepared: database.prepared,
  reads: database.prepared,
  transaction(run) {
    return database.transaction(async (db, reads) => {
      const works: (() => Promise<void>)[] = [];
      const beforeCommit = (work: () => Promise<void>): void => void works.push(work);
      const prepared = database.sharesConnections ? { ...this.prepared, ...reads } : this.prepared;
      const within = { ...this, db, reads, prepared, transaction: joinOpenTransaction, beforeCommit };
      const result = await run(within);
      for (const work of works) await work();
      return result;
    });
  },
});

const joinOpenTransaction: Deps["transaction"] = function (run) {
  return run(this);
};

const provided = processWide<{ deps: Deps | null }>("deps", () => ({ deps: null }));

/**
 * Returns the dependencies of this process.
 * @throws an Error before the first call of `provideDeps`.
 */
export function systemDeps(): Deps {
  const { deps } = provided();
  if (deps === null) throw new Error("The server has not opened its database yet.");
  return deps;
}

export const depsAreOpen = (): boolean => provided().deps !== null;

/** Sets the dependencies of this process, at start and in tests. */
export function provideDeps(deps: Deps): void {
  provided().deps = deps;
}
