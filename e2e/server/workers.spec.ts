import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { conformance } from "../../src/testing/conformance.ts";
import { runs } from "../../src/testing/long.ts";
import { expect, register, test } from "../fixtures.ts";
import { type Instance, type Options, startInstance } from "../instance.ts";
import { signIn } from "../oauth/fixtures.ts";
import { codeFor, codeGrant, type Pair, refreshGrant } from "../oauth/two-processes.ts";
import { stopDatabaseServer } from "../postgresql.ts";

// Each test has a separate instance and spends most of its time waiting.
test.describe.configure({ mode: "parallel" });

test.afterAll(stopDatabaseServer);

const METRICS_TOKEN = "a-token-of-the-operator";

const startWithWorkers = (options: Omit<Options, "env"> = {}): Promise<Instance> =>
  startInstance({ ...options, env: { WEB_CONCURRENCY: "2", METRICS_TOKEN } });

type LogLine = Readonly<Record<string, unknown>>;

const logLines = (instance: Instance): readonly LogLine[] =>
  instance
    .log()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));

/** Returns a map from the number of each worker to the process id of its latest process. */
const workersOf = (instance: Instance): ReadonlyMap<number, number> =>
  new Map(
    logLines(instance)
      .filter(({ event }) => event === "worker.started")
      .map((line) => [Number(line["worker"]), Number(line["process_id"])]),
  );

/** Returns the process ids of the running workers. */
const runningWorkers = (instance: Instance): readonly number[] =>
  [...workersOf(instance).values()].filter((id) => {
    const state = spawnSync("ps", ["-o", "stat=", "-p", String(id)], { encoding: "utf8" }).stdout.trim();
    return state !== "" && !state.startsWith("Z");
  });

type ReceivedResponse = Readonly<{ status: number; body: string; worker: number }>;

/** Sends requests over one connection, which one worker serves. */
type Connection = Readonly<{
  send: (
    path: string,
    init?: Readonly<{ headers?: Record<string, string>; form?: object }>,
  ) => Promise<ReceivedResponse>;
  close: () => void;
}>;

function connect(instance: Instance): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: async (path, { headers = {}, form } = {}) => {
      const body = form === undefined ? "" : String(new URLSearchParams({ ...form }));
      const id = randomUUID();
      const request = httpRequest(instance.baseUrl + path, {
        agent,
        method: form === undefined ? "GET" : "POST",
        headers: {
          "x-request-id": id,
          ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
      });
      const [answer] = (await once(request.end(body), "response")) as [IncomingMessage];
      const received = await text(answer);
      const isOwn = ({ event, request_id }: LogLine) => event === "http.request" && request_id === id;
      await expect.poll(() => logLines(instance).some(isOwn)).toBe(true);
      const worker = Number(logLines(instance).find(isOwn)?.["worker"]);
      return { status: answer.statusCode ?? 0, body: received, worker };
    },
    close: () => agent.destroy(),
  };
}

/** Opens a connection to each of the two workers. */
async function connectToBoth(instance: Instance): Promise<readonly [Connection, Connection]> {
  const byWorker = new Map<number, Connection>();
  while (byWorker.size < 2) {
    const connection = connect(instance);
    const { worker } = await connection.send("/-/health");
    if (byWorker.has(worker)) connection.close();
    else byWorker.set(worker, connection);
  }
  const [first, second] = byWorker.values();
  if (first === undefined || second === undefined) throw new Error("There are no two workers.");
  return [first, second];
}

