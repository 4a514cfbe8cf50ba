import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";
import { makeDatabase, stopDatabaseServer } from "../postgresql.ts";
import { startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";

// Each test has a separate instance and spends most of its time waiting.
test.describe.configure({ mode: "parallel" });

test.afterAll(stopDatabaseServer);

type Faulty = Readonly<{
  instance: Instance;
  proxy: TcpProxy;
  token: string;
  /** Runs SQL statements as the owner of the database. */
  administer: (statements: string) => Promise<void>;
}>;

/** An instance that connects to PostgreSQL through a proxy. */
async function withFaulty(run: (faulty: Faulty) => Promise<void>): Promise<void> {
  const database = await makeDatabase();
  const url = new URL(database.url);
  const proxy = await startTcpProxy(url);
  const DATABASE_URL = database.url.replace(url.host, `127.0.0.1:${proxy.port}`);
  const instance = await startInstance({ env: { DATABASE_URL, GATEHOUSE_SECRET: "x".repeat(32) } });
  const created = await instance.cli(
    "token",
    "create",
    "--user",
    "root",
    "--scopes",
    "api",
    "--name",
    "faults",
  );
  const token = created.stdout.trim();
  try {
    await run({ instance, proxy, token, administer: (statements) => administer(database.url, statements) });
  } finally {
    proxy.heal();
    await instance.stop();
    proxy.close();
    await database.drop();
  }
}

async function administer(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "administrator" });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

type Probe = Readonly<{ path: string; status: number; init?: RequestInit }>;

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** One request for each kind of database access, with the status that is expected while there is no fault. */
const probesOf = (token: string): readonly Probe[] => [
  {
    path: "/oauth/token/info",
    status: 401,
    init: { headers: { authorization: `Bearer ghat_${"x".repeat(40)}` } },
  },
  {
    path: "/oauth/token",
    status: 400,
    init: {
      method: "POST",
      headers: FORM,
      body: "grant_type=urn:example:unknown&client_id=x&client_secret=y",
    },
  },
  {
    path: "/oauth/token",
    status: 401,
    init: { method: "POST", headers: FORM, body: "grant_type=refresh_token&refresh_token=x&client_id=x" },
  },
  { path: "/oauth/authorize?response_type=code&client_id=x&redirect_uri=https://a.example/", status: 400 },
  { path: "/api/v4/user", status: 200, init: { headers: { "private-token": token } } },
  { path: "/api/v4/projects", status: 200 },
  { path: "/projects", status: 200 },
  { path: "/nobody/nothing", status: 404 },
];

const send = ({ instance }: Faulty, { path, init }: Probe): Promise<Response> =>
  fetch(instance.baseUrl + path, { ...init, redirect: "manual", signal: AbortSignal.timeout(60_000) });

const statuses = (faulty: Faulty): Promise<readonly number[]> =>
  Promise.all(probesOf(faulty.token).map(async (probe) => (await send(faulty, probe)).status));

/** The log lines that are neither JSON nor messages of the server start. */
const strayLines = ({ instance }: Faulty): readonly string[] =>
  instance
    .log()
    .split("\n")
    .filter(
      (line) =>
        line !== "" &&
        !line.startsWith("{") &&
        !/^(?:Gatehouse is listening|Sign in as)|Running next\.config/.test(line),
    );

test(
  conformance(
    "SC-38",
    "requests get 503 during a network partition, and succeed soon after the partition ends",
  ),
  () =>
    withFaulty(async (faulty) => {
      const well = probesOf(faulty.token).map(({ status }) => status);
      expect(await statuses(faulty)).toEqual(well);
      faulty.proxy.partition();
      const endsAt = Date.now() + 12_000;
      const during: number[] = [];
      const storm = probesOf(faulty.token).flatMap((probe) =>
        Array.from({ length: 3 }, async () => {
          while (Date.now() < endsAt) {
            const response = await send(faulty, probe);
            during.push(response.status);
            if (response.status === 503)
              expect(response.headers.get("retry-after"), probe.path).toMatch(/^\d+$/);
            await response.arrayBuffer();
          }
        }),
      );
      const ended = Promise.all(storm);
      ended.catch(() => undefined);
      await pause(12_000);
      faulty.proxy.heal();
      let attempts = 0;
      const nextStatuses = () => {
        attempts += 1;
        return statuses(faulty);
      };
      await expect.poll(nextStatuses, { intervals: [100] }).toEqual(well);
      expect(attempts).toBeLessThan(50);
      await ended;
      expect(new Set(during)).toContain(503);
      expect(during).not.toContain(500);
      expect(strayLines(faulty)).toEqual([]);
      expect(await faulty.instance.kill("SIGTERM")).toBe(0);
    }),
);

