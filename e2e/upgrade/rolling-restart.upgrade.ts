import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../command-line.ts";
import { openDesk } from "../git/git.ts";
import { type Instance, startBeside } from "../instance.ts";
import {
  type Confidential,
  cookieOf,
  newPair,
  registerApplication,
  requestTokens,
  type Target,
  urlOf,
} from "../outages/client.ts";
import { stopDatabaseServer } from "../postgresql.ts";
import * as client from "./client.ts";
import { command, startRelease } from "./release.ts";

const ROUNDS = 5;

/** The two processes on one database: one of the last release, and one of this checkout, which migrated the database. */
type Sides = Readonly<{ release: Target; checkout: Target }>;
type World = Sides &
  Readonly<{
    instance: Instance;
    /** An application that the release registered, and a trusted application. */
    application: Confidential;
    trusted: Confidential;
    /** A token of the administrator. */
    token: string;
    /**
     * The number of requests that were sent to the release while the checkout started, and the failures of
     * these requests.
     */
    during: Readonly<{ requests: number; failures: readonly string[] }>;
    stop: () => Promise<void>;
  }>;

let world: World;

beforeAll(async () => {
  const instance = await startRelease("postgresql");
  const application = await registerApplication(instance);
  const trusted = await registerApplication(instance, "--trusted");
  const about = "token create --user root --scopes api --name upgrade".split(" ");
  const token = await command(instance, ...about);
  const load = startLoad(instance, trusted);
  const checkout = await startBeside(instance);
  const during = await load.end();
  const { baseUrl, rootPassword } = instance;
  world = {
    ...{ instance, application, trusted, token, during },
    release: { baseUrl, rootPassword },
    checkout: { baseUrl, rootPassword, internalUrl: checkout.url },
    stop: async () => {
      await checkout.stop();
      await instance.stop();
      await stopDatabaseServer();
    },
  };
});

afterAll(() => world?.stop());

/** Rotates refresh tokens, signs in and reads the API until the function `end` is called. */
function startLoad(target: Target, trusted: Confidential): { end: () => Promise<World["during"]> } {
  let isOver = false;
  let requests = 0;
  const failures: string[] = [];
  const run = async (): Promise<void> => {
    let cookie = await cookieOf(target);
    let pair = await newPair(target, trusted, cookie);
    while (!isOver)
      try {
        pair = await client.refresh(target, trusted, pair.refresh_token);
        const status = await client.apiStatus(target, pair.access_token);
        if (status !== 200) failures.push(`read: ${status}`);
        cookie = await cookieOf(target);
        requests += 3;
      } catch (cause) {
        failures.push(String(cause));
      }
  };
  const running = Promise.all([run(), run()]);
  return {
    end: async () => {
      await pause(500);
      isOver = true;
      await running;
      return { requests, failures };
    },
  };
}

/** Runs a flow several times in both directions simultaneously: from the release to the checkout, and back. */
async function inBothDirections(flow: (from: Target, to: Target) => Promise<void>): Promise<void> {
  const { release, checkout } = world;
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all([flow(release, checkout), flow(checkout, release)]);
}

/** Asserts the status of API reads with this token on both processes. */
async function expectStatus(token: string, status: number): Promise<void> {
  const { release, checkout } = world;
  const statuses = await Promise.all([client.apiStatus(release, token), client.apiStatus(checkout, token)]);
  expect(statuses).toEqual([status, status]);
}

test("the last release serves all requests while this version starts and migrates the database", () => {
  expect(world.during.failures).toEqual([]);
  expect(world.during.requests).toBeGreaterThan(10);
});

test("the readiness probes of both versions succeed while both versions run", async () => {
  for (const target of [world.release, world.checkout]) {
    const response = await fetch(urlOf(target, "/-/readiness"));
    expect((await response.json()).status).not.toBe("failing");
  }
});

test("a session from one version is valid in the other version, and signing out applies to both versions", () =>
  inBothDirections(async (from, to) => {
    const cookie = await cookieOf(from);
    expect(await client.isSignedIn(to, cookie)).toBe(true);
    await client.signOut(to, cookie);
    expect(await client.isSignedIn(from, cookie)).toBe(false);
  }));

test("an authorization code with PKCE from one version can be exchanged once in the other version", () =>
  inBothDirections(async (from, to) => {
    const cookie = await cookieOf(from);
    const { verifier, parameters } = client.newChallenge();
    const { application } = world;
    const code = await client.codeFrom([from, to], application.client_id, cookie, parameters);
    await expect(
      client.exchangeWithVerifier(to, application, code, client.newChallenge().verifier),
    ).rejects.toThrow("400");
    const fresh = await client.codeFrom([from, to], application.client_id, cookie, parameters);
    const { access_token } = await client.exchangeWithVerifier(to, application, fresh, verifier);
    await expectStatus(access_token, 200);
    await expect(client.exchangeWithVerifier(from, application, fresh, verifier)).rejects.toThrow("400");
    await expectStatus(access_token, 401);
  }));

test("the consent of a user in one version also applies in the other version", () =>
  inBothDirections(async (from, to) => {
    const created = await client.callApi<{ application_id: string; secret: string }>(
      from,
      world.token,
      "POST",
      "applications",
      { name: "Upgrade", redirect_uri: "https://client.example/callback", scopes: "read_user" },
    );
    const cookie = await cookieOf(to);
    await client.codeFrom([from, from], created.application_id, cookie);
    const own = { client_id: created.application_id, client_secret: created.secret };
    // `newPair` fails if the server shows a consent page.
    const { access_token } = await newPair(to, own, cookie);
    await expectStatus(access_token, 200);
  }));