async function readMetrics(instance: Instance): Promise<string> {
  const response = await fetch(`${instance.baseUrl}/-/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return response.text();
}

async function newToken(instance: Instance): Promise<string> {
  const { stdout } = await instance.cli("token", "create", ..."--user root --scopes api --name w".split(" "));
  return stdout.trim();
}

test("two workers serve requests, their metrics are added up, and the readiness probe fails until both workers have started", async () => {
  const instance = await startWithWorkers();
  expect([...workersOf(instance).keys()]).toEqual([1, 2]);
  for (const connection of await connectToBoth(instance)) {
    const readiness = async () => {
      const { status, body } = await connection.send("/-/readiness");
      return [status, JSON.parse(body)];
    };
    await expect.poll(readiness).toMatchObject([200, { checks: { workers: "ok" } }]);
    expect((await connection.send("/help/connect")).status).toBe(200);
    connection.close();
  }
  // Each worker has received one request to /help/connect. A worker or a gauge that does not respond in time is missing
  // from the metrics.
  for (const sample of [
    'http_request_duration_seconds_count\\{route="pages",method="GET",status="200"\\} 2',
    'workers\\{state="configured"\\} 2',
    'workers\\{state="ready"\\} 2',
    "worker_restarts_total 0",
    'deliveries_waiting\\{kind="mail"\\} 0',
    'disk_free_bytes\\{disk="data"\\} \\d+',
  ]) {
    const matches = async () =>
      (await readMetrics(instance)).match(new RegExp(`^gatehouse_${sample}$`, "gm")) ?? [];
    await expect.poll(matches, sample).toHaveLength(1);
  }
  const announced = instance.log().match(/^Gatehouse is listening on/gm);
  expect(announced).toHaveLength(1);
  await instance.stop();
});

test("the counters of a killed worker remain in the metrics, and the metrics count the restart", async () => {
  const instance = await startWithWorkers();
  const [first, second] = await connectToBoth(instance);
  const { worker } = await first.send("/help/connect");
  const requests = async () =>
    /^gatehouse_http_request_duration_seconds_count\{route="pages",.*\} (\d+)$/m.exec(
      await readMetrics(instance),
    )?.[1];
  await expect.poll(requests).toBe("1");
  const killed = workersOf(instance).get(worker) ?? 0;
  process.kill(killed, "SIGKILL");
  await expect.poll(() => workersOf(instance).get(worker)).not.toBe(killed);
  await expect.poll(() => readMetrics(instance)).toMatch(/^gatehouse_workers\{state="ready"\} 2$/m);
  await expect.poll(requests).toBe("1");
  await expect.poll(() => readMetrics(instance)).toMatch(/^gatehouse_worker_restarts_total 1$/m);
  first.close();
  second.close();
  await instance.stop();
});

test("a killed worker is replaced while the other worker continues to serve requests", async () => {
  const instance = await startWithWorkers();
  const [first, second] = await connectToBoth(instance);
  const { worker } = await first.send("/-/health");
  const killed = workersOf(instance).get(worker) ?? 0;
  process.kill(killed, "SIGKILL");
  for (let request = 0; request < 20; request++) expect((await second.send("/-/liveness")).status).toBe(200);
  await expect.poll(() => workersOf(instance).get(worker)).not.toBe(killed);
  const replaced = await connectToBoth(instance);
  for (const connection of [second, ...replaced]) {
    expect((await connection.send("/api/v4/projects")).status).toBe(200);
    connection.close();
  }
  expect(logLines(instance)).toContainEqual(
    expect.objectContaining({ level: 50, event: "worker.ended", worker, signal: "SIGKILL" }),
  );
  first.close();
  expect(await instance.kill("SIGTERM")).toBe(0);
  await instance.stop();
});

test("a worker that ends repeatedly is replaced after growing delays", async () => {
  const instance = await startWithWorkers();
  for (let deaths = 1; deaths <= 4; deaths++) {
    const worker = workersOf(instance).get(1) ?? 0;
    process.kill(worker, "SIGKILL");
    await expect.poll(() => workersOf(instance).get(1)).not.toBe(worker);
  }
  const pauses = logLines(instance)
    .filter(({ event }) => event === "worker.ended")
    .map((line) => Number(line["replaced_after_ms"]));
  // The delay before the first replacement of a worker is 0. The delay before the second replacement of a
  // worker may also be 0, because the exit of a worker that ran for a long time does not count as a failed
  // start.
  expect(pauses[0]).toBe(0);
  expect(pauses[2]).toBeGreaterThanOrEqual(500);
  expect(pauses[3]).toBe(2 * (pauses[2] ?? 0));
  expect((await fetch(`${instance.baseUrl}/-/health`)).status).toBe(200);
  await instance.stop();
});

test("a revocation, a setting, a feature flag and a rate limit apply to the next request at each worker", async () => {
  const instance = await startWithWorkers();
  const both = await connectToBoth(instance);
  const [first, second] = both;
  await instance.cli("setting", "set", "limit_oauth_refused", "4");
  const refused = { form: { grant_type: "refresh_token", refresh_token: "x", client_id: "another" } };
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt++)
    statuses.push((await (attempt % 2 === 0 ? first : second).send("/oauth/token", refused)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  await instance.cli("setting", "set", "limit_oauth_refused", "0");

  const token = await newToken(instance);
  const statusesOf = (path: string) =>
    Promise.all(
      both.map(async ({ send }) => (await send(path, { headers: { "private-token": token } })).status),
    );
  expect(await statusesOf("/api/v4/user")).toEqual([200, 200]);

  const put = (path: string) =>
    fetch(instance.baseUrl + path, { method: "PUT", headers: { "private-token": token } });
  expect((await put("/api/v4/application/settings?reported_version=17.1.0")).status).toBe(200);
  for (const { send } of both)
    expect((await send("/api/v4/version", { headers: { "private-token": token } })).body).toContain("17.1.0");

  const device = { form: { client_id: "unknown", scope: "api" } };
  const deviceAnswers = () =>
    Promise.all(both.map(async ({ send }) => (await send("/oauth/authorize_device", device)).body));
  const [before] = await deviceAnswers();
  await instance.cli("feature", "enable", "oauth2_device_grant_flow");
  const after = await deviceAnswers();
  expect(after[0]).not.toBe(before);
  expect(after[1]).toBe(after[0]);

  const removed = await fetch(`${instance.baseUrl}/api/v4/personal_access_tokens/self`, {
    method: "DELETE",
    headers: { "private-token": token },
  });
  expect(removed.status).toBe(204);
  expect(await statusesOf("/api/v4/user")).toEqual([401, 401]);

  for (const connection of both) connection.close();
  await instance.stop();
});

/** Sends the headers of a token request. The promise resolves when the worker waits for the request body. */
async function beginRequest(instance: Instance) {
  const body = "grant_type=refresh_token&refresh_token=x&client_id=x";
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
    expect: "100-continue",
  };
  const request = httpRequest(`${instance.baseUrl}/oauth/token`, { agent: false, method: "POST", headers });
  const answered = once(request, "response").then(([answer]) => (answer as IncomingMessage).statusCode);
  answered.catch(() => undefined);
  request.flushHeaders();
  await once(request, "continue");
  return { answered, finish: () => request.end(body) };
}

const beginRequests = (instance: Instance) =>
  Promise.all(Array.from({ length: 4 }, () => beginRequest(instance)));

test("after SIGTERM, the workers finish their open requests, and the process ends with status 0", async () => {
  const instance = await startWithWorkers();
  const open = await beginRequests(instance);
  const ended = instance.kill("SIGTERM");
  // The primary process and both workers have received the signal.
  const stopping = () => logLines(instance).filter(({ event }) => event === "server.stopping");
  await expect.poll(stopping, { intervals: [50] }).toHaveLength(3);
  for (const { finish } of open) finish();
  expect(await Promise.all(open.map(({ answered }) => answered))).toEqual([401, 401, 401, 401]);
  expect(await ended).toBe(0);
  expect(runningWorkers(instance)).toEqual([]);
  await instance.stop();
});

for (const workers of ["1", "2"])
  test(`a second SIGINT immediately ends a server with ${workers} worker process(es)`, async () => {
    const instance = await startInstance({ env: { WEB_CONCURRENCY: workers } });
    const open = await beginRequests(instance);
    const ended = instance.kill("SIGINT");
    await expect.poll(() => instance.log(), { intervals: [10] }).toContain("server.stopping");
    // The server ignores a second signal within one second.
    await pause(1_200);
    process.kill(instance.processId(), "SIGINT");
    // Without the second signal, the server would abort the open requests after four seconds, and would then end with
    // status 0.
    expect(await ended).toBe(1);
    for (const { answered } of open) await expect(answered).rejects.toThrow();
    expect(runningWorkers(instance)).toEqual([]);
    await instance.stop();
  });

test("a second server with workers on the same port exits with an error message", async () => {
  const instance = await startInstance();
  const { code, stderr } = await instance.program("serve", "--workers", "2");
  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${new URL(instance.baseUrl).port} on 127.0.0.1 is already in use.`);
  expect(stderr).not.toContain("    at ");
  await instance.stop();
});