test(
  conformance(
    "SC-38",
    "during a network partition, the administration page names the failed checks of the readiness probe",
  ),
  () =>
    withFaulty(async (faulty) => {
      const { baseUrl, rootPassword, env, dataDir } = faulty.instance;
      const credentials = new URLSearchParams({ login: "root", password: rootPassword });
      const signedIn = await send(faulty, {
        path: "/users/session",
        status: 303,
        init: { method: "POST", headers: FORM, body: credentials.toString() },
      });
      const cookie = signedIn.headers.getSetCookie().map((set) => set.split(";", 1)[0]);
      const overview = { path: "/admin", status: 200, init: { headers: { cookie: cookie.join("; ") } } };
      const shown = async () => {
        const response = await send(faulty, overview);
        return [response.status, (await response.text()).includes("readiness check")];
      };
      // On a busy machine, a check may exceed its time limit.
      await expect.poll(shown).toEqual([200, false]);

      faulty.proxy.partition();
      for (const probe of [overview, { path: "/users/sign_in", status: 200 }]) {
        const refused = await send(faulty, probe);
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
        const html = await refused.text();
        const readiness = await fetch(`${baseUrl}/-/readiness`);
        const { checks }: { checks: Record<string, string> } = await readiness.json();
        expect(checks).toMatchObject({ database: "failing", migrations: "failing" });
        for (const name of ["database", "migrations"]) expect(html).toContain(`<code>${name}</code>: `);
        for (const detail of [new URL(env["DATABASE_URL"] ?? "").host, dataDir])
          expect(html).not.toContain(detail);
      }

      faulty.proxy.heal();
      await expect.poll(shown).toEqual([200, false]);
    }),
);

const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Asserts that requests during a database fault succeed, or get 503 with Retry-After. */
async function expectNoOtherAnswer(faulty: Faulty, probes: readonly Probe[]): Promise<readonly number[]> {
  return Promise.all(
    probes.map(async (probe) => {
      const response = await send(faulty, probe);
      expect([probe.status, 503], `${probe.init?.method ?? "GET"} ${probe.path}`).toContain(response.status);
      if (response.status === 503) {
        expect(response.headers.get("retry-after"), probe.path).toMatch(/^\d+$/);
        const text = await response.text();
        if (response.headers.get("content-type")?.startsWith("text/html"))
          expect(text, probe.path).toContain(String(response.headers.get("x-request-id")));
      }
      return response.status;
    }),
  );
}

test(conformance("SC-39", "requests succeed or get 503 while PostgreSQL backends are terminated"), () =>
  withFaulty(async (faulty) => {
    const probes = probesOf(faulty.token);
    const endsAt = Date.now() + 4_000;
    const storm = (async () => {
      while (Date.now() < endsAt) await expectNoOtherAnswer(faulty, probes);
    })();
    while (Date.now() < endsAt) {
      await faulty.administer(TERMINATE);
      await pause(50);
    }
    await storm;
    // The server notices the end of its idle connections a little later.
    await expect.poll(() => statuses(faulty)).toEqual(probes.map(({ status }) => status));
    expect(strayLines(faulty)).toEqual([]);
  }),
);

test(
  conformance(
    "SC-39",
    "requests get 503 if they read a locked table, or write to a read-only or full database",
  ),
  () =>
    withFaulty(async (faulty) => {
      const probes = probesOf(faulty.token);
      const locked = ["User", "Application", "OauthToken", "Project", "Group"];
      const holder = faulty.administer(
        `BEGIN; LOCK TABLE ${locked.map((name) => `"${name}"`).join(", ")}; SELECT pg_sleep(20); ROLLBACK`,
      );
      await pause(2_000);
      expect(await expectNoOtherAnswer(faulty, probes)).toContain(503);
      await holder;
      expect(await statuses(faulty)).toEqual(probes.map(({ status }) => status));

      const name = new URL(faulty.instance.env["DATABASE_URL"] ?? "").pathname.slice(1);
      const headers = { "private-token": faulty.token, "content-type": "application/json" };
      const writes: readonly Probe[] = [
        {
          path: "/api/v4/groups",
          status: 201,
          init: { method: "POST", headers, body: '{"name":"a","path":"a"}' },
        },
        {
          path: "/users/session",
          status: 303,
          init: {
            method: "POST",
            headers: FORM,
            body: new URLSearchParams({ login: "root", password: faulty.instance.rootPassword }).toString(),
          },
        },
      ];
      // The setting applies to connections that begin after the statement is committed.
      await faulty.administer(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
      await faulty.administer(TERMINATE);
      await expect.poll(() => expectNoOtherAnswer(faulty, writes)).toEqual([503, 503]);
      await faulty.administer(
        `SET TRANSACTION READ WRITE; ALTER DATABASE "${name}" RESET default_transaction_read_only`,
      );
      await faulty.administer(TERMINATE);

      await faulty.administer(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
      END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON "Group" FOR EACH ROW EXECUTE FUNCTION full_disk();
      CREATE TRIGGER full_disk BEFORE INSERT ON "Session" FOR EACH ROW EXECUTE FUNCTION full_disk();`);
      await expect.poll(() => expectNoOtherAnswer(faulty, writes)).toEqual([503, 503]);
      await faulty.administer('DROP TRIGGER full_disk ON "Group"; DROP TRIGGER full_disk ON "Session"');
      expect(await expectNoOtherAnswer(faulty, writes)).toEqual([201, 303]);

      const failed = faulty.instance
        .log()
        .split("\n")
        .filter((line) => line.includes(".failed"));
      expect(failed.length).toBeGreaterThan(0);
      for (const line of failed)
        expect(JSON.parse(line)).toMatchObject({
          request_id: expect.any(String),
          reason: expect.any(String),
        });
      expect(strayLines(faulty)).toEqual([]);
    }),
);
