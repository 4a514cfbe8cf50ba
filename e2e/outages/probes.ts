import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Instance } from "../instance.ts";
import { type Confidential, cookieOf, newPair, type Pair, registerApplication } from "./client.ts";

/** The kinds of requests that are sent during each fault. */
export type Kind = "liveness" | "read" | "page" | "rotation" | "creation";
export type Outcome = Readonly<{ kind: Kind; status: number; milliseconds: number }>;

/** The client side of a test: an application with a token family, and an administrator with a token. */
export type World = Readonly<{
  instance: Instance;
  client: Confidential;
  token: string;
  /** Sends one request of each kind, and checks the headers and the body of every 503 response. */
  sendEach: () => Promise<readonly Outcome[]>;
}>;

/** The status of each kind of request while there is no fault. */
export const USUAL: Readonly<Record<Kind, number>> = {
  liveness: 200,
  read: 200,
  page: 200,
  rotation: 200,
  creation: 201,
};

const PATIENCE_MS = 90_000;

export async function openWorld(instance: Instance): Promise<World> {
  for (const limit of ["limit_oauth_refused", "limit_password_per_login"])
    await instance.cli("setting", "set", limit, "0");
  await instance.cli("setting", "set", "refresh_retry_window", "600");
  const created = await instance.cli(..."token create --user root --scopes api --name faults".split(" "));
  const token = created.stdout.trim();
  if (token === "") throw new Error(created.stderr);
  const client = await registerApplication(instance, "--trusted");
  let pair: Pair = await newPair(instance, client, await cookieOf(instance));

  const requests: Readonly<Record<Kind, () => Promise<Response>>> = {
    liveness: () => send(instance, "/-/liveness"),
    read: () => send(instance, "/api/v4/user", { headers: { "private-token": token } }),
    page: () => send(instance, "/projects"),
    rotation: async () => {
      const form = { grant_type: "refresh_token", refresh_token: pair.refresh_token, ...client };
      const response = await send(instance, "/oauth/token", {
        method: "POST",
        body: new URLSearchParams(form),
      });
      if (response.status === 200) pair = (await response.clone().json()) as Pair;
      return response;
    },
    creation: () => {
      const path = `g${randomBytes(8).toString("hex")}`;
      return send(instance, "/api/v4/groups", {
        method: "POST",
        headers: { "private-token": token, "content-type": "application/json" },
        body: JSON.stringify({ name: path, path }),
      });
    },
  };
  const sendOne = async (kind: Kind): Promise<Outcome> => {
    const startedAt = performance.now();
    const response = await requests[kind]();
    await expectExplained(kind, response);
    return { kind, status: response.status, milliseconds: performance.now() - startedAt };
  };
  return {
    instance,
    client,
    token,
    sendEach: () => Promise.all((Object.keys(USUAL) as Kind[]).map(sendOne)),
  };
}

const send = ({ baseUrl }: Instance, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(baseUrl + path, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS), ...init });

/**
 * The response to a refused request must state when the client may repeat the request, and must not contain
 * details of the server.
 */
async function expectExplained(kind: Kind, response: Response): Promise<void> {
  const text = await response.text();
  expect([USUAL[kind], 503, 507], `${kind}: ${response.status} ${text.slice(0, 300)}`).toContain(
    response.status,
  );
  if (response.status === USUAL[kind]) return;
  if (response.status === 503) expect(response.headers.get("retry-after"), kind).toMatch(/^\d+$/);
  expect(text, kind).not.toMatch(/SQLITE|Prisma|ECONN|\bat \/|postgres/i);
  if (kind === "rotation") expect(JSON.parse(text)).toMatchObject({ error: "temporarily_unavailable" });
}

/** Returns the statuses by kind, such as `read 503, rotation 200`. */
export const statusesOf = (outcomes: readonly Outcome[]): Readonly<Partial<Record<Kind, number>>> =>
  Object.fromEntries(outcomes.map(({ kind, status }) => [kind, status]));

/** Returns the table cell that describes the responses during a fault. */
export function describeResponses(repetitions: readonly (readonly Outcome[])[]): string {
  const outcomes = repetitions.flat().filter(({ kind }) => kind !== "liveness");
  const resultOf = ({ kind, status }: Outcome) => (status === USUAL[kind] ? "success" : String(status));
  const results = [...new Set(outcomes.map(resultOf))];
  const parts = results.map((result) => {
    const members = outcomes.filter((outcome) => resultOf(outcome) === result);
    const kinds = [...new Set(members.map(({ kind }) => kind))].join(", ");
    const slowest = Math.max(...members.map(({ milliseconds }) => milliseconds));
    return `${kinds}: ${result} (≤ ${(slowest / 1_000).toFixed(1)} s)`;
  });
  return parts.join("; ");
}

export type Readiness = Readonly<{
  status: number;
  failed: readonly string[];
  /** The time in milliseconds from the call of `untilReadiness` to the response with the expected status. */
  after: number;
}>;

/**
 * Calls the readiness probe until the probe returns this status. Every response must arrive within a second.
 * @throws an Error if the probe does not return this status within `within` milliseconds.
 */
export async function untilReadiness(
  { instance }: Pick<World, "instance">,
  status: number,
  within: number,
): Promise<Readiness> {
  const startedAt = performance.now();
  for (;;) {
    const sentAt = performance.now();
    const response = await fetch(`${instance.baseUrl}/-/readiness`, { signal: AbortSignal.timeout(10_000) });
    const { checks } = (await response.json()) as { checks: Record<string, string> };
    const now = performance.now();
    expect(now - sentAt, "the time of a readiness response").toBeLessThan(PROBE_MS_MAX);
    const failed = Object.keys(checks).filter((name) => checks[name] !== "ok");
    if (response.status === status) return { status, failed, after: now - startedAt };
    if (now - startedAt > within)
      throw new Error(`The readiness probe returned ${response.status} (${failed}) for ${within} ms.`);
    await pause(10);
  }
}

/** The time limit for a response of the readiness probe: one second, with a margin for a busy machine. */
const PROBE_MS_MAX = 1_500;

/** Waits until each kind of request succeeds again. @returns the duration of the wait. */
export async function untilUsual(world: World, within = 60_000): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const outcomes = await world.sendEach();
    if (outcomes.every(({ kind, status }) => status === USUAL[kind])) return performance.now() - startedAt;
    if (performance.now() - startedAt > within)
      throw new Error(`After ${within} ms: ${JSON.stringify(outcomes)}`);
    await pause(50);
  }
}

type LogLine = Readonly<Record<string, unknown>> & Readonly<{ event?: string; level?: number }>;

/** Returns the lines of the log after a position. */
export const logLines = ({ instance }: Pick<World, "instance">, from = 0): readonly LogLine[] =>
  instance
    .log()
    .slice(from)
    .split("\n")
    .flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));

/** Returns the distinct names of the warnings and errors in the log after a position. */
export const eventsSince = (world: Pick<World, "instance">, from: number): readonly string[] => [
  ...new Set(
    logLines(world, from)
      .filter(({ level = 0, event }) => level >= 40 && event !== "http.request")
      .map(({ event = "" }) => event),
  ),
];