const CHAINS = runs({ short: 16, long: 24 });
const KILLS = runs({ short: 2, long: 6 });

for (const database of ["sqlite", "postgresql"] as const)
  test(
    conformance(
      "LF-08",
      `if a worker is killed during simultaneous commits, every token rotation whose response reached a client stays stored (${database})`,
    ),
    async ({ page }) => {
      const instance = await startWithWorkers({ database });
      await instance.cli("setting", "set", "refresh_retry_window", "600");
      const about = ["--redirect-uri", "https://client.example/callback", "--scopes", "read_user"];
      const client = await register(instance, "--name", "Storm", ...about, "--owner", "root", "--trusted");
      await page.goto(`${instance.baseUrl}/`);
      await signIn(page, instance);
      await page.getByRole("heading", { name: /^Gatehouse at/ }).waitFor();

      const send = async (form: object): Promise<Pair> => {
        const { client_id, client_secret = "" } = client;
        // Each request uses a new connection, so that the token refreshes reach both workers until one worker
        // is killed.
        const answer = await fetch(`${instance.baseUrl}/oauth/token`, {
          method: "POST",
          headers: { connection: "close" },
          body: new URLSearchParams({ ...form, client_id, client_secret }),
        });
        if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
        return answer.json();
      };
      const chains: Pair[] = [];
      while (chains.length < CHAINS)
        chains.push(await send(codeGrant(await codeFor(page, instance, client))));

      let rotations = 0;
      let interrupted = 0;
      const refused: unknown[] = [];
      let isEnding = false;
      const storm = chains.map(async (_, index) => {
        while (!isEnding)
          try {
            chains[index] = await send(refreshGrant(chains[index]?.refresh_token ?? ""));
            rotations += 1;
          } catch (cause) {
            // `fetch` rejects with a TypeError when a connection ends.
            if (cause instanceof TypeError) interrupted += 1;
            else refused.push(cause);
          }
      });
      for (let kill = 1; kill <= KILLS; kill++) {
        const target = rotations + 60;
        await expect.poll(() => rotations, { intervals: [5] }).toBeGreaterThan(target);
        const worker = workersOf(instance).get(1 + (kill % 2)) ?? 0;
        process.kill(worker, "SIGKILL");
        await expect.poll(() => workersOf(instance).get(1 + (kill % 2))).not.toBe(worker);
      }
      isEnding = true;
      await Promise.all(storm);
      expect(refused).toEqual([]);
      expect(interrupted).toBeGreaterThan(0);
      // On a busy machine, the replacements of both workers may still be starting.
      const isServing = () =>
        fetch(`${instance.baseUrl}/-/liveness`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isServing).toBe(true);

      // The server accepts a refresh token that a client received only if the rotation that created the token
      // was stored.
      for (const { refresh_token } of chains) {
        const { access_token } = await send(refreshGrant(refresh_token));
        const answer = await fetch(`${instance.baseUrl}/api/v4/user`, {
          headers: { authorization: `Bearer ${access_token}` },
        });
        expect(answer.status).toBe(200);
      }
      await instance.stop();
    },
  );
