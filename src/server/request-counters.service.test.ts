import * as metricsRoute from "@app/-/metrics/route.ts";
import * as authorizeRoute from "@app/oauth/authorize/route.ts";
import * as tokenRoute from "@app/oauth/token/route.ts";
import * as sessionRoute from "@app/users/session/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import * as users from "@/identity/users/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import type { Config } from "@/kernel/config/config.ts";
import { withPasswordSlot } from "@/kernel/crypto/password.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { deferred } from "@/kernel/process/deferred.ts";
import {
  authorizationQuery,
  type Client,
  encoded,
  exchangeOf,
  type Fields,
  PASSWORD,
  registeredClient,
} from "@/testing/authorization.ts";
import { COLLECTOR_ROUTES, collectingProject, envelopeOf } from "@/testing/collector.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";
import { credentialsOf, refreshOf } from "@/testing/tokens.ts";
import { scheduleWebhookDelivery } from "@/webhooks/sending/delivery.ts";
import { collectMetrics } from "./metrics.ts";

const deps = await openTestDeps();
const TOKEN = "a-token-of-the-operator";
const config: Config = { ...deps.config, metrics: { token: TOKEN, allowed: null } };
provideDeps({ ...deps, config });
await collectMetrics();

const origin = await serveRoutes({
  "/-/metrics": metricsRoute,
  "/oauth/authorize": authorizeRoute,
  "/oauth/token": tokenRoute,
  "/users/session": sessionRoute,
  ...COLLECTOR_ROUTES,
});

type Values = Readonly<Record<string, number>>;

