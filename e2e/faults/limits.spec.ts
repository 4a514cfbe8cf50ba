import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, type Options, startInstance } from "../instance.ts";
import { register } from "../oauth/fixtures.ts";
import { createClockShift } from "./clock-shift.ts";
import { everyOperation } from "./every-operation.ts";

// The test spends most of its time waiting for the time limit of silent connections.
test.describe.configure({ mode: "parallel" });

async function withInstance(options: Options, run: (instance: Instance) => Promise<void>): Promise<void> {
  const instance = await startInstance(options);
  try {
    await run(instance);
  } finally {
    await instance.stop();
  }
}

const ANSWERED_WITHIN_MS = 120_000;

const sendRequest = (instance: Instance, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(instance.baseUrl + path, {
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    ...init,
  });

const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

/** Returns the statuses of valid and invalid requests of each kind: a probe, pages, the API, OAuth. */
async function mixedStatuses(instance: Instance, token: string): Promise<readonly number[]> {
  const headers = { "private-token": token };
  const json = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
  const responses = await Promise.all([
    sendRequest(instance, "/-/health"),
    sendRequest(instance, "/help/connect"),
    sendRequest(instance, "/nothing/here"),
    sendRequest(instance, "/api/v4/user", { headers }),
    sendRequest(instance, "/api/v4/projects?per_page=100", { headers }),
    sendRequest(instance, "/api/v4/user"),
    sendRequest(instance, "/api/v4/groups", { ...json, body: JSON.stringify({ name: "x".repeat(100_000) }) }),
    sendRequest(instance, "/oauth/token", form({ grant_type: "refresh_token", refresh_token: "x" })),
    sendRequest(instance, "/oauth/authorize?client_id=x&response_type=code"),
    sendRequest(instance, "/.well-known/openid-configuration"),
  ]);
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return responses.map(({ status }) => status);
}

const MIXED = [200, 200, 404, 200, 200, 401, 400, 400, 400, 200];

async function newToken(instance: Instance): Promise<string> {
  const about = ["--user", "root", "--scopes", "api", "--name", "limits"];
  const { stdout } = await instance.cli("token", "create", ...about);
  return stdout.trim();
}

test(
  conformance(
    "SC-45",
    "a server serves requests and ends on SIGTERM even if no process reads its log output",
  ),
  () =>
    withInstance({ standardOutput: "unread" }, async (instance) => {
      // The log lines of the requests in this loop would fill the pipe several times.
      for (let round = 0; round < 40; round++) {
        const responses = await Promise.all(
          Array.from({ length: 50 }, () => sendRequest(instance, "/-/health")),
        );
        for (const response of responses) expect([response.status, await response.text()]).toEqual([200, OK]);
      }
      expect(await mixedStatuses(instance, await newToken(instance))).toEqual(MIXED);
      expect(await instance.kill("SIGTERM")).toBe(0);
    }),
);

const OK = JSON.stringify({ status: "ok" });
const MINUTE_MS = 60_000;
const MONTH_MS = 31 * 24 * 60 * MINUTE_MS;

test(
  conformance(
    "SC-45",
    "the server responds after the system clock jumps, and tokens expire according to the new time",
  ),
  async () => {
    const clock = await createClockShift();
    await withInstance({ env: clock.env }, async (instance) => {
      const personal = await newToken(instance);
      const login = { login: "ann", password: "ocean-lantern-57" };
      const about = ["--username", login.login, "--password", login.password, "--email", "ann@a.example"];
      await instance.cli("user", "create", ...about);
      const redirect_uri = "https://client.example/callback";
      const { client_id, client_secret = "" } = await register(
        instance,
        ...["--name", "Clocks", "--redirect-uri", redirect_uri, "--scopes", "read_user", "--owner", "root"],
        "--trusted",
      );
      const grant = (fields: Readonly<Record<string, string>>): Promise<Response> =>
        sendRequest(instance, "/oauth/token", form({ client_id, client_secret, ...fields }));
      const newPair = async () => {
        const signedIn = await sendRequest(instance, "/users/session", form(login));
        const cookie = signedIn.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
        const query = new URLSearchParams({
          client_id,
          redirect_uri,
          response_type: "code",
          scope: "read_user",
        });
        const headers = { cookie: cookie.join("; ") };
        const allowed = await sendRequest(instance, `/oauth/authorize?${query}`, { headers });
        const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
        const response = await grant({ grant_type: "authorization_code", code, redirect_uri });
        expect(response.status).toBe(200);
        return (await response.json()) as { access_token: string; refresh_token: string };
      };
      const userStatus = async (access_token: string): Promise<number> =>
        (
          await sendRequest(instance, "/api/v4/user", {
            headers: { authorization: `Bearer ${access_token}` },
          })
        ).status;
      const first = await newPair();
      let latest = await newPair();
      for (const [shift, firstStatus] of [
        [0, 200],
        [5 * MINUTE_MS, 200],
        [-5 * MINUTE_MS, 200],
        [MONTH_MS, 401],
        [0, 200],
        [-MONTH_MS, 200],
        [0, 200],
      ] as const) {
        await clock.set(instance.processId(), shift);
        expect(await mixedStatuses(instance, personal), `after a shift of ${shift}`).toEqual(MIXED);
        expect(await userStatus(first.access_token), `after a shift of ${shift}`).toBe(firstStatus);
        const pair = await newPair();
        expect(await userStatus(pair.access_token)).toBe(200);
        const { refresh_token } = latest;
        const refreshed = await grant({ grant_type: "refresh_token", refresh_token });
        expect(refreshed.status, `a refresh after a shift of ${shift}`).toBe(200);
        latest = pair;
      }
      expect(instance.log()).not.toContain('"level":50');
      expect(await instance.kill("SIGTERM")).toBe(0);
    });
    await clock.remove();
  },
);

/**
 * The number of file descriptors that this process may open. The test process needs some of these descriptors
 * for other purposes.
 */
function openFilesMax(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return Number(limit ?? 1_024);
}

/** Opens connections, and sends nothing or only the beginning of a request over each connection. */
async function openSilent(instance: Instance, count: number, beginning = ""): Promise<readonly Socket[]> {
  const { port } = new URL(instance.baseUrl);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(200, count - sockets.length) }, () => {
      const socket = connect(Number(port), "127.0.0.1");
      // A connection that the server closes may fail with a reset.
      socket.on("error", () => undefined).resume();
      if (beginning !== "") socket.write(beginning);
      return socket;
    });
    await Promise.all(batch.map((socket) => once(socket, "connect")));
    sockets.push(...batch);
  }
  return sockets;
}

