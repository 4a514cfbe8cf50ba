import { readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRemoteJWKSet, jwtVerify, SignJWT } from "jose";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startBeside, startInstance } from "../instance.ts";
import { describeProvider, signInAtProvider, startOidcProvider } from "../interop/oidc-provider.ts";
import { startSession } from "../oauth/fixtures.ts";
import {
  authorize,
  type Confidential,
  consent,
  cookieOf,
  exchange,
  type Pair,
  registerApplication,
  requestTokens,
  type Target,
  urlOf,
} from "../outages/client.ts";
import { codeOf, giveCode, givePassword, makeUser, PASSWORD, setUpApp } from "../pages/user.ts";

// Each test has a separate instance and spends most of its time waiting.
test.describe.configure({ mode: "parallel" });

const undo: (() => unknown)[] = [];
test.afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** Registers a trusted application that also uses the client credentials grant. */
const registerTrusted = (instance: Instance, ...options: readonly string[]): Promise<Confidential> =>
  registerApplication(
    instance,
    ...["--trusted", "--scopes", "openid read_user", "--client-credentials", "read_user", ...options],
  );

/** Requests a token with an assertion that the client signs with its secret. The server stores the secret encrypted. */
async function requestByAssertion(target: Target, { client_id, client_secret }: Confidential): Promise<void> {
  const assertion = await new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(target.baseUrl)
    .setIssuedAt()
    .setExpirationTime("1 minute")
    .sign(new TextEncoder().encode(client_secret));
  await requestTokens(target, {
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  });
}

/** Completes the authorization code flow, and verifies the ID token with the published keys. */
async function verifiedPair(instance: Instance, client: Confidential, cookie: string): Promise<Pair> {
  const { code } = await authorize(instance, client.client_id, cookie, { scope: "openid read_user" });
  const pair = await exchange(instance, client, code ?? "");
  const { id_token } = pair as Pair & { id_token: string };
  const keys = createRemoteJWKSet(new URL(`${instance.baseUrl}/oauth/discovery/keys`));
  await jwtVerify(id_token, keys, { issuer: instance.baseUrl, audience: client.client_id });
  return pair;
}

const refresh = (instance: Instance, client: Confidential, { refresh_token }: Pair): Promise<Pair> =>
  requestTokens(instance, { grant_type: "refresh_token", refresh_token, ...client });

