import pg from "pg";
import { type BearerColumns, bearerQuery, bearerRow } from "./bearer.ts";
import type { HotLookups } from "./db.ts";

/** Few connections answer thousands of look-ups a second, and none is ever held over a transaction. */
const CONNECTIONS_MAX = 4;

const BEARER = bearerQuery("$1");

/** `timestamp without time zone` holds UTC here; the driver would read it in the zone of this machine. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.TIMESTAMP && format !== "binary" ? toDate : pg.types.getTypeParser(oid, format),
};

/**
 * The hot look-ups as named prepared statements, on a small pool of their own: transactions that wait for a
 * look-up can then never hold all the connections that the look-up needs.
 */
export function hotPostgresql(options: pg.PoolConfig): { hot: HotLookups; close: () => Promise<void> } {
  const pool = new pg.Pool({ ...options, max: CONNECTIONS_MAX });
  // An idle connection that breaks is replaced; without a listener, its error would end the process.
  pool.on("error", () => undefined);
  return {
    hot: {
      bearer: async (accessDigest) => {
        const { rows } = await pool.query<BearerColumns<Date, boolean>>({
          name: "bearer",
          text: BEARER,
          values: [accessDigest],
          rowMode: "array",
          types,
        });
        return rows[0] === undefined ? null : bearerRow(rows[0], asItIs, asItIs);
      },
    },
    close: () => pool.end(),
  };
}

const toDate = (text: string): Date => new Date(`${text.replace(" ", "T")}Z`);
const asItIs = <Value>(value: Value): Value => value;
