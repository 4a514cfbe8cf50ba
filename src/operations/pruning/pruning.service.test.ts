import { GET as getUser } from "@app/api/v4/user/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { countFailure } from "@/instance/rate-limits/counter.ts";
import { changeSettings, limitOf, readSettings } from "@/instance/settings/service.ts";
import { writeStatistics } from "@/instance/statistics/service.ts";
import { digest } from "@/kernel/crypto/token.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { issue } from "@/oauth/tokens/service.ts";
import { schedulePruning } from "@/server/pruning.ts";
import {
  authorizationQuery,
  type Client,
  codeFor,
  exchangeOf,
  ORIGIN,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { prune } from "./service.ts";

const deps = await openTestDeps();
const HOUR = 3_600;
const DAY = 24 * HOUR;

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user);
  // These tests advance the clock by years, and every sign-in is an audit event, so audit events are kept
  // forever.
  await changeSettings(deps, { audit_event_retention_days: "0" });
});

beforeEach(async () => {
  await changeSettings(deps, { refresh_token_idle_limit: "0" });
  deps.advance(30 * DAY);
  ann = { ...ann, cookie: await signedInCookie("ann") };
  // Statistics are written in batches. Without this call, a batch of an earlier test could be written during
  // the next test.
  await writeStatistics(deps);
  const { tokenFamily, authorizationCode, rateCounter, failedExchange, hourlyCount } = deps.db;
  for (const table of [tokenFamily, authorizationCode, rateCounter, failedExchange, hourlyCount])
    await (table as typeof rateCounter).deleteMany();
  await prune(deps);
});

const NOTHING = {
  codes: 0,
  device_codes: 0,
  tokens: 0,
  families: 0,
  personal_tokens: 0,
  bot_memberships: 0,
  application_bots: 0,
  sessions: 0,
  failed_exchanges: 0,
  rate_counters: 0,
  spent_proofs: 0,
  used_jwts: 0,
  pushed_requests: 0,
  held_forms: 0,
  provider_sign_ins: 0,
  hourly_counts: 0,
  unused_clients: 0,
  mails: 0,
  audit_events: 0,
  webhook_deliveries: 0,
  client_sessions: 0,
  error_events: 0,
  error_hours: 0,
  error_counts: 0,
  errors: 0,
  signing_keys: 0,
  package_leftovers: 0,
};

const exchanged = async () => {
  const form = exchangeOf(client, await codeFor(deps, ann, authorizationQuery(client)));
  const { body } = await requestToken(form);
  return { form, access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
};

const refreshed = (refreshToken: string) =>
  requestToken({
    grant_type: "refresh_token",
    client_id: client.id,
    client_secret: client.secret,
    refresh_token: refreshToken,
  });

/** Returns the status with which the API responds to an access token. */
async function tokenState(accessToken: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers }));
  return response.status === 200 ? "live" : (await response.json())["error_description"];
}

const passwordToken = async (by: User = ann.user) =>
  issue(deps, await readSettings(deps), {
    type: "password",
    applicationId: null,
    userId: by.id,
    scopes: ["api"],
  });

describe("valid data", () => {
  it("the pruning job never removes data that is still valid", async () => {
    await changeSettings(deps, { oauth_access_token_expires_in: "0" });
    const forever = await passwordToken();
    await changeSettings(deps, { oauth_access_token_expires_in: "7200" });
    const old = await exchanged();
    deps.advance(400 * DAY);
    ann = { ...ann, cookie: await signedInCookie("ann") };
    const fresh = await exchanged();
    await prune(deps);
    expect(await tokenState(fresh.access)).toBe("live");
    expect(await tokenState(forever.accessToken)).toBe("live");
    expect(await tokenState(old.access)).toMatch(/^Token is expired/);
    expect((await refreshed(old.refresh)).status).toBe(200);
    expect((await refreshed(fresh.refresh)).status).toBe(200);
    const query = new URLSearchParams({ client_id: client.id }).toString();
    expect(query).not.toBe("");
    expect(await codeFor(deps, ann, authorizationQuery(client))).toMatch(/^ghac_/);
  });

  it("when refresh_token_idle_limit is reduced, existing refresh tokens keep the time at which the pruning job removes them", async () => {
    await changeSettings(deps, { refresh_token_idle_limit: String(20 * DAY) });
    const { refresh } = await exchanged();
    await changeSettings(deps, { refresh_token_idle_limit: "60" });
    deps.advance(19 * DAY);
    expect(await prune(deps)).toMatchObject({ tokens: 0, families: 0 });
    expect((await refreshed(refresh)).status).toBe(200);
  });
});

