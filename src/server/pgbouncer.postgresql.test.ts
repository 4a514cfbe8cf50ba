import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { diagnose } from "@/cli/commands/doctor.ts";
import { verifyChain } from "@/instance/audit/verification.ts";
import { copyPostgresqlIn, copyPostgresqlOut } from "@/kernel/db/copy-postgresql.ts";
import { migrate, pendingMigrations } from "@/kernel/db/migrate.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { reachPostgresql } from "@/kernel/db/reach-postgresql.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { readiness } from "@/operations/health/readiness.ts";
import { publishFile } from "@/registries/packages/service.ts";
import {
  authorizationQuery,
  codeFor,
  encoded,
  exchangeOf,
  registeredClient,
  requestToken,
  signedInUser,
} from "@/testing/authorization.ts";
import { emptyDatabase, openTestDatabase } from "@/testing/database.ts";
import { openTestDeps, type TestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { PGBOUNCER, startPgbouncer } from "@/testing/pgbouncer.ts";
import { buildProgram } from "@/testing/program.ts";
import { projectOf } from "@/testing/projects.ts";
import { afterThisFile } from "@/testing/release.ts";
import { grantedTokens } from "@/testing/tokens.ts";

/**
 * The pool is smaller than the number of connections that one process opens, so that transactions of several
 * clients share connections.
 */
const POOL_SIZE = 4;

describe("PgBouncer in transaction mode", PGBOUNCER, () => {
  let throughPooler: (url: string) => string;
  let url: string;
  let deps: TestDeps;

  beforeAll(async () => {
    throughPooler = await startPgbouncer(new URL(inject("postgresql").url), POOL_SIZE);
    const { config } = await openTestDatabase();
    if (config.provider !== "postgresql") throw new Error("The test needs PostgreSQL.");
    url = throughPooler(config.url);
    const opened = await openDatabase({ provider: "postgresql", url });
    afterThisFile(opened.close);
    deps = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
    Object.assign(deps, { config: { ...deps.config, database: { provider: "postgresql", url } } });
  });

  it("an instance behind PgBouncer issues, refreshes and uses tokens, publishes a package and records a valid audit trail", async () => {
    const user = await signedInUser(deps, "ann");
    const client = await registeredClient(deps, user.user, { scopes: ["api", "read_user"] });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => grantedTokens(deps, user, client)));
    const refreshed = await Promise.all(
      tokens.map(({ refresh }) =>
        requestToken({
          grant_type: "refresh_token",
          refresh_token: refresh,
          client_id: client.id,
          client_secret: client.secret,
        }),
      ),
    );
    expect(refreshed.map(({ status }) => status)).toEqual(new Array(20).fill(200));
    const project = await projectOf(deps, user.user, "shop");
    const published = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        publishFile(
          deps,
          project,
          user.user,
          { packageName: "tool", version: "1", fileName: `${at}` },
          new Blob([`content ${at}`]).stream(),
        ),
      ),
    );
    expect(published.every((file) => typeof file === "object")).toBe(true);
    expect(await verifyChain(deps)).toMatchObject({ isIntact: true });
    expect(await readiness(deps, undefined, 60_000)).toMatchObject({ status: "ok" });
  });

  it("`gatehouse doctor` warns about an instance behind PgBouncer while the database role has no time limits", async () => {
    const database = (await diagnose(deps.config)).find(({ check }) => check === "database");
    expect(database).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringContaining("has no statement_timeout"),
    });
  });

  it("two simultaneous migrations of an empty database through PgBouncer apply each migration once", async () => {
    const empty = await emptyDatabase();
    if (empty.provider !== "postgresql") throw new Error("The test needs PostgreSQL.");
    const database = { provider: "postgresql" as const, url: throughPooler(empty.url) };
    await reachPostgresql(database.url, {});
    const applied = await Promise.all([migrate(database), migrate(database)]);
    expect(applied.flat().length).toBe(new Set(applied.flat()).size);
    expect(await pendingMigrations(database)).toEqual([]);
    const tokens = await deps.db.oauthToken.count();
    const file = join(temporaryFolder(), "rows");
    await copyPostgresqlOut(url, file);
    await copyPostgresqlIn(file, database.url);
    const { db, close } = await openDatabase(database);
    expect(await db.oauthToken.count().finally(close)).toBe(tokens);
  });

  it("when two processes exchange the same authorization codes through PgBouncer, each code is exchanged only once", async () => {
    const user = await signedInUser(deps, "bob");
    const client = await registeredClient(deps, user.user);
    const codes: string[] = [];
    for (let at = 0; at < 25; at += 1) codes.push(await codeFor(deps, user, authorizationQuery(client)));
    const exchange = await buildProgram("exchange-codes");
    const environment = {
      BASE_URL: "http://localhost:3000",
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: url,
      GATEHOUSE_SECRET: "the secret of the tests, which protects nothing",
      GATEHOUSE_ROOT_PASSWORD: "correct horse battery staple",
      LOG_LEVEL: "silent",
    };
    const forms = codes.map((code) => encoded(exchangeOf(client, code)));
    const input = JSON.stringify({ environment, forms, beginAt: Date.now() + 8_000 });
    const [one, two] = (await Promise.all([exchange(input), exchange(input)])) as [number[], number[]];
    const outcomes = codes.map((_, at) => [one[at] ?? 0, two[at] ?? 0].toSorted((a, b) => a - b));
    expect(outcomes).toEqual(codes.map(() => [200, 400]));
  });
});