/** Returns the values of the time series in the response of `/-/metrics` whose names match `names`. */
async function metrics(names: RegExp): Promise<Values> {
  const response = await fetch(`${origin}/-/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const lines = (await response.text()).matchAll(/^(gatehouse_\w+(?:\{[^}]*\})?) (\S+)$/gm);
  return Object.fromEntries(
    [...lines].flatMap(([, name = "", value]) => (names.test(name) ? [[name, Number(value)]] : [])),
  );
}

/** The counters of Gatehouse, without the counter of the retries of SQLite, which depends on the load. */
const COUNTERS = /^gatehouse_(?!database_)\w+_total\b/;

/** Returns the increases of all counters during the requests. Counters that do not change are missing. */
async function increases(run: () => Promise<unknown>): Promise<Values> {
  const before = await metrics(COUNTERS);
  await run();
  const after = Object.entries(await metrics(COUNTERS));
  return Object.fromEntries(
    after.flatMap(([name, value]) => {
      const increase = value - (before[name] ?? 0);
      return increase === 0 ? [] : [[name, increase]];
    }),
  );
}

const post = (path: string, fields: Fields): Promise<Response> =>
  fetch(origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: encoded(fields),
  });

/** Posts the sign-in form. @returns the cookies and the path of the redirect. */
async function signIn(login: string, password = PASSWORD) {
  const response = await post("/users/session", { login, password });
  expect(response.status).toBe(303);
  const cookie = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { cookie: cookie.join("; "), location: response.headers.get("location") ?? "" };
}

async function requestTokens(fields: Fields): Promise<Readonly<Record<string, string>>> {
  const response = await post("/oauth/token", fields);
  return { ...(await response.json()), status: String(response.status) };
}

/** Requests an authorization code for a trusted application. */
async function newCode(client: Client, cookie: string): Promise<string> {
  const url = `${origin}/oauth/authorize?${encoded(authorizationQuery(client))}`;
  const response = await fetch(url, { redirect: "manual", headers: { cookie } });
  const code = new URL(response.headers.get("location") ?? "").searchParams.get("code");
  if (code === null) throw new Error("No code was issued.");
  return code;
}

async function createUser(username: string) {
  const created = await users.create(deps, {
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
  });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return created.user;
}

const audited = (event: string) => `gatehouse_audit_events_total{event="${event}"}`;
const issued = (type: string) => `gatehouse_tokens_issued_total{grant_type="${type}"}`;
const refused = (type: string, error: string) =>
  `gatehouse_tokens_refused_total{grant_type="${type}",error="${error}"}`;
const limited = (limit: string) => `gatehouse_rate_limited_total{limit="${limit}"}`;

let client: Client;
beforeAll(async () => {
  const owner = await createUser("owner");
  client = await registeredClient(deps, owner, { clientCredentialsScopes: ["read_user"] }, true);
});

describe("the metrics of sign-ins", () => {
  it("a sign-in and a wrong password are counted as audit events", async () => {
    await createUser("ada");
    expect(await increases(() => signIn("ada"))).toEqual({ [audited("sign_in.succeeded")]: 1 });
    expect(await increases(() => signIn("ada", "wrong"))).toEqual({ [audited("sign_in.failed")]: 1 });
  });

  it("a sign-in that a rate limit refuses is counted once, by the name of the limit", async () => {
    await createUser("ben");
    await changeSettings(deps, { limit_password_per_login: "2" });
    const wrong = await increases(async () => {
      for (let time = 0; time < 2; time++) await signIn("ben", "wrong");
    });
    expect(wrong).toEqual({ [audited("sign_in.failed")]: 2 });
    expect(await increases(() => signIn("ben"))).toEqual({ [limited("password_per_login")]: 1 });
    // The limit of the user also applies to the e-mail address. The response does not reveal the limit.
    expect(await increases(() => signIn("ben@example.com"))).toEqual({
      [limited("password_per_login")]: 1,
      [audited("sign_in.failed")]: 1,
    });
    await changeSettings(deps, { limit_password_per_login: "10" });
  });

  it("the metrics contain the sign-ins that wait for a free slot for the check of the password", async () => {
    await createUser("cleo");
    const queue = async () => {
      const values = await metrics(/queue="passwords"/);
      const of = (state: string) => values[`gatehouse_queue_${state}{queue="passwords"}`] ?? 0;
      return { running: of("running"), waiting: of("waiting") };
    };
    const checks = deferred<void>();
    const slots = [1, 2].map(() => withPasswordSlot(() => checks.promise));
    try {
      await expect.poll(async () => (await queue()).running).toBeGreaterThan(0);
      const { running, waiting } = await queue();
      const signedIn = signIn("cleo");
      await expect.poll(queue).toEqual({ running, waiting: waiting + 1 });
      checks.resolve();
      await signedIn;
    } finally {
      checks.resolve();
      await Promise.all(slots);
    }
    expect(await queue()).toEqual({ running: 0, waiting: 0 });
  });
});

describe("the metrics of the token endpoint", () => {
  it("an authorization code and a refresh token that are exchanged are counted as issued tokens", async () => {
    await createUser("dora");
    const code = await newCode(client, (await signIn("dora")).cookie);
    let tokens: Readonly<Record<string, string>> = {};
    const exchanged = await increases(async () => {
      tokens = await requestTokens(exchangeOf(client, code));
    });
    expect(exchanged).toEqual({ [issued("authorization_code")]: 1 });
    const refreshed = await increases(async () => {
      await requestTokens(refreshOf(client, tokens["refresh_token"] ?? ""));
    });
    expect(refreshed).toEqual({ [issued("refresh_token")]: 1 });

    deps.advance(3_600);
    expect(await increases(() => requestTokens(refreshOf(client, tokens["refresh_token"] ?? "")))).toEqual({
      [refused("refresh_token", "invalid_grant")]: 1,
      [audited("token.family_revoked")]: 1,
    });
  });

  it("a refused token request is counted by its grant type and its error code", async () => {
    const unknown = { ...refreshOf(client, "unknown"), client_secret: "wrong" };
    expect(await increases(() => requestTokens(unknown))).toEqual({
      [refused("refresh_token", "invalid_client")]: 1,
    });
    expect(await increases(() => requestTokens({ grant_type: "none", ...credentialsOf(client) }))).toEqual({
      [refused("unknown", "unsupported_grant_type")]: 1,
    });
    expect(await increases(() => requestTokens(exchangeOf(client, "unknown")))).toEqual({
      [refused("authorization_code", "invalid_grant")]: 1,
    });
  });

  it("a token request that a rate limit refuses is counted as a refused request and by the name of the limit", async () => {
    await changeSettings(deps, {
      limit_oauth_refused: "1",
      limit_client_credentials_per_client: "1",
    });
    const other = await registeredClient(deps, await createUser("emil"), {
      clientCredentialsScopes: ["read_user"],
    });
    const wrong = () => requestTokens(refreshOf(other, "unknown"));
    expect(await increases(wrong)).toEqual({ [refused("refresh_token", "invalid_grant")]: 1 });
    expect(await increases(wrong)).toEqual({
      [refused("refresh_token", "temporarily_unavailable")]: 1,
      [limited("oauth_refused")]: 1,
    });
    const own = () => requestTokens({ grant_type: "client_credentials", ...credentialsOf(other) });
    expect(await increases(own)).toEqual({ [issued("client_credentials")]: 1 });
    expect(await increases(own)).toEqual({
      [refused("client_credentials", "temporarily_unavailable")]: 1,
      [limited("client_credentials_per_client")]: 1,
    });
    await changeSettings(deps, { limit_oauth_refused: "300", limit_client_credentials_per_client: "600" });
  });

  it("the duration of a request is measured by its route, its method and its status", async () => {
    const count = async () => {
      const name = `gatehouse_http_request_duration_seconds_count{route="/oauth/token",method="POST",status="401"}`;
      return (await metrics(/duration_seconds_count/))[name] ?? 0;
    };
    const before = await count();
    await requestTokens({ ...refreshOf(client, "unknown"), client_secret: "wrong" });
    // The duration is measured after the client has received the response.
    await expect.poll(count).toBe(before + 1);
  });
});

describe("the metrics of error tracking", () => {
  it("the collector counts received events, and dropped events by reason", async () => {
    const owner = await createUser("faye");
    const { project, key } = await collectingProject(deps, owner, "shop");
    const send = async (...messages: readonly string[]) => {
      const body = Buffer.from(envelopeOf(messages.map((message) => ["event", { message }] as const)));
      const path = `/api/v4/error_tracking/collector/api/${project.id}/envelope/?sentry_key=${key}`;
      return (await fetch(origin + path, { method: "POST", body })).status;
    };
    await changeSettings(deps, { error_events_per_minute: "4", new_errors_per_hour: "2" });
    expect(await increases(() => send("a", "b", "c"))).toEqual({
      gatehouse_error_events_received_total: 2,
      'gatehouse_error_events_dropped_total{reason="new_errors"}': 1,
    });
    expect(await increases(() => send("a", "b"))).toEqual({
      'gatehouse_error_events_dropped_total{reason="quota"}': 2,
    });
  });
});

describe("the metrics of scheduled jobs", () => {
  it("each run of a scheduled job is measured", async () => {
    const name = 'gatehouse_job_duration_seconds_count{name="webhook_delivery"}';
    const runs = async () => (await metrics(/job_duration_seconds_count/))[name] ?? 0;
    expect(await runs()).toBe(0);
    const stop = scheduleWebhookDelivery(deps, 5);
    await expect.poll(runs).toBeGreaterThan(1);
    await stop();
  });
});
