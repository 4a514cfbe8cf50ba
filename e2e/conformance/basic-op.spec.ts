// The modules of the OpenID Connect Basic OP certification plan of the OpenID Foundation, with their names.
import { setTimeout as pause } from "node:timers/promises";
import { decodeJwt } from "jose";
import { conformance } from "../../src/testing/conformance.ts";
import { test as base, expect } from "../fixtures.ts";
import {
  type Browser,
  type Callback,
  callbackOf,
  completed,
  type Fields,
  isConsent,
  isSignIn,
  openBrowser,
  type RelyingParty,
  relyingParty,
  signIn,
} from "./relying-party.ts";

/**
 * `party` is the OAuth client that runs the modules of the certification plan. `user` is a browser in which
 * the user is signed in and has consented.
 */
const test = base.extend<{ party: RelyingParty; user: Browser }>({
  party: async ({ instance, applications }, use) => {
    await use(relyingParty(instance, applications.confidential, applications.site.redirectUri));
  },
  user: async ({ instance, party }, use) => {
    const browser = openBrowser(instance);
    await party.authorize(browser, { scope: "openid profile email" });
    await use(browser);
  },
});

const PLAN = "oidcc-basic-certification-test-plan";
const module = (name: string, sentence: string): string =>
  conformance("OF-01", `${PLAN}: ${name}: ${sentence}`);

/**
 * Runs the authorization code flow, and checks the token response and the ID token as each module of the
 * conformance suite does.
 */
async function flow(party: RelyingParty, user: Browser, changes: Fields = {}) {
  const nonce = "nonce" in changes ? changes["nonce"] : "n-0S6_WzA2Mj";
  const callback = await party.authorize(user, { ...changes, nonce });
  const tokens = await party.exchange(callback);
  expect(tokens).toMatchObject({ status: 200, body: { token_type: expect.stringMatching(/^bearer$/i) } });
  const { payload, protectedHeader } = await party.verified(tokens);
  expect(payload["nonce"]).toBe(nonce);
  return { callback, tokens, claims: payload, header: protectedHeader };
}

/**
 * Returns the parameters of a redirect that returns an error to the client. Fails if the server shows a page
 * instead of this redirect.
 */
async function refused(party: RelyingParty, user: Browser, changes: Fields): Promise<Callback> {
  return callbackOf(await user.open(party.requestUrl(changes)), party.redirectUri);
}

test(module("oidcc-server", "the code flow returns a valid ID token"), async ({ party, user }) => {
  const { callback, claims } = await flow(party, user, { state: "a state" });
  expect(callback["state"]).toBe("a state");
  expect(Number(claims.exp) - Number(claims.iat)).toBeGreaterThan(0);
});

test(
  module("oidcc-response-type-missing", "a request without response_type is refused with an error"),
  async ({ party, user }) => {
    expect(await refused(party, user, { response_type: undefined })).toMatchObject({
      error: "invalid_request",
    });
  },
);

for (const [name, way] of [
  ["oidcc-userinfo-get", "get"],
  ["oidcc-userinfo-post-header", "header"],
  ["oidcc-userinfo-post-body", "body"],
] as const)
  test(module(name, "userinfo returns the subject of the ID token"), async ({ party, user }) => {
    const { tokens, claims } = await flow(party, user);
    expect(await party.userinfo(tokens.body["access_token"], way)).toMatchObject({
      status: 200,
      body: { sub: claims.sub },
    });
  });

test(
  module(
    "oidcc-ensure-request-without-nonce-succeeds-for-code-flow",
    "a request without a nonce gets an ID token without a nonce",
  ),
  async ({ party, user }) => {
    const { claims } = await flow(party, user, { nonce: undefined });
    expect(claims).not.toHaveProperty("nonce");
  },
);

for (const [name, scope, expected] of [
  ["oidcc-scope-profile", "openid profile", ["name", "preferred_username", "profile"]],
  ["oidcc-scope-email", "openid email", ["email", "email_verified"]],
  ["oidcc-scope-all", "openid profile email", ["name", "email", "email_verified"]],
  ["oidcc-ensure-other-scope-order-succeeds", "email openid", ["email", "email_verified"]],
] as const)
  test(module(name, "userinfo has the claims of the scope"), async ({ party, user }) => {
    const { tokens } = await flow(party, user, { scope });
    const { body } = await party.userinfo(tokens.body["access_token"]);
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...expected]));
  });