/** Returns whether a request on a new connection gets a response. */
async function isAccepted(instance: Instance): Promise<boolean> {
  const outgoing = get(`${instance.baseUrl}/-/liveness`, { agent: false, timeout: 2_000 });
  outgoing.on("timeout", () => outgoing.destroy());
  const [response] = (await once(outgoing, "response").catch(() => [null])) as [IncomingMessage | null];
  response?.resume();
  return response !== null;
}

const SILENT_MAX = 10_000;
/**
 * The server checks every 5 s and closes connections that are silent for 15 s; a busy machine takes longer.
 */
const SILENT_ENDED_WITHIN_MS = 120_000;

test(
  conformance(
    "SC-45",
    "the server responds to requests despite thousands of silent connections, and closes these connections",
  ),
  () =>
    withInstance({}, async (instance) => {
      const token = await newToken(instance);
      const count = Math.min(SILENT_MAX, openFilesMax() - 500);
      const sockets = [
        ...(await openSilent(instance, count / 2)),
        ...(await openSilent(instance, count / 2, "GET / HTTP/1.1\r\n")),
      ];
      const openedAt = performance.now();
      const open = () => sockets.filter((socket) => !socket.closed).length;
      while (open() > 0 && performance.now() - openedAt < SILENT_ENDED_WITHIN_MS) {
        expect(await mixedStatuses(instance, token)).toEqual(MIXED);
        await pause(1_000);
      }
      expect(open()).toBe(0);
      expect(performance.now() - openedAt).toBeGreaterThan(5_000);
    }),
);

test(
  conformance("SC-45", "a server that ran out of file descriptors recovers when connections are closed"),
  () =>
    withInstance({ openFilesMax: 128 }, async (instance) => {
      const token = await newToken(instance);
      expect(readFileSync(`/proc/${instance.processId()}/limits`, "utf8")).toMatch(/^Max open files +128 /m);
      expect(await mixedStatuses(instance, token)).toEqual(MIXED);
      for (let round = 0; round < 3; round++) {
        const sockets = await openSilent(instance, 300);
        expect(await isAccepted(instance)).toBe(false);
        for (const socket of sockets) socket.destroy();
        await expect
          .poll(() => mixedStatuses(instance, token).catch(() => null), { intervals: [100] })
          .toEqual(MIXED);
      }
      expect(await instance.kill("SIGTERM")).toBe(0);
    }),
);

