import { randomBytes } from "node:crypto";
import pg from "pg";
import { startPostgres } from "../scripts/postgres.mjs";

let server: ReturnType<typeof startPostgres> | null = null;

/**
 * Creates an empty database on the test server that `npm test` has started, or on a PostgreSQL server that
 * this process starts and that runs until this process ends.
 */
export async function makeDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  server ??= startPostgres();
  const { url } = await server;
  const name = `gatehouse_e2e_${randomBytes(6).toString("hex")}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url("postgres") });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await administer(`create database ${name}`);
  return { url: url(name), drop: () => administer(`drop database ${name} with (force)`) };
}

/** Ends the PostgreSQL server that this process has started, if any. */
export async function stopDatabaseServer(): Promise<void> {
  await (await server)?.stop();
  server = null;
}
