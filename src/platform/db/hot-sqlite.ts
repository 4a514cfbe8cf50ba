import Sqlite from "better-sqlite3";
import { type BearerColumns, bearerQuery, bearerRow } from "./bearer.ts";
import type { HotLookups } from "./db.ts";

/** SQLite's own waiting, which blocks: a reader meets a lock only while another process repairs the log. */
const RECOVERY_MS = 1_000;

/** Times are ISO text here, and booleans numbers. */
type Columns = BearerColumns<string, number>;

/**
 * The hot look-ups on a read-only connection of their own. Each sees whatever any process has committed by then.
 * @param file an existing database. Its tables need to exist only at the first look-up.
 */
export function hotSqlite(file: string): { hot: HotLookups; close: () => void } {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: RECOVERY_MS });
  let bearer: Sqlite.Statement<[string], Columns> | undefined;
  return {
    hot: {
      bearer: (accessDigest) => {
        bearer ??= connection.prepare<[string], Columns>(bearerQuery("?")).raw();
        const columns = bearer.get(accessDigest);
        return columns === undefined ? null : bearerRow(columns, toDate, toBoolean);
      },
    },
    close: () => connection.close(),
  };
}

const toDate = (text: string): Date => new Date(text);
const toBoolean = (value: number): boolean => value === 1;
