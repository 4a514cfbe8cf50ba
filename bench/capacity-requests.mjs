import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { hiddenFields } from "../scripts/hidden-fields.mjs";
import { newPassword } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { authorizationQuery, openBrowser } from "./browser.mjs";
import { newClient } from "./client.mjs";
import { basic } from "./credentials.mjs";
import { application } from "./gatehouse.mjs";
import { git, imported } from "./git.mjs";

/**
 * @import { Instance } from "../scripts/instance.mjs"
 * @import { Kind } from "./capacity-model.mjs"
 * @typedef {() => Promise<void | false>} Send sends one request and checks its response. The function returns
 *   false and sends no request if the connection has no unused authorization code.
 * @typedef {(connections: number) => Promise<readonly Send[]>} Prepare returns a function for each connection.
 */

const SCOPES = "openid read_user";
const COMMITS = 200;
/** The number of authorization codes that a connection exchanges in one round of the benchmark. */
const CODES = 150;

/**
 * Returns, for each kind of request, a function that prepares requests of this kind. Several users send the
 * prepared requests to the instance.
 * @param {Instance} instance
 * @param {string} place a folder for clones.
 * @returns {Promise<Readonly<Record<Kind, Prepare>>>}
 */
export async function capacityRequests(instance, place) {
  const { baseUrl, command } = instance;
  await command("setting", "set", "limit_password_per_login", "0");
  const { client_id: clientId, client_secret: clientSecret } = await application(
    command,
    "--trusted",
    SCOPES,
  );
  const { client_id: consentedId } = await application(command, undefined, SCOPES);
  const facts = {
    baseUrl,
    clientId,
    clientSecret,
    publicClientId: "",
    assertingClientId: "",
    privateJwk: {},
  };
  const client = newClient(facts, { token: "/oauth/token", deviceAuthorization: "/oauth/authorize_device" });
  const created = await command("token", "create", "--user=root", "--scopes=api", "--name=capacity");
  const { token } = /** @type {{ token: string }} */ (created);
  const event = await eventOf(instance, token);
  const cloneUrl = await repositoryOf(instance, token, place);
  /** @type {Awaited<ReturnType<typeof signedIn>>[]} */
  const users = [];

  /**
   * Returns a separate user for each connection, because connections of the same user would wait for locks on
   * the rows of this user.
   */
  const usersFor = async (/** @type {number} */ count) => {
    while (users.length < count) users.push(await signedIn(instance, token));
    return users.slice(0, count);
  };
  /** @type {(send: (user: Awaited<ReturnType<typeof signedIn>>) => Promise<Send>) => Prepare} */
  const forEachUser = (send) => async (connections) => Promise.all((await usersFor(connections)).map(send));

  const authorizeUrl = (/** @type {string} */ id, more = "") =>
    `${baseUrl}/oauth/authorize?${authorizationQuery(id, SCOPES)}${more}`;
  const tokensOf = async (/** @type {Awaited<ReturnType<typeof signedIn>>} */ { browser }) =>
    client.exchange(await browser.authorize(authorizeUrl(clientId)));
  /** @type {(path: string) => Prepare} */
  const bearer = (path) =>
    forEachUser(async (user) => {
      const { access_token } = await tokensOf(user);
      const headers = { authorization: `Bearer ${access_token}` };
      return () => expectStatus(fetch(baseUrl + path, { headers }), 200);
    });

  return {
    "sign-in": forEachUser(
      async ({ login, password }) =>
        () =>
          expectStatus(
            fetch(`${baseUrl}/users/session`, {
              method: "POST",
              redirect: "manual",
              body: new URLSearchParams({ intent: "sign_in", login, password }),
            }),
            303,
          ),
    ),
    authorization: forEachUser(async ({ browser }) => async () => {
      await browser.authorize(authorizeUrl(clientId));
    }),
    consent: forEachUser(async ({ browser }) => async () => {
      const page = await browser.send(
        await redirectOf(browser, authorizeUrl(consentedId, "&prompt=consent")),
      );
      const form = { ...hiddenFields(page.text), decision: "allow" };
      const { location } = await browser.send(`${baseUrl}/oauth/authorize`, form);
      if (!location?.includes("code="))
        throw new StepFailed("The response to the consent form contains no authorization code.");
    }),
    exchange: forEachUser(async ({ browser }) => {
      /** @type {string[]} */
      const codes = [];
      while (codes.length < CODES) codes.push(await browser.authorize(authorizeUrl(clientId)));
      return async () => {
        const code = codes.pop();
        if (code === undefined) return false;
        await client.exchange(code);
      };
    }),
    refresh: forEachUser(async (user) => {
      let { refresh_token } = await tokensOf(user);
      return async () => {
        const form = { grant_type: "refresh_token", refresh_token };
        ({ refresh_token } = /** @type {{ refresh_token: string }} */ (
          /** @type {unknown} */ (await client.token(form))
        ));
      };
    }),
    introspection: forEachUser(async (user) => {
      const { access_token } = await tokensOf(user);
      const headers = { authorization: basic(clientId, clientSecret) };
      return () =>
        expectStatus(
          fetch(`${baseUrl}/oauth/introspect`, {
            method: "POST",
            headers,
            body: new URLSearchParams({ token: access_token }),
          }),
          200,
        );
    }),
    userinfo: bearer("/oauth/userinfo"),
    "API read": bearer("/api/v4/user"),
    "token info": bearer("/oauth/token/info"),
    event: forEachUser(async () => event),
    clone: forEachUser(async () => {
      const to = join(place, `clone-${randomUUID()}`);
      return async () => {
        await git(["clone", "--quiet", "--bare", cloneUrl, to]);
        await rm(to, { recursive: true });
      };
    }),
    push: forEachUser(async () => {
      const branch = `topic-${randomUUID()}`;
      const folder = join(place, branch);
      await git(["clone", "--quiet", "--bare", cloneUrl, folder]);
      const local = ["--git-dir", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
      let parent = "main";
      return async () => {
        parent = (await git([...local, "commit-tree", "-p", parent, "-m", "Change", "main^{tree}"])).trim();
        await git([...local, "push", "--quiet", cloneUrl, `${parent}:refs/heads/${branch}`]);
      };
    }),
  };
}

/**
 * Creates a user, and signs in as this user.
 * @param {Instance} instance
 * @param {string} token a token of an administrator.
 */
async function signedIn({ baseUrl }, token) {
  const login = `user${randomUUID().slice(0, 8)}`;
  const password = newPassword();
  const body = {
    username: login,
    name: login,
    email: `${login}@example.com`,
    password,
    skip_confirmation: true,
  };
  const response = fetch(`${baseUrl}/api/v4/users`, {
    method: "POST",
    headers: { "private-token": token, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await expectStatus(response, 201);
  const browser = openBrowser(baseUrl);
  const { status } = await browser.send(`${baseUrl}/users/session`, { intent: "sign_in", login, password });
  if (status !== 303) throw new StepFailed(`The sign-in returned ${status}.`);
  return { login, password, browser };
}

/**
 * Creates a project, and returns a function that sends an error event to this project.
 * @param {Instance} instance
 * @param {string} token
 * @returns {Promise<Send>}
 */
async function eventOf({ baseUrl, command }, token) {
  for (const limit of ["error_events_per_minute", "new_errors_per_hour", "error_bytes_per_project"])
    await command("setting", "set", limit, "0");
  const created = await command("project", "create", "--path=bench/events", "--owner=root");
  const { id } = /** @type {{ id: number }} */ (created);
  const url = `${baseUrl}/api/v4/projects/${id}/error_tracking`;
  const headers = { "private-token": token };
  const enabled = fetch(`${url}/settings?active=true&integrated=true`, { method: "PUT", headers });
  await expectStatus(enabled, 200);
  const [{ public_key: key }] = /** @type {[{ public_key: string }]} */ (
    await (await fetch(`${url}/client_keys`, { headers })).json()
  );
  const frames = Array.from({ length: 14 }, (_, at) => ({
    function: `f${at}`,
    module: "shop",
    in_app: true,
  }));
  const exception = { type: "OrderError", value: "The order does not exist.", stacktrace: { frames } };
  const collector = `${baseUrl}/api/v4/error_tracking/collector/api/${id}/store/?sentry_key=${key}`;
  return () => {
    const body = JSON.stringify({ event_id: randomUUID().replaceAll("-", ""), exception });
    return expectStatus(fetch(collector, { method: "POST", body }), 200);
  };
}

/**
 * Creates a project whose repository contains commits.
 * @returns the URL from which the project can be cloned.
 * @param {Instance} instance
 * @param {string} token
 * @param {string} place
 */
async function repositoryOf({ baseUrl, command }, token, place) {
  const created = await command("project", "create", "--path=bench/clones", "--owner=root");
  const { path } = /** @type {{ path: string }} */ (created);
  const url = `${baseUrl.replace("://", `://x:${token}@`)}/${path}.git`;
  const source = join(place, "source.git");
  await imported(source, commits());
  await git(["--git-dir", source, "push", "--quiet", url, "main"]);
  return url;
}

function* commits() {
  for (let at = 0; at < COMMITS; at += 1) {
    yield `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + at} +0000\ndata 6\nChange\n`;
    const text = `line that change ${at} adds\n`.repeat(200);
    yield `M 100644 inline src/file-${at % 50}.txt\ndata ${text.length}\n${text}\n`;
  }
}

/**
 * @param {ReturnType<typeof openBrowser>} browser
 * @param {string} url
 */
async function redirectOf(browser, url) {
  const { location, status } = await browser.send(url);
  if (location === null) throw new StepFailed(`${url} returned ${status} instead of a redirect.`);
  return location;
}

/**
 * @param {Promise<Response>} request
 * @param {number} status
 */
async function expectStatus(request, status) {
  const response = await request;
  const text = await response.text();
  if (response.status !== status)
    throw new StepFailed(`${response.url} returned ${response.status}: ${text.slice(0, 200)}`);
}
