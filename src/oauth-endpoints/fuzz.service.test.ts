import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, inject, it } from "vitest";
import { setFlag } from "@/instance/flags/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { PASSWORD, registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps, type TestDeps } from "@/testing/deps.ts";
import { asCurl } from "@/testing/fuzz/as-curl.ts";
import { liveValues, type Parties } from "@/testing/fuzz/live-values.ts";
import { type FuzzedRequest, requestsTo, type Target, validRequestsTo } from "@/testing/fuzz/request.ts";
import { violationsIn } from "@/testing/fuzz/response-rules.ts";
import { type LiveValues, requestOf, sendOverHttp } from "@/testing/fuzz/send.ts";
import { runs } from "@/testing/long.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/**
 * The seed of fast-check, and the path of a failed run. `npm test` sends the same requests in each run, so that its
 * result does not depend on chance; `npm run test:long` sends new requests in each run. To repeat a failure, set the
 * seed and the path to the printed values: `FUZZ_SEED=… FUZZ_PATH=… npx vitest run src/oauth-endpoints/fuzz`.
 */
const { FUZZ_SEED, FUZZ_PATH } = process.env;
const REPLAY = {
  seed: Number(FUZZ_SEED ?? runs({ short: 1, long: Date.now() })),
  ...(FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH }),
};

const LIFTED = {
  limit_password_per_login: "0",
  limit_password_per_address: "0",
  limit_user_code_per_user: "0",
  limit_user_code_per_address: "0",
  limit_user_code_per_instance: "0",
  limit_device_request_per_client: "0",
};

const METHODS = ["GET", "POST", "OPTIONS", "HEAD"];
const FOLDERS = ["app/oauth", "app/.well-known"];
const ANSWERED_WITHIN_MS = 60_000;
/**
 * The time limit of a test, thirty times the duration on an idle machine with two cores. A request without a
 * response is reported much earlier.
 */
const ENDED_WITHIN_MS = 1_800_000;
const RENEWED_EVERY = 200;
const SECONDS_BETWEEN = 0.3;
/**
 * The number of requests of a fuzz test. The test on SQLite covers the code of the endpoints, so the test on
 * PostgreSQL sends fewer requests: it only has to find text that SQLite accepts and PostgreSQL refuses.
 */
const RUNS = inject("provider") === "sqlite" ? runs({ short: 1_000, long: 20_000 }) : 300;
const RUNS_OVER_HTTP = runs({ short: 100, long: 1_000 });

let deps: TestDeps;
let parties: Parties;
let live: LiveValues;
let modules: Modules;
let handlers: ReadonlyMap<string, Handler>;
const statusesByPath = new Map<string, Set<number>>();

type Modules = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** Returns all route files in `FOLDERS` by path, so that the fuzz test also tests new endpoints. */
async function allModules(): Promise<Modules> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("route.ts"))
      .map((file) => join(folder, file)),
  );
  const modules: Record<string, Record<string, Handler>> = {};
  for (const file of files.toSorted())
    modules[file.slice("app".length, -"/route.ts".length)] = await import(resolve(file));
  return modules;
}

const handlersOf = (all: Modules): ReadonlyMap<string, Handler> =>
  new Map(
    Object.entries(all).flatMap(([path, module]) =>
      METHODS.flatMap((method) => {
        const handler = module[method];
        return handler === undefined ? [] : [[`${method} ${path}`, handler] as const];
      }),
    ),
  );

const nameOf = ({ method, path }: Target): string => `${method} ${path}`;

const targetOf = (name: string): Target => {
  const [method = "", path = ""] = name.split(" ");
  return { method, path };
};

const targets = (): readonly Target[] => [...handlers.keys()].map(targetOf);

const paths = (): ReadonlySet<string> => new Set(targets().map(({ path }) => path));

beforeAll(async () => {
  deps = await openTestDeps();
  await setFlag(deps, "oauth2_device_grant_flow", true);
  // The rate limits are disabled, because the fuzz test sends wrong and valid passwords and codes,
  // and many device authorization requests.
  expect(await changeSettings(deps, LIFTED)).toEqual([]);
  const user = await signedInUser(deps, "ann");
  const scopes = ["openid", "profile", "read_user"];
  parties = {
    user,
    confidential: await registeredClient(deps, user.user, { scopes }),
    publicClient: await registeredClient(deps, user.user, { scopes, confidential: false }),
  };
  modules = await allModules();
  handlers = handlersOf(modules);
});

type Send = (fuzzed: FuzzedRequest) => Response | Promise<Response> | undefined;

/** Sends a request, and checks the response and the lines logged during the request. */
async function faultsFor(fuzzed: FuzzedRequest, send: Send): Promise<readonly string[]> {
  const loggedBefore = deps.logged.length;
  const response = await responseInTime(send(fuzzed));
  if (response === null) return [`no response within ${ANSWERED_WITHIN_MS} ms`];
  statusesByPath.set(
    fuzzed.target.path,
    (statusesByPath.get(fuzzed.target.path) ?? new Set()).add(response.status),
  );
  const faults = await violationsIn(fuzzed.target.path, response, [live["client_secret"] ?? "", PASSWORD]);
  const failures = deps.logged.slice(loggedBefore).filter(({ level }) => level === "error");
  return [...faults, ...failures.map((line) => `logged ${JSON.stringify(line)}`)];
}

