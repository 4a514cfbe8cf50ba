import pg from "pg";

/** Raised when the user of the database may not create a database. The message is a sentence for the operator. */
export class ScratchDatabaseRefused extends Error {}

const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Runs a function with a new empty database on the server of `url`, and deletes the database afterwards.
 * @param name the name of the new database: lower-case letters, digits and `_`.
 * @throws ScratchDatabaseRefused when the user of the database may not create databases.
 */
export async function withScratchDatabase<Result>(
  url: string,
  name: string,
  run: (url: string) => Promise<Result>,
): Promise<Result> {
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  await execute(url, `CREATE DATABASE "${name}" TEMPLATE template0`).catch((cause) => {
    if (cause instanceof Error && "code" in cause && cause.code === INSUFFICIENT_PRIVILEGE)
      throw new ScratchDatabaseRefused(
        "The user of DATABASE_URL may not create a database for the verification. Run ALTER ROLE … CREATEDB, or restore the backup on another server.",
      );
    throw cause;
  });
  try {
    return await run(scratch.href);
  } finally {
    await execute(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
