import { randomUUID } from "node:crypto";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "@/kernel/db/migrate.ts";
import { startPostgres } from "../../scripts/postgres.mjs";

/**
 * Starts a PostgreSQL server, or uses the server at `GATEHOUSE_TEST_PG_URL`, and migrates a template
 * database, which each test file copies.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const url = server.url("postgres");
  const template = `gatehouse_template_${randomUUID().replaceAll("-", "")}`;
  // Scripts that tests start use the same PostgreSQL server.
  process.env["GATEHOUSE_TEST_PG_URL"] = url;
  await administer(url, `CREATE DATABASE "${template}"`);
  await migrate({ provider: "postgresql", url: server.url(template) });
  project.provide("postgresql", { url, template });
  return async () => {
    await administer(url, `DROP DATABASE "${template}" WITH (FORCE)`);
    await server.stop();
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