async function responseInTime(response: Response | Promise<Response> | undefined): Promise<Response | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ANSWERED_WITHIN_MS, null);
  });
  const first = await Promise.race([response ?? null, late]);
  clearTimeout(timer);
  return first;
}

/**
 * Sends `times` requests. If a request fails, fast-check reduces the request and prints the seed and the path
 * that repeat the failure.
 */
async function fuzz(times: number, send: Send): Promise<void> {
  const requests = fc.constantFrom(...targets()).chain(requestsTo);
  let sentRequests = 0;
  const property = fc.asyncProperty(requests, async (fuzzed) => {
    // Requests use up the valid authorization codes, tokens and sessions, so the test creates new ones. The
    // clock advances, because the rate limits would otherwise refuse all requests.
    if (sentRequests++ % RENEWED_EVERY === 0) live = await liveValues(deps, parties);
    deps.advance(SECONDS_BETWEEN);
    const faults = await faultsFor(fuzzed, send);
    if (faults.length > 0) throw new Error(`${faults.join("\n")}\nSent: ${await asCurl(fuzzed)}`);
  });
  await fc.assert(property, {
    numRuns: times,
    interruptAfterTimeLimit: ENDED_WITHIN_MS,
    markInterruptAsFailure: true,
    ...REPLAY,
  });
}

const sendToHandler: Send = (fuzzed) => handlers.get(nameOf(fuzzed.target))?.(requestOf(fuzzed, live));

// The fuzzer derives its requests from valid requests. If the valid requests failed, the fuzzer would test
// only error paths. The expected response to a device whose user code was not entered is
// authorization_pending. The fuzzer has no valid requests to `/oauth/register`, because this endpoint accepts
// only nested JSON.
it("each valid request of the fuzz test succeeds", async () => {
  for (const path of [...paths()].filter((name) => !name.startsWith("/oauth/register"))) {
    live = await liveValues(deps, parties);
    for (const validRequest of targets()
      .filter((target) => target.path === path)
      .flatMap(validRequestsTo)) {
      const response = await sendToHandler(validRequest);
      const pending = (await response?.text())?.includes('"authorization_pending"');
      expect(pending ? 200 : response?.status, await asCurl(validRequest)).toBeLessThan(400);
    }
  }
});

it(
  conformance(
    "XC-04",
    "XC-08",
    "XC-09",
    "AT-31",
    "AT-32",
    "AT-33",
    "AT-34",
    "AT-40",
    "AT-41",
    `the endpoints respond correctly to ${RUNS} fuzzed requests of every kind`,
  ),
  async () => {
    await fuzz(RUNS, sendToHandler);
    if (FUZZ_SEED === undefined) await expectRefusals();
  },
  ENDED_WITHIN_MS + 30_000,
);

it(
  conformance(
    "XC-04",
    "XC-09",
    "AT-31",
    "AT-33",
    `the endpoints respond correctly to ${RUNS_OVER_HTTP} fuzzed requests over HTTP`,
  ),
  async () => {
    const url = await serveRoutes(modules);
    await fuzz(RUNS_OVER_HTTP, (fuzzed) => sendOverHttp(url, fuzzed, live));
  },
  ENDED_WITHIN_MS + 30_000,
);

/** The maximum number of further requests to an endpoint that has not refused a request yet. */
const FURTHER_REQUESTS = 200;

/**
 * Checks that every endpoint refuses some requests, because more than a third of the requests are invalid. An
 * endpoint that by chance received no invalid request gets further requests.
 */
async function expectRefusals(): Promise<void> {
  for (const path of paths()) {
    if (path.startsWith("/.well-known/") || path === "/oauth/discovery/keys") continue;
    // The consent page redirects every invalid request to the authorization endpoint.
    if (path === "/oauth/consent") {
      const statuses = [...(statusesByPath.get(path) ?? [])];
      expect(statuses.filter((status) => status !== 200 && status !== 303)).toEqual([]);
      continue;
    }
    expect(await refusesRequest(path), `${path} refused no request`).toBe(true);
  }
}

/**
 * Returns whether the endpoint refused at least one request. The function sends further requests until the
 * first refusal.
 */
async function refusesRequest(path: string): Promise<boolean> {
  const hasRefused = () => [...(statusesByPath.get(path) ?? [])].some((status) => status >= 400);
  const requests = fc.constantFrom(...targets().filter((target) => target.path === path)).chain(requestsTo);
  for (const fuzzed of fc.sample(requests, FURTHER_REQUESTS)) {
    if (hasRefused()) return true;
    expect(await faultsFor(fuzzed, sendToHandler), await asCurl(fuzzed)).toEqual([]);
  }
  return hasRefused();
}