/** Fails unless the server responds with 200. */
async function expectPage(
  target: Target,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const response = await fetch(urlOf(target, path), { headers, redirect: "manual" });
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}.`);
  await response.arrayBuffer();
}

type Requests = Readonly<Record<string, () => Promise<unknown>>>;

/** Repeats all requests until the returned function is called, which returns the number of runs of each request. */
function repeat(requests: Requests) {
  let isRunning = true;
  const runs: Record<string, number> = {};
  const failures = new Set<string>();
  const all = Promise.all(
    Object.entries(requests).map(async ([name, request]) => {
      while (isRunning) {
        await request().then(
          () => {
            runs[name] = (runs[name] ?? 0) + 1;
          },
          (cause: unknown) => failures.add(`${name}: ${cause}`),
        );
        await pause(200);
      }
    }),
  );
  return async () => {
    isRunning = false;
    await all;
    return { runs, failures: [...failures] };
  };
}

/** Opens the consent page of an application. @returns the fields of the page. */
async function openConsent(instance: Instance, client: Confidential, cookie: string) {
  const { fields } = await authorize(instance, client.client_id, cookie, { prompt: "consent" });
  if (fields === null) throw new Error("The server did not ask for consent.");
  return fields;
}

/** Allows any number of tokens of the client credentials grant, because the tests request tokens without a pause. */
async function allowAllTokens({ cli }: Instance): Promise<void> {
  const { code, stderr } = await cli("setting", "set", "limit_client_credentials_per_client", "0");
  if (code !== 0) throw new Error(stderr);
}

const secretIn = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, "secret"), "utf8")).trim();

test(
  conformance(
    "SC-70",
    "during `gatehouse secret rotate`, two workers accept sessions, tokens, client secrets and sign-ins; after the rotation, the server does not start with the previous secret",
  ),
  async ({ page, browser }, testInfo) => {
    const instance = await startInstance({ env: { WEB_CONCURRENCY: "2" } });
    undo.push(instance.stop);
    await allowAllTokens(instance);
    const { baseUrl, rootPassword, dataDir } = instance;
    const previous = await secretIn(dataDir);

    await makeUser(instance, "rotating");
    await startSession(page, baseUrl, "rotating", PASSWORD);
    await page.goto(`${baseUrl}/user_settings/two_factor/app`);
    const { secret } = await setUpApp(page);
    const visitor = await (await browser.newContext()).newPage();
    undo.push(() => visitor.context().close());
    await visitor.goto(`${baseUrl}/users/sign_in`);
    await givePassword(visitor, "rotating");
    const secondFactor = visitor.getByRole("heading", { name: "Sign in with your second factor" });
    await expect(secondFactor).toBeVisible();

    const provider = await startOidcProvider(instance, testInfo.outputPath("oidc-provider.log"));
    undo.push(provider.stop);
    await startSession(page, baseUrl, "root", rootPassword);
    await page.goto(`${baseUrl}/admin/identity_providers`);
    await page.getByRole("link", { name: "Add provider" }).click();
    await page.getByRole("link", { name: "Add OpenID Connect" }).click();
    await describeProvider(page, provider);
    await page.getByRole("button", { name: "Add provider" }).click();
    await expect(page.getByText("The provider is saved.")).toBeVisible();

    const cookie = await cookieOf(instance);
    const client = await registerTrusted(instance);
    const signing = await registerTrusted(instance, "--auth-method", "client_secret_jwt");
    const unknown = await registerApplication(instance);
    const form = await openConsent(instance, unknown, cookie);
    const pair = await verifiedPair(instance, client, cookie);
    let refreshed = await verifiedPair(instance, client, cookie);

    const openPage = () => expectPage(instance, "/user_settings/profile", { cookie });
    const callApi = () =>
      expectPage(instance, "/api/v4/user", { authorization: `Bearer ${pair.access_token}` });
    const refreshToken = async () => {
      refreshed = await refresh(instance, client, refreshed);
    };
    const signAssertion = () => requestByAssertion(instance, signing);
    const signIn = async () => void (await verifiedPair(instance, client, await cookieOf(instance)));
    const submitForm = async () => {
      const session = await cookieOf(instance);
      await consent(instance, await openConsent(instance, unknown, session), session);
    };
    const requests = { openPage, callApi, refreshToken, signAssertion, signIn, submitForm };

    const stop = repeat(requests);
    const { code, stdout, stderr } = await instance.program("secret", "rotate");
    const { runs, failures } = await stop();
    expect({ code, failures }, stderr).toEqual({ code: 0, failures: [] });
    expect(stdout).toContain("The previous instance secret is no longer accepted.");
    for (const name of Object.keys(requests)) expect(runs[name] ?? 0, name).toBeGreaterThan(1);

    expect(await secretIn(dataDir)).not.toBe(previous);
    expect((await readdir(dataDir)).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
    expect(instance.log()).not.toMatch(/secret\.not_checked|\.failed"/);

    // After a restart, the server has decrypted no value with the previous secret.
    await instance.kill("SIGTERM");
    const outdated = startBeside(instance, { GATEHOUSE_SECRET: previous, WEB_CONCURRENCY: "1" });
    await expect(outdated).rejects.toThrow("This database was created with another instance secret.");
    await instance.restart();
    for (const request of Object.values(requests)) await request();
    await expect(consent(instance, form, cookie)).rejects.toThrow("403");

    await giveCode(visitor, codeOf(secret));
    await expect(secondFactor).toBeHidden();
    await visitor.goto(`${baseUrl}/users/sign_in`);
    await givePassword(visitor, "rotating");
    await giveCode(visitor, codeOf(secret));
    await expect(visitor.getByRole("button", { name: "Account of rotating" })).toBeVisible();

    await visitor.context().clearCookies();
    await visitor.goto(`${baseUrl}/users/sign_in`);
    await visitor.getByRole("button", { name: "Sign in with Acme" }).click();
    await signInAtProvider(visitor, provider.issuer, "petra");
    await expect(visitor.getByRole("button", { name: /^Account of/ })).toBeVisible();
  },
);

test(
  conformance(
    "SC-70",
    "with GATEHOUSE_SECRET, `gatehouse secret rotate` changes nothing until each server has the new secret, and the previous secret stays valid until `gatehouse secret retire`",
  ),
  async () => {
    const [first = "", second = ""] = ["first", "second"].map((name) => `${name} ${crypto.randomUUID()}`);
    const instance = await startInstance({ env: { GATEHOUSE_SECRET: first } });
    undo.push(instance.stop);
    await allowAllTokens(instance);
    const outdated = await startBeside(instance);
    undo.push(outdated.stop);
    const cookie = await cookieOf(instance);
    const client = await registerTrusted(instance, "--auth-method", "client_secret_jwt");
    const form = await openConsent(instance, await registerApplication(instance), cookie);

    await instance.kill("SIGTERM");
    await instance.restart({ GATEHOUSE_SECRET: second, GATEHOUSE_SECRET_PREVIOUS: first });
    const refused = await instance.program("secret", "rotate");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("does not have the new secret, so nothing was changed.");
    expect(refused.stderr).toContain(`The server process ${hostname()} `);
    expect(refused.stderr).not.toContain(` ${instance.processId()} `);

    await outdated.stop();
    const beside = await startBeside(instance);
    undo.push(beside.stop);
    const targets: readonly Target[] = [instance, { ...instance, internalUrl: beside.url }];
    const requests: Requests = Object.fromEntries(
      targets.flatMap((target, at) => [
        [`session ${at}`, () => expectPage(target, "/user_settings/profile", { cookie })],
        [`assertion ${at}`, () => requestByAssertion(target, client)],
        [`form ${at}`, () => consent(target, form, cookie)],
      ]),
    );
    const stop = repeat(requests);
    const { code, stdout, stderr } = await instance.program("secret", "rotate", "--keep-previous");
    const { runs, failures } = await stop();
    expect({ code, failures }, stderr).toEqual({ code: 0, failures: [] });
    expect(stdout).toContain("The previous instance secret is still accepted");
    for (const name of Object.keys(requests)) expect(runs[name] ?? 0, name).toBeGreaterThan(1);
    for (const request of Object.values(requests)) await request();

    expect((await instance.program("secret", "retire")).code).toBe(0);
    await beside.stop();
    await instance.kill("SIGTERM");
    // After the rotation, the server ignores GATEHOUSE_SECRET_PREVIOUS.
    await instance.restart();
    await expectPage(instance, "/user_settings/profile", { cookie });
    await requestByAssertion(instance, client);
    await expect(consent(instance, form, cookie)).rejects.toThrow("403");
  },
);