describe("the pruning job for authorization codes", () => {
  it(
    conformance(
      "AC-07",
      "the pruning job keeps authorization codes for a day after they expire, so that a replay is still detected",
    ),
    async () => {
      const { form, access } = await exchanged();
      const unused = await codeFor(deps, ann, authorizationQuery(client));
      deps.advance(600 + DAY - HOUR);
      expect(await prune(deps)).toMatchObject({ codes: 0 });
      expect(await requestToken(exchangeOf(client, unused))).toMatchObject(refusal("invalid_grant"));
      expect(await requestToken(form)).toMatchObject(refusal("invalid_grant"));
      const family = await deps.db.tokenFamily.findFirstOrThrow();
      expect(family.revokedAt, "the replay revoked the tokens that were issued for the code").not.toBeNull();
      expect(await tokenState(access)).toMatch(/^Token/);
      deps.advance(HOUR + 1);
      expect(await prune(deps)).toMatchObject({ codes: 2 });
      expect(await requestToken(form)).toMatchObject(refusal("invalid_grant"));
    },
  );

  it("the pruning job removes authorization codes, but not the tokens that were issued for the codes", async () => {
    const { refresh } = await exchanged();
    deps.advance(2 * DAY);
    expect(await prune(deps)).toEqual({ ...NOTHING, codes: 1, mails: 1 });
    expect((await refreshed(refresh)).status).toBe(200);
  });
});

describe("the failed requests of applications", () => {
  it("the failed requests of applications are kept for thirty days", async () => {
    const { id: applicationId } = client.application;
    const failure = { applicationId, endpoint: "/oauth/token", reason: "secret_wrong", address: "192.0.2.1" };
    await deps.db.failedExchange.create({ data: { ...failure, at: deps.clock() } });
    deps.advance(30 * DAY);
    expect(await prune(deps)).toMatchObject({ failed_exchanges: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ failed_exchanges: 1 });
  });
});

describe("the stored device codes", () => {
  it("device codes in any state are kept for a day after they expire", async () => {
    const createdAt = deps.clock();
    const expiresAt = new Date(createdAt.getTime() + 300_000);
    for (const status of ["waiting", "approved", "denied", "redeemed"])
      await deps.db.deviceAuthorization.create({
        data: {
          deviceDigest: digest(status),
          applicationId: client.application.id,
          scopes: "read_user",
          status,
          address: "192.0.2.1",
          userAgent: "",
          createdAt,
          expiresAt,
          intervalSeconds: 5,
        },
      });
    deps.advance(300 + DAY);
    expect(await prune(deps)).toMatchObject({ device_codes: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ device_codes: 4 });
    expect(await deps.db.deviceAuthorization.count()).toBe(0);
  });
});

describe("the pruning job for tokens of a grant", () => {
  it(
    conformance(
      "US-03",
      "the pruning job keeps tokens for a week after they were revoked, so that clients still receive the error for revoked tokens",
    ),
    async () => {
      const { access, refresh } = await exchanged();
      const next = String((await refreshed(refresh)).body["refresh_token"]);
      deps.advance(HOUR);
      expect(await refreshed(refresh)).toMatchObject(refusal("invalid_grant"));
      expect(
        (await deps.db.tokenFamily.findFirstOrThrow()).revokedAt,
        "the reuse was detected",
      ).not.toBeNull();
      deps.advance(7 * DAY - HOUR);
      expect(await prune(deps)).toMatchObject({ tokens: 0 });
      expect(await tokenState(access)).toMatch(/^Token/);
      deps.advance(1);
      expect(await prune(deps)).toMatchObject({ tokens: 1, families: 0 });
      deps.advance(HOUR);
      expect(await prune(deps)).toMatchObject({ tokens: 1, families: 1 });
      expect(await tokenState(access)).toBeUndefined();
      expect(await refreshed(next)).toMatchObject(refusal("invalid_grant"));
      expect(await deps.db.tokenFamily.count()).toBe(0);
    },
  );

  it("rotated tokens are removed, and the token family remains valid", async () => {
    const { refresh } = await exchanged();
    const next = String((await refreshed(refresh)).body["refresh_token"]);
    deps.advance(7 * DAY + 1);
    expect(await prune(deps)).toMatchObject({ tokens: 1, families: 0 });
    expect((await refreshed(next)).status).toBe(200);
  });

  it("tokens without a refresh token are removed a week after they expired", async () => {
    const { accessToken } = await passwordToken();
    deps.advance(7_200 + 7 * DAY);
    expect(await prune(deps)).toMatchObject({ tokens: 0, families: 0 });
    expect(await tokenState(accessToken)).toMatch(/^Token is expired/);
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ tokens: 1, families: 1 });
    expect(await tokenState(accessToken)).toBeUndefined();
  });

  it("tokens are removed a week after both the access token and the refresh token have expired", async () => {
    await changeSettings(deps, { refresh_token_idle_limit: String(10 * DAY) });
    await exchanged();
    await refreshed((await exchanged()).refresh);
    deps.advance(10 * DAY);
    expect(await prune(deps), "the rotated tokens").toMatchObject({ tokens: 1, families: 0 });
    deps.advance(7 * DAY);
    expect(await prune(deps)).toMatchObject({ tokens: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ tokens: 2, families: 2 });
  });

  it("the pruning job removes tokens in small batches, and removes no other rows", async () => {
    const now = deps.clock();
    const families = Array.from({ length: 1_300 }, (_, id) => ({
      id: 1_000_000 + id,
      userId: ann.user.id,
      grantType: "password",
      scopes: "api",
      createdAt: now,
      rotations: 0,
    }));
    await deps.db.tokenFamily.createMany({ data: families });
    const tokens = families.map(({ id }, index) => ({
      familyId: id,
      accessDigest: digest(String(id)),
      userId: ann.user.id,
      scopes: "api",
      createdAt: now,
      expiresAt: new Date(now.getTime() + 1000),
      endsAt: new Date(now.getTime() + 1000),
      revokedAt: index % 2 === 0 ? now : null,
    }));
    await deps.db.oauthToken.createMany({ data: tokens });
    deps.advance(7 * DAY + 2);
    ann = { ...ann, cookie: await signedInCookie("ann") };
    const exchange = await exchanged();
    expect(await prune(deps)).toEqual({
      ...NOTHING,
      tokens: 1_300,
      families: 1_300,
      // The removed e-mail is the notice about the first authorization of the application.
      mails: 1,
    });
    expect(await deps.db.oauthToken.count()).toBe(1);
    expect(await tokenState(exchange.access)).toBe("live");
  });
});

