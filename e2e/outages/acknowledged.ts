import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { collectingProject } from "../errors/collecting.ts";
import type { Instance } from "../instance.ts";
import { openBranchWriter } from "./branch-writer.ts";
import {
  accepted,
  authorize,
  type Confidential,
  consent,
  cookieOf,
  exchange,
  inParallel,
  newPair,
  type Pair,
  REDIRECT_URI,
  registerApplication,
  requestTokens,
  retried,
  Unavailable,
} from "./client.ts";

/** The kinds of writes, with the number of writes that the server acknowledged. */
export type Counts = Record<
  "rotations" | "tokens" | "revocations" | "applications" | "consents" | "events" | "pushes" | "sessions",
  number
>;

/** Clients that write until the server is killed, and that remember every acknowledged write. */
export type Writers = Readonly<{
  counts: Counts;
  /** Returns the number of requests that got 503. */
  refused: () => number;
  /** Writes until `isOver` returns true. The promise resolves after the requests in progress have ended. */
  write: (isOver: () => boolean) => Promise<void>;
  /**
   * Checks the writes that were acknowledged since the last call of `verify`. With `all`, checks every
   * acknowledged write.
   */
  verify: (all?: boolean) => Promise<void>;
  close: () => void;
}>;

const ROTATION_CHAINS = 4;
/**
 * The clients stop after this number of acknowledged events of a tracked error. The server stores the newest
 * 50 events of each tracked error. These 50 events may include events whose requests got no response.
 */
const EVENTS_PER_ROUND_MAX = 40;

/** The state of a token on the server: "unknown" if a revocation was sent but not acknowledged. */
type TokenState = "active" | "revoked" | "unknown";
type KnownToken = { readonly token: string; readonly kind: "personal" | "oauth"; state: TokenState };
type Consented = Readonly<{ clientId: string }>;

