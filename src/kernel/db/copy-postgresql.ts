import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import pg from "pg";
import { WITHOUT_TIME_LIMITS } from "./pooler.ts";

const ROWS_AT_ONCE = 500;

/** Lists all tables. Each table comes after the tables to which it refers. */
const TABLES = `
  SELECT c.relname AS name,
         ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
               WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS refers,
         ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
               WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY array_position(i.indkey, a.attnum)) AS key
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname = current_schema() AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname`;

type Table = Readonly<{ name: string; refers: readonly string[]; key: readonly string[] }>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function inOrder(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const done = new Set(ordered.map(({ name }) => name));
    const next = tables.filter(
      ({ name, refers }) => !done.has(name) && refers.every((other) => done.has(other)),
    );
    if (next.length === 0) throw new Error("The tables of the database refer to each other in a circle.");
    ordered.push(...next);
  }
  return ordered;
}

async function connected<Result>(url: string, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const LAST_MIGRATION = `SELECT max("migration_name") AS name FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`;

/**
 * Copies a consistent snapshot of all rows, while other processes write. The copy contains a line with the
 * name of each table, followed by one line of JSON for each row of the table.
 * @returns the name of the newest migration of the copied database.
 */
export const copyPostgresqlOut = (url: string, to: string): Promise<string> =>
  connected(url, async (client) => {
    const out = createWriteStream(to, { mode: 0o600 });
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(WITHOUT_TIME_LIMITS);
    const migration = (await client.query<{ name: string }>(LAST_MIGRATION)).rows[0]?.name ?? "";
    for (const { name, key } of inOrder((await client.query<Table>(TABLES)).rows)) {
      out.write(`${JSON.stringify({ table: name })}\n`);
      const order = key.length === 0 ? "" : `ORDER BY ${key.map(quoted).join(", ")}`;
      await client.query(
        `DECLARE copied CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${quoted(name)} t ${order}`,
      );
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`FETCH ${ROWS_AT_ONCE} FROM copied`);
        if (rows.length === 0) break;
        if (!out.write(`${rows.map(({ row }) => row).join("\n")}\n`)) await once(out, "drain");
      }
      await client.query("CLOSE copied");
    }
    await client.query("COMMIT");
    out.end();
    await once(out, "close");
    return migration;
  });

/**
 * Fills an empty database, which has the same migrations as the copied database, in one transaction.
 * @throws an Error when the database is not empty.
 */
export const copyPostgresqlIn = (from: string, url: string): Promise<void> =>
  connected(url, async (client) => {
    await client.query("BEGIN");
    await client.query(WITHOUT_TIME_LIMITS);
    const tables = (await client.query<Table>(TABLES)).rows;
    for (const { name } of tables) {
      const { rowCount } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
      if (rowCount !== 0)
        throw new Error("The database is not empty. Restore the backup into an empty database.");
    }
    const tableNames = new Set(tables.map(({ name }) => name));
    let table = "";
    let rows: string[] = [];
    const flush = async () => {
      if (rows.length > 0)
        await client.query(
          `INSERT INTO ${quoted(table)} SELECT * FROM json_populate_recordset(NULL::${quoted(table)}, $1::json)`,
          [`[${rows.join(",")}]`],
        );
      rows = [];
    };
    for await (const line of createInterface({
      input: createReadStream(from),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const begun = /^\{"table":"(\w+)"\}$/.exec(line)?.[1];
      if (begun === undefined) rows.push(line);
      if (begun !== undefined || rows.length >= ROWS_AT_ONCE) await flush();
      if (begun === undefined) continue;
      if (!tableNames.has(begun))
        throw new Error(`The backup has a table that this version does not have: ${begun}`);
      table = begun;
    }
    await flush();
    for (const { name, key } of tables)
      if (key.length === 1) await continueNumbers(client, name, key[0] ?? "");
    await client.query("COMMIT");
  });

/** Sets the sequences of ids so that new rows continue after the restored rows. */
async function continueNumbers(client: pg.Client, table: string, column: string): Promise<void> {
  const { rows } = await client.query<{ sequence: string | null }>(
    "SELECT pg_get_serial_sequence($1, $2) AS sequence",
    [quoted(table), column],
  );
  if (rows[0]?.sequence == null) return;
  await client.query(
    `SELECT setval($1, GREATEST((SELECT COALESCE(MAX(${quoted(column)}), 0) FROM ${quoted(table)}), 1))`,
    [rows[0].sequence],
  );
}