test("a refresh token from one version can be rotated in the other version, and the new refresh token can be rotated in the first version", () =>
  inBothDirections(async (from, to) => {
    const first = await newPair(from, world.trusted, await cookieOf(from));
    const second = await client.refresh(to, world.trusted, first.refresh_token);
    await expectStatus(first.access_token, 401);
    const third = await client.refresh(from, world.trusted, second.refresh_token);
    await expectStatus(second.access_token, 401);
    await expectStatus(third.access_token, 200);
  }));

test("the reuse of a refresh token in one version revokes the tokens in both versions", () =>
  inBothDirections(async (from, to) => {
    const first = await newPair(from, world.trusted, await cookieOf(from));
    const second = await client.refresh(from, world.trusted, first.refresh_token);
    await expect(client.refresh(to, world.trusted, first.refresh_token)).rejects.toThrow("invalid_grant");
    await expectStatus(second.access_token, 401);
    await expect(client.refresh(from, world.trusted, second.refresh_token)).rejects.toThrow("invalid_grant");
  }));

test("a device request to one version can be approved in the other version", () =>
  inBothDirections(async (from, to) => {
    const cookie = await cookieOf(to);
    const { device_code, user_code } = await client.requestDevice(from, world.application);
    await client.approveDevice([to, from], user_code, cookie);
    const { access_token } = await client.pollDevice(to, world.application, device_code);
    await expectStatus(access_token, 200);
    await expect(client.pollDevice(from, world.application, device_code)).rejects.toThrow("400");
  }));

test("a revocation in one version applies to the next request to the other version", () =>
  inBothDirections(async (from, to) => {
    const pair = await newPair(from, world.trusted, await cookieOf(from));
    expect(await client.introspect(to, world.trusted, pair.access_token)).toMatchObject({ active: true });
    await expectStatus(pair.access_token, 200);
    await client.revoke(from, world.trusted, pair.access_token);
    expect(await client.introspect(to, world.trusted, pair.access_token)).toEqual({ active: false });
    await expectStatus(pair.access_token, 401);
  }));

test("a personal access token from one version works in the other version until it is revoked", () =>
  inBothDirections(async (from, to) => {
    const { id, token } = await client.callApi<{ id: number; token: string }>(
      from,
      world.token,
      "POST",
      "users/1/personal_access_tokens",
      { name: "upgrade", scopes: ["read_user"] },
    );
    await expectStatus(token, 200);
    await client.callApi(to, world.token, "DELETE", `personal_access_tokens/${id}`);
    await expectStatus(token, 401);
  }));

test("a client credentials token of this version works in the last release until that release revokes the token", async () => {
  const { instance, release, checkout } = world;
  const about = ["--name", "Machine", "--redirect-uri", "https://client.example/callback", "--owner", "root"];
  const scopes = ["--scopes", "read_user", "--client-credentials", "read_user", "--json"];
  const env = { ...process.env, ...instance.env, NODE_ENV: "production" as const };
  const { stdout } = await runCommand(env, ["application", "create", ...about, ...scopes]);
  const { client_id, client_secret }: Confidential = JSON.parse(stdout);
  const machine = { client_id, client_secret };
  const { access_token } = await requestTokens(checkout, { grant_type: "client_credentials", ...machine });
  await expectStatus(access_token, 200);
  await client.revoke(release, machine, access_token);
  await expectStatus(access_token, 401);
});

test("a commit that is pushed to one version can be fetched from the other version", async () => {
  const desk = openDesk();
  try {
    await inBothDirections(async (from, to) => {
      const path = `upgrade-${crypto.randomUUID()}`;
      const { path_with_namespace: fullPath } = await client.callApi<{ path_with_namespace: string }>(
        from,
        world.token,
        "POST",
        "projects",
        { name: path, path },
      );
      const remoteOf = (target: Target) =>
        urlOf(target, `/${fullPath}.git`).replace("//", `//root:${world.token}@`);
      const copy = join(desk.folder, path);
      await desk.ok(["init", "-q", "-b", "main", copy]);
      await desk.ok(["commit", "-q", "--allow-empty", "-m", "Change"], copy);
      await desk.ok(["push", "-q", remoteOf(from), "main"], copy);
      const pushed = await desk.ok(["rev-parse", "HEAD"], copy);
      expect(await desk.ok(["ls-remote", remoteOf(to), "main"])).toContain(pushed);
    });
  } finally {
    desk.remove();
  }
});

test("sessions and tokens of the last release are valid after the last process of that release has stopped", async () => {
  const { instance, release, checkout, trusted } = world;
  const cookie = await cookieOf(release);
  const pair = await newPair(release, trusted, cookie);
  await instance.kill("SIGTERM");
  expect(await client.isSignedIn(checkout, cookie)).toBe(true);
  expect(await client.apiStatus(checkout, pair.access_token)).toBe(200);
  const next = await client.refresh(checkout, trusted, pair.refresh_token);
  expect(await client.apiStatus(checkout, next.access_token)).toBe(200);
});