/** Returns the number of live bytes in the heap of the server after a garbage collection. */
async function liveBytes(instance: Instance, heapFile: string): Promise<number> {
  const file = `${heapFile}.${instance.processId()}`;
  await rm(file, { force: true });
  process.kill(instance.processId(), "SIGUSR2");
  const read = () => Number(existsSync(file) ? readFileSync(file, "utf8") : 0);
  await expect.poll(read).toBeGreaterThan(0);
  return read();
}

/**
 * Sends requests of several kinds. The requests are unique, so that a cache without a limit grows with each
 * request.
 */
async function sendUnique(instance: Instance, number: number): Promise<void> {
  const name = `n${number.toString(36)}`;
  const secret = createHash("sha256").update(name).digest("hex");
  const bearer = { authorization: `Bearer ghat_${secret.slice(0, 40)}` };
  const basic = { authorization: `Basic ${btoa(`${name}:${secret}`)}` };
  const responses = await Promise.all([
    sendRequest(instance, `/${name}/${secret}`),
    sendRequest(instance, `/projects?search=${name}`),
    sendRequest(instance, `/api/v4/projects/${name}%2F${secret}`),
    sendRequest(instance, `/api/v4/projects?search=${name}`),
    sendRequest(instance, "/api/v4/user", { headers: { ...bearer, "user-agent": name } }),
    sendRequest(instance, `/api/v4/${name}`, { headers: { "x-request-id": secret.slice(0, 32) } }),
    sendRequest(instance, `/oauth/authorize?client_id=${secret}&redirect_uri=https://${name}.example/`),
    sendRequest(instance, "/oauth/token", {
      ...form({ grant_type: "urn:example:unknown", [name]: name }),
      headers: basic,
    }),
    sendRequest(instance, "/oauth/introspect", { ...form({ token: secret }), headers: basic }),
    sendRequest(
      instance,
      `/api/v4/error_tracking/collector/api/1/envelope/?sentry_key=${secret.slice(0, 32)}`,
      form({}),
    ),
  ]);
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  for (const { status } of responses) expect(status).toBeLessThan(500);
}

const ROUNDS = 80;
/**
 * The heap may grow by 3 KiB per request. The objects that the server creates for one request are larger than
 * 3 KiB, so the test would detect a leak of these objects.
 */
const GROWTH_BYTES_MAX = ROUNDS * 10 * 3_072;

test(
  conformance(
    "SC-45",
    "a server with a heap of 110 MB serves thousands of requests, and the live heap does not grow during the second half of the requests",
  ),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-heap-"));
    const heapFile = join(folder, "live");
    const probe = pathToFileURL(join(import.meta.dirname, "heap-probe.mjs")).href;
    const env = { NODE_OPTIONS: `--max-old-space-size=110 --import ${probe}`, HEAP_FILE: heapFile };
    await withInstance({ env }, async (instance) => {
      const token = await newToken(instance);
      let number = 0;
      const run = async () => {
        for (let round = 0; round < ROUNDS; round++) {
          await sendUnique(instance, number++);
          if (round % 10 === 0) expect(await mixedStatuses(instance, token)).toEqual(MIXED);
        }
      };
      await run();
      const half = await liveBytes(instance, heapFile);
      await run();
      const full = await liveBytes(instance, heapFile);
      expect(full - half).toBeLessThan(GROWTH_BYTES_MAX);
      expect(await instance.kill("SIGTERM")).toBe(0);
    });
    await rm(folder, { recursive: true });
  },
);

test(conformance("SC-45", "a server with a heap of 110 MB serves every API operation and every page"), () => {
  return withInstance({ env: { NODE_OPTIONS: "--max-old-space-size=110" } }, async (instance) => {
    const operations = await everyOperation(instance);
    expect(await operations.use()).toBeGreaterThan(0.5);
    expect(await mixedStatuses(instance, await newToken(instance))).toEqual(MIXED);
    expect(await instance.kill("SIGTERM")).toBe(0);
  });
});
