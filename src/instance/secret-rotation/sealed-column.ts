import type { KeySet } from "@/kernel/crypto/keys";
import { resealed, type SealState } from "@/kernel/crypto/sealed-value";
import type { Db } from "@/kernel/db/db";
import type { Deps } from "@/kernel/deps/deps";

/**
 * A row with a value that is encrypted with the instance secret. `subject` identifies the row in the purpose
 * with which the value is encrypted.
 */
export type SealedRow = Readonly<{ id: number; sealed: string; subject: string }>;

/** A column whose values are encrypted with the instance secret. A rotation of the secret encrypts all values again. */
export type SealedColumn = Readonly<{
  /** The model and the column, such as `SigningKey.sealedPrivate`. */
  column: `${string}.${string}`;
  /** Returns the rows that have an encrypted value in this column, ordered by id. */
  list: (db: Db, afterId: number, most: number) => Promise<readonly SealedRow[]>;
  /** Returns the purpose with which the value of this subject is encrypted. */
  purpose: (subject: string) => string;
  /** Replaces the encrypted value of a row, if the row still has the value `sealed`. */
  replace: (db: Db, id: number, sealed: string, next: string) => Promise<void>;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** All columns whose values are encrypted with the instance secret. */
    sealedColumns: readonly SealedColumn[];
    /**
     * The functions that a rotation of the instance secret calls for all other values that were derived from
     * the previous secret.
     */
    secretRotated: readonly ((deps: Deps, previous: KeySet) => Promise<void>)[];
  }
}

/** The numbers of encrypted values, grouped by the secret that can decrypt the values. */
export type SealCounts = Readonly<Record<SealState, number>>;

/** The number of values that one transaction encrypts again. */
const BATCH = 200;

/**
 * Finds all values that are encrypted with the previous secret of a rotation, and encrypts the values with
 * the current secret. If another process changes a value simultaneously, the value keeps its new content.
 * After an interruption, another run continues with the remaining values.
 * @returns the numbers of encrypted values before the run.
 */
export const resealAll = (deps: Deps): Promise<SealCounts> =>
  eachBatch(deps, (column, rows) =>
    deps.transaction(async (within) => {
      for (const { id, sealed, next } of rows)
        if (next !== null) await column.replace(within.db, id, sealed, next);
    }),
  );

/**
 * Returns the numbers of encrypted values, grouped by the secret that can decrypt the values. The function
 * does not change the encrypted values.
 */
export const countSealed = (deps: Pick<Deps, "db" | "keys" | "randomBytes" | "hooks">): Promise<SealCounts> =>
  eachBatch(deps, () => Promise.resolve());

type ReadRow = Readonly<{ id: number; sealed: string; next: string | null }>;

async function eachBatch(
  deps: Pick<Deps, "db" | "keys" | "randomBytes" | "hooks">,
  change: (column: SealedColumn, rows: readonly ReadRow[]) => Promise<void>,
): Promise<SealCounts> {
  const counts = { current: 0, previous: 0, unreadable: 0 };
  for (const column of deps.hooks.sealedColumns) {
    let rows: readonly SealedRow[] = [];
    let afterId = 0;
    do {
      rows = await column.list(deps.db, afterId, BATCH);
      const read = rows.map(({ id, sealed, subject }) => {
        const value = resealed(deps, column.purpose(subject), sealed);
        counts[value.state] += 1;
        return { id, sealed, next: value.state === "previous" ? value.sealed : null };
      });
      if (read.some(({ next }) => next !== null)) await change(column, read);
      afterId = rows.at(-1)?.id ?? afterId;
    } while (rows.length === BATCH);
  }
  return counts;
}