describe("the sessions of users", () => {
  it("sessions are removed a day after they have ended or expired", async () => {
    const before = await deps.db.session.count();
    await deps.db.session.updateMany({ data: { endedAt: deps.clock() } });
    ann = { ...ann, cookie: await signedInCookie("ann") };
    deps.advance(DAY);
    expect(await prune(deps)).toMatchObject({ sessions: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ sessions: before });
    deps.advance(7 * DAY - 1);
    expect(await prune(deps)).toMatchObject({ sessions: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ sessions: 1 });
    expect(await deps.db.session.count()).toBe(0);
    ann = { ...ann, cookie: await signedInCookie("ann") };
  });
});

describe("the counts of failed attempts", () => {
  it("counts of failed attempts are removed when the window of their rate limit has ended", async () => {
    const subject = [limitOf(await readSettings(deps), "password_per_login", "x")];
    await countFailure(deps.db, subject, deps.clock());
    deps.advance(180);
    expect(await prune(deps)).toMatchObject({ rate_counters: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ rate_counters: 1 });
  });
});

describe("the pruning job for personal access tokens", () => {
  const createToken = async (expiresAt: string | null): Promise<string> => {
    const outcome = await createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt });
    if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
    return outcome.value;
  };
  const count = () => deps.db.personalAccessToken.count();

  it(
    conformance(
      "US-03",
      "the pruning job removes personal access tokens thirty days after they expired or were revoked, and keeps valid tokens",
    ),
    async () => {
      const tomorrow = new Date(deps.clock().getTime() + DAY * 1000).toISOString().slice(0, 10);
      const [revoked] = [await createToken(null), await createToken(tomorrow), await createToken(null)];
      const row = { digest: digest(revoked) };
      await deps.db.personalAccessToken.update({ where: row, data: { revokedAt: deps.clock() } });
      deps.advance(29 * DAY);
      expect(await prune(deps)).toMatchObject({ personal_tokens: 0 });
      expect(await tokenState(revoked)).toMatch(/^Token was revoked/);
      deps.advance(3 * DAY);
      expect(await prune(deps)).toMatchObject({ personal_tokens: 2 });
      expect(await count()).toBe(1);
      deps.advance(300 * DAY);
      expect(await prune(deps)).toMatchObject({ personal_tokens: 0 });
    },
  );
});

describe("the audit events of an instance", () => {
  it("audit events are removed after the number of days in the setting audit_event_retention_days, and are kept forever if the number is 0", async () => {
    deps.advance(400 * DAY);
    expect(await prune(deps)).toMatchObject({ audit_events: 0 });
    await changeSettings(deps, { audit_event_retention_days: "2" });
    const old = await deps.db.auditEvent.count({ where: { at: { lt: deps.clock() } } });
    expect(old).toBeGreaterThan(0);
    expect(await prune(deps)).toMatchObject({ audit_events: old });
    deps.advance(2 * DAY);
    expect(await prune(deps)).toMatchObject({ audit_events: 0 });
    deps.advance(1);
    expect(await prune(deps)).toMatchObject({ audit_events: 1 });
    await changeSettings(deps, { audit_event_retention_days: "0" });
  });
});

describe("the pruning job", () => {
  it("the pruning job removes nothing when it runs a second time, and can run simultaneously in several processes", async () => {
    for (let token = 0; token < 20; token++) await passwordToken();
    deps.advance(30 * DAY);
    const removed = await Promise.all([prune(deps), prune(deps), prune(deps)]);
    expect(removed.reduce((total, { tokens }) => total + tokens, 0)).toBe(20);
    expect(await deps.db.tokenFamily.count()).toBe(0);
    expect(await prune(deps)).toEqual(NOTHING);
  });

  it("the pruning job repeats until the job is stopped", async () => {
    await passwordToken();
    deps.advance(30 * DAY);
    const stop = schedulePruning(deps, 20, 20);
    await expect.poll(() => deps.db.oauthToken.count()).toBe(0);
    await stop();
    await passwordToken();
    deps.advance(30 * DAY);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await deps.db.oauthToken.count()).toBe(1);
    expect(deps.logged).toContainEqual(expect.objectContaining({ event: "prune.removed", tokens: 1 }));
  });
});