for (const [name, display] of [
  ["oidcc-display-page", "page"],
  ["oidcc-display-popup", "popup"],
] as const)
  test(module(name, "the flow succeeds"), async ({ party, user }) => {
    await flow(party, user, { display });
  });

test(
  module("oidcc-prompt-login", "the user signs in again, and auth_time is not earlier"),
  async ({ instance, party, user }) => {
    const first = await flow(party, user, { max_age: "15000" });
    await pause(1_000);
    const page = await user.open(party.requestUrl({ prompt: "login", nonce: "n-0S6_WzA2Mj" }));
    if (!isSignIn(page) || page instanceof URL) throw new Error("The sign-in page was not shown.");
    const result = await signIn(user, instance, page);
    const tokens = await party.exchange(callbackOf(result, party.redirectUri));
    const { payload } = await party.verified(tokens);
    expect(Number(payload["auth_time"])).toBeGreaterThan(Number(first.claims["auth_time"]));
  },
);

test(
  module("oidcc-prompt-none-not-logged-in", "prompt=none without a session is refused with login_required"),
  async ({ instance, party }) => {
    const signedOut = openBrowser(instance);
    expect(await refused(party, signedOut, { prompt: "none" })).toMatchObject({ error: "login_required" });
  },
);

test(
  module("oidcc-prompt-none-logged-in", "prompt=none with a session returns the same user and shows no page"),
  async ({ party, user }) => {
    const first = await flow(party, user);
    const callback = await refused(party, user, { prompt: "none" });
    const { payload } = await party.verified(await party.exchange(callback));
    expect(payload.sub).toBe(first.claims.sub);
    expect(payload["auth_time"]).toBe(first.claims["auth_time"]);
  },
);

test(
  module("oidcc-max-age-1", "the user signs in again after two seconds"),
  async ({ instance, party, user }) => {
    const first = await flow(party, user, { max_age: "15000" });
    await pause(2_000);
    const page = await user.open(party.requestUrl({ max_age: "1" }));
    if (!isSignIn(page) || page instanceof URL) throw new Error("The sign-in page was not shown.");
    const callback = callbackOf(await signIn(user, instance, page), party.redirectUri);
    const { payload } = await party.verified(await party.exchange(callback));
    expect(Number(payload["auth_time"])).toBeGreaterThan(Number(first.claims["auth_time"]));
  },
);

test(
  module("oidcc-max-age-10000", "the user does not sign in again, and auth_time does not change"),
  async ({ party, user }) => {
    const first = await flow(party, user, { max_age: "10000" });
    const callback = await refused(party, user, { max_age: "10000" });
    const { payload } = await party.verified(await party.exchange(callback));
    expect(payload["auth_time"]).toBe(first.claims["auth_time"]);
  },
);

for (const [name, changes] of [
  ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
  ["oidcc-login-hint", { login_hint: "root" }],
  ["oidcc-ui-locales", { ui_locales: "se" }],
  ["oidcc-claims-locales", { claims_locales: "se" }],
] as const)
  test(module(name, "the flow succeeds"), async ({ party, user }) => {
    await flow(party, user, changes);
  });

test(
  module("oidcc-ensure-request-with-acr-values-succeeds", "the ID token has one of the requested classes"),
  async ({ instance, party, user }) => {
    const metadata = await (await fetch(`${instance.baseUrl}/.well-known/openid-configuration`)).json();
    const supported: readonly string[] = metadata.acr_values_supported;
    const { claims } = await flow(party, user, { acr_values: supported.join(" ") });
    expect(supported).toContain(claims["acr"]);
    await flow(party, user, { acr_values: "1 2" });
  },
);

test(module("oidcc-claims-essential", "userinfo has the essential claim name"), async ({ party, user }) => {
  const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
  const { tokens } = await flow(party, user, { claims });
  const { body } = await party.userinfo(tokens.body["access_token"]);
  expect(body).toMatchObject({ name: expect.any(String) });
});

test(
  module("oidcc-id-token-hint", "prompt=none with the ID token of the user succeeds"),
  async ({ party, user }) => {
    const { tokens, claims } = await flow(party, user);
    const hint = String(tokens.body["id_token"]);
    const callback = await refused(party, user, { prompt: "none", id_token_hint: hint });
    expect(decodeJwt(String((await party.exchange(callback)).body["id_token"])).sub).toBe(claims.sub);
  },
);