export async function openWriters(instance: Instance): Promise<Writers> {
  const { baseUrl } = instance;
  for (const limit of ["limit_oauth_refused", "limit_password_per_login"])
    await instance.cli("setting", "set", limit, "0");
  await instance.cli("setting", "set", "refresh_retry_window", "600");
  const admin = (
    await instance.cli(..."token create --user root --scopes api --name kills".split(" "))
  ).stdout.trim();
  const headers = { "private-token": admin };
  const client = await registerApplication(instance, "--trusted");
  const cookie = await cookieOf(instance);
  const chains: Pair[] = [];
  while (chains.length < ROTATION_CHAINS) chains.push(await newPair(instance, client, cookie));
  const collecting = await collectingProject(instance, "acme/kills");
  const projectUrl = `${baseUrl}/api/v4/projects/${collecting.id}`;
  const remote = `${baseUrl.replace("//", `//root:${admin}@`)}/acme/kills.git`;
  const branch = await openBranchWriter(remote);

  const counts: Counts = {
    ...{ rotations: 0, tokens: 0, revocations: 0, applications: 0, consents: 0 },
    ...{ events: 0, pushes: 0, sessions: 0 },
  };
  const tokens: KnownToken[] = [];
  let refused = 0;
  const consents: Consented[] = [];
  const sessions: string[] = [];
  /** The ids of the acknowledged events of each round. */
  const events: Set<string>[] = [new Set()];
  /** The position of the first entry that `verify` has not checked, for each list of acknowledged writes. */
  let verified = { tokens: 0, consents: 0, sessions: 0, events: 0 };

  async function rotate(chain: number): Promise<void> {
    const form = { grant_type: "refresh_token", refresh_token: chains[chain]?.refresh_token ?? "" };
    chains[chain] = await requestTokens(instance, { ...form, ...client });
    counts.rotations += 1;
  }

  async function revoke(entry: KnownToken): Promise<void> {
    entry.state = "unknown";
    const request =
      entry.kind === "personal"
        ? fetch(`${baseUrl}/api/v4/personal_access_tokens/self`, {
            method: "DELETE",
            headers: { "private-token": entry.token },
          })
        : fetch(`${baseUrl}/oauth/revoke`, {
            method: "POST",
            body: new URLSearchParams({ token: entry.token, ...client }),
          });
    const { status } = accepted(await request);
    if (status !== 204 && status !== 200) throw new Error(`The revocation returned ${status}.`);
    entry.state = "revoked";
    counts.revocations += 1;
  }

  /** Creates a token. Every second token is revoked immediately after its creation. */
  async function keep(token: string, kind: KnownToken["kind"]): Promise<void> {
    const entry: KnownToken = { token, kind, state: "active" };
    tokens.push(entry);
    counts.tokens += 1;
    if (counts.tokens % 2 === 0) await revoke(entry);
  }

  async function createPersonalToken(): Promise<void> {
    const { token } = await post<{ token: string }>("users/1/personal_access_tokens", {
      name: "kills",
      scopes: ["read_user"],
    });
    await keep(token, "personal");
  }

  /** Completes the authorization code flow of the trusted application. */
  async function authorizeTrusted(): Promise<void> {
    await keep((await newPair(instance, client, cookie)).access_token, "oauth");
  }

  async function post<Body>(path: string, body: object): Promise<Body> {
    const response = await fetch(`${baseUrl}/api/v4/${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    accepted(response);
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }

  /**
   * Registers an application, consents to an authorization request of the application, and exchanges the
   * authorization code.
   */
  async function consentToApplication(): Promise<void> {
    const created = await post<{ application_id: string; secret: string }>("applications", {
      ...{ name: "Kills", redirect_uri: REDIRECT_URI, scopes: "read_user" },
    });
    counts.applications += 1;
    const own: Confidential = { client_id: created.application_id, client_secret: created.secret };
    const { fields } = await authorize(instance, own.client_id, cookie);
    if (fields === null) throw new Error("There is no consent page.");
    const code = await consent(instance, fields, cookie);
    counts.consents += 1;
    const { access_token } = await exchange(instance, own, code);
    counts.tokens += 1;
    tokens.push({ token: access_token, kind: "oauth", state: "active" });
    consents.push({ clientId: own.client_id });
  }

  async function signIn(): Promise<void> {
    sessions.push(await cookieOf(instance));
    counts.sessions += 1;
    await pause(100);
  }

  async function sendEvent(): Promise<void> {
    const round = events.at(-1);
    if (round === undefined || round.size >= EVENTS_PER_ROUND_MAX) return pause(20);
    const kind = nameOf(events.length - 1);
    const event_id = crypto.randomUUID().replaceAll("-", "");
    const frames = [{ function: kind, module: kind, in_app: true }];
    const url = `${baseUrl}/api/v4/error_tracking/collector/api/${collecting.id}/store/?sentry_key=${collecting.publicKey}`;
    const response = await fetch(url, {
      method: "POST",
      body: JSON.stringify({ event_id, exception: { type: kind, value: "x", stacktrace: { frames } } }),
    });
    accepted(response);
    if (response.status !== 200) throw new Error(`The event returned ${response.status}.`);
    await response.json();
    round.add(event_id);
    counts.events += 1;
  }

  async function push(): Promise<void> {
    await branch.push();
    counts.pushes += 1;
  }

  /**
   * Repeats a write until `isOver` returns true. If a write fails before the server is killed, the test
   * fails, unless the status is 503.
   */
  const repeat = async (isOver: () => boolean, run: () => Promise<unknown>): Promise<void> => {
    while (!isOver())
      try {
        await run();
      } catch (cause) {
        if (isOver()) return;
        if (!(cause instanceof Unavailable)) throw cause;
        refused += 1;
        await pause(100);
      }
  };

  /** Returns the status of an API request with the token. */
  const statusOf = (token: string): Promise<number> =>
    retried(async () => {
      const response = await fetch(`${baseUrl}/api/v4/user`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.arrayBuffer();
      return accepted(response).status;
    });

  async function verify(all = false): Promise<void> {
    if (all) verified = { tokens: 0, consents: 0, sessions: 0, events: 0 };
    await inParallel(tokens.slice(verified.tokens), async ({ token, kind, state }) => {
      if (state === "unknown") return;
      expect(await statusOf(token), `a ${state} ${kind} token`).toBe(state === "active" ? 200 : 401);
    });
    await inParallel(consents.slice(verified.consents), async ({ clientId }) => {
      const { code } = await retried(() => authorize(instance, clientId, cookie));
      expect(code, "the code of an application with a consent").not.toBeNull();
    });
    await inParallel(sessions.slice(verified.sessions), async (session) => {
      const { code } = await retried(() => authorize(instance, client.client_id, session));
      expect(code, "the code for an acknowledged session").not.toBeNull();
    });
    await inParallel([...chains.keys()], async (chain) => {
      await retried(() => rotate(chain));
      expect(await statusOf(chains[chain]?.access_token ?? "")).toBe(200);
    });
    await verifyEvents(verified.events);
    await verifyBranch();
    verified = {
      tokens: tokens.length,
      consents: consents.length,
      sessions: sessions.length,
      events: events.length,
    };
    events.push(new Set());
  }

  async function verifyBranch(): Promise<void> {
    if (counts.pushes === 0) return;
    const { commit } = (await getJson("repository/branches/main")) as { commit: { id: string } };
    branch.verify(commit.id);
  }

  async function verifyEvents(from: number): Promise<void> {
    for (const [index, acknowledged] of events.entries()) {
      if (index < from || acknowledged.size === 0) continue;
      const kind = nameOf(index);
      const errors = (await getJson(`error_tracking/errors?per_page=100&search_term=${kind}`)) as {
        id: number;
        name: string;
      }[];
      const error = errors.find(({ name }) => name.includes(kind));
      const stored =
        error === undefined
          ? []
          : await ((await getJson(`error_tracking/errors/${error.id}/events?per_page=100`)) as {
              event_id: string;
            }[]);
      const ids = new Set(stored.map(({ event_id }) => event_id));
      expect(
        [...acknowledged].filter((id) => !ids.has(id)),
        "acknowledged events without a row",
      ).toEqual([]);
    }
  }

  const getJson = (path: string): Promise<unknown> =>
    retried(async () => accepted(await fetch(`${projectUrl}/${path}`, { headers })).json());

  return {
    counts,
    refused: () => refused,
    verify,
    write: async (isOver) => {
      const running = [
        ...chains.map((_, chain) => repeat(isOver, () => rotate(chain))),
        ...[
          createPersonalToken,
          authorizeTrusted,
          consentToApplication,
          signIn,
          sendEvent,
          sendEvent,
          push,
        ].map((run) => repeat(isOver, run)),
      ];
      await Promise.all(running);
    },
    close: branch.close,
  };
}

/**
 * Returns the name of a tracked error. The names contain only letters, because numbers in names do not
 * distinguish tracked errors.
 */
const nameOf = (round: number): string =>
  `Kind${String(round).replace(/\d/g, (digit) => "ABCDEFGHIJ".charAt(Number(digit)))}Error`;