test(module("oidcc-codereuse", "a second use of the code is refused"), async ({ party, user }) => {
  const { callback } = await flow(party, user);
  expect(await party.exchange(callback)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test(
  module(
    "oidcc-codereuse-30seconds",
    "a second use of the code after 30 seconds also revokes the access token",
  ),
  async ({ instance, party, user }) => {
    await instance.cli("setting", "set", "code_reuse_leeway", "0");
    const { callback, tokens } = await flow(party, user);
    // If the second exchange of an authorization code is in the same millisecond as the first exchange, the
    // server does not treat the second exchange as a replay.
    await pause(20);
    expect((await party.exchange(callback)).status).toBe(400);
    expect((await party.userinfo(tokens.body["access_token"])).status).toBe(401);
    await instance.cli("setting", "set", "code_reuse_leeway", "10");
  },
);

test(
  module("oidcc-ensure-registered-redirect-uri", "an unregistered redirect URI receives no redirect"),
  async ({ party, user }) => {
    const page = await user.open(party.requestUrl({ redirect_uri: `${party.redirectUri}/other` }));
    expect(page).toMatchObject({ status: 400 });
  },
);

test(
  module("oidcc-ensure-post-request-succeeds", "an authorization request by POST is accepted"),
  async ({ instance, party, user }) => {
    const url = new URL(party.requestUrl());
    const form = Object.fromEntries(url.searchParams);
    const result = await completed(user, instance, `${url.origin}${url.pathname}`, form);
    expect((await party.exchange(callbackOf(result, party.redirectUri))).status).toBe(200);
  },
);

test(
  module("oidcc-server-client-secret-post", "the client authenticates with the form"),
  async ({ party, user }) => {
    const tokens = await party.exchange(await party.authorize(user), "post");
    expect(tokens.status).toBe(200);
    await party.verified(tokens);
  },
);

test(
  module(
    "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
    "a request object is rejected with request_not_supported",
  ),
  async ({ party, user }) => {
    const object = `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`;
    expect(await refused(party, user, { request: object })).toMatchObject({ error: "request_not_supported" });
  },
);

test(
  module(
    "oidcc-ensure-request-object-with-redirect-uri",
    "a request object does not change the redirect URI",
  ),
  async ({ party, user }) => {
    const claims = Buffer.from('{"redirect_uri":"https://evil.example/"}').toString("base64url");
    const object = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    expect(await refused(party, user, { request: object })).toMatchObject({ error: "request_not_supported" });
  },
);

test(
  module("oidcc-refresh-token", "a refresh returns an ID token of the same user, which keeps auth_time"),
  async ({ party, user }) => {
    const { tokens, claims } = await flow(party, user, { scope: "openid offline_access" });
    const refreshed = await party.token({
      grant_type: "refresh_token",
      refresh_token: String(tokens.body["refresh_token"]),
    });
    const { payload } = await party.verified(refreshed);
    expect(payload).toMatchObject({ sub: claims.sub, auth_time: claims["auth_time"] });
    expect(await party.userinfo(refreshed.body["access_token"])).toMatchObject({ status: 200 });
  },
);

test(
  module(
    "oidcc-ensure-request-with-valid-pkce-succeeds",
    "an exchange with the correct code verifier is accepted",
  ),
  async ({ party, user }) => {
    const callback = await party.authorize(user, {
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const tokens = await party.token({
      grant_type: "authorization_code",
      code: callback["code"],
      redirect_uri: party.redirectUri,
      code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    });
    expect(tokens.status).toBe(200);
  },
);

test(
  module("oidcc-idtoken-signature", "the ID token is signed with a published RSA key"),
  async ({ party, user }) => {
    expect((await flow(party, user)).header).toMatchObject({ alg: "RS256", kid: expect.any(String) });
  },
);

test(
  module("oidcc-userinfo-unauthorized", "userinfo refuses a wrong token, and a first use asks for consent"),
  async ({ instance, party }) => {
    expect((await party.userinfo("wrong")).status).toBe(401);
    const stranger = openBrowser(instance);
    const page = await stranger.open(party.requestUrl());
    expect(isSignIn(page) && !isConsent(page)).toBe(true);
  },
);
