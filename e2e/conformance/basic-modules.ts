import { setTimeout as pause } from "node:timers/promises";
import type { ModuleName } from "../../scripts/conformance-catalog/certification-plans.mjs";
import { createClockShift } from "../faults/clock-shift.ts";
import { expect, registerConfidential, test } from "../fixtures.ts";
import { startBeside } from "../instance.ts";
import {
  type Browser,
  completed,
  type Fields,
  openBrowser,
  type RelyingParty,
  type ResponseMode,
  relyingParty,
  type TokenResponse,
} from "./relying-party.ts";

type BasicModule = ModuleName<"OF-01">;

/**
 * Declares a test for each module of the Basic OP certification plan.
 * @param responseMode the response mode of all authorization requests.
 * @param module returns the title of the test of a module.
 */
export function declareBasicModules(
  responseMode: ResponseMode,
  module: (name: BasicModule, sentence: string) => string,
): void {
  /** The OAuth client that runs the modules. */
  let party: RelyingParty;
  /** A browser in which the user is signed in and has consented. */
  let user: Browser;
  let metadata: Readonly<Record<string, unknown>>;

  test.beforeAll(async ({ instance, applications: { confidential, site } }) => {
    party = relyingParty(instance, confidential, site.redirectUri, responseMode);
    user = openBrowser(instance);
    await party.authorize(user, { scope: "openid profile email" });
    metadata = await (await fetch(`${instance.baseUrl}/.well-known/openid-configuration`)).json();
  });

  /** Runs the authorization code flow, and makes the checks that the conformance suite makes in each flow. */
  async function flow(changes: Fields = {}, authorize = party.authorize, browser = user) {
    const nonce = "nonce" in changes ? changes["nonce"] : "n-0S6_WzA2Mj";
    const callback = await authorize(browser, { ...changes, nonce });
    const tokens = await party.exchange(callback);
    const { payload, protectedHeader } = await checkedTokens(party, tokens);
    expect(payload["nonce"]).toBe(nonce);
    return { callback, tokens, claims: payload, header: protectedHeader };
  }

  /** Sends an authorization request that the server refuses, and checks the response. Returns the error. */
  async function errorOf(changes: Fields, browser = user): Promise<string | undefined> {
    const { error, ...rest } = await party.authorizeWithoutPages(browser, changes);
    const { error_description: description = "", error_uri: _, state: __, iss: ___, ...unexpected } = rest;
    expect(unexpected).toEqual({});
    expect(description).toMatch(/^[ !#-[\]-~]*$/);
    return error;
  }

  test(
    module(
      "oidcc-server",
      "the client receives a code with its state, and exchanges the code for a valid ID token",
    ),
    async () => {
      const { callback, claims } = await flow({ state: "a state &+ü" });
      expect(callback["state"]).toBe("a state &+ü");
      expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat));
    },
  );

  test(
    module("oidcc-response-type-missing", "a request without response_type is refused with an error"),
    async () => {
      expect(await errorOf({ response_type: undefined })).toBe("invalid_request");
    },
  );

  test(
    module(
      "oidcc-idtoken-signature",
      "the ID token is signed with RS256, and names the key of the signature",
    ),
    async () => {
      expect((await flow()).header).toMatchObject({ alg: "RS256", kid: expect.any(String) });
    },
  );

  test(
    module(
      "oidcc-idtoken-unsigned",
      "the metadata does not announce the algorithm none, so that no client can request an unsigned ID token",
    ),
    async () => {
      expect(metadata["id_token_signing_alg_values_supported"]).toContain("RS256");
      expect(metadata["id_token_signing_alg_values_supported"]).not.toContain("none");
    },
  );

  for (const [name, way] of [
    ["oidcc-userinfo-get", "get"],
    ["oidcc-userinfo-post-header", "header"],
    ["oidcc-userinfo-post-body", "body"],
  ] as const)
    test(module(name, "userinfo returns the subject of the ID token"), async () => {
      const { tokens, claims } = await flow();
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
    async () => {
      const { claims } = await flow({ nonce: undefined });
      expect(claims).not.toHaveProperty("nonce");
    },
  );

  for (const [name, scope, expected] of [
    ["oidcc-scope-profile", "openid profile", ["name", "preferred_username", "profile"]],
    ["oidcc-scope-email", "openid email", ["email", "email_verified"]],
    ["oidcc-ensure-other-scope-order-succeeds", "email openid", ["email", "email_verified"]],
  ] as const)
    test(module(name, "userinfo has the claims of the scope"), async () => {
      const { tokens } = await flow({ scope });
      const { body } = await party.userinfo(tokens.body["access_token"]);
      expect(Object.keys(body)).toEqual(expect.arrayContaining([...expected]));
    });

  for (const [name, scope] of [
    ["oidcc-scope-address", "address"],
    ["oidcc-scope-phone", "phone"],
  ] as const)
    test(
      module(name, "the metadata does not announce the scope, and a request for the scope is refused"),
      async () => {
        expect(metadata["scopes_supported"]).not.toContain(scope);
        expect(await errorOf({ scope: `openid ${scope}` })).toBe("invalid_scope");
      },
    );

  test(
    module(
      "oidcc-scope-all",
      "userinfo has the claims of profile and email, the only scopes of the module that the metadata announces",
    ),
    async () => {
      const supported = metadata["scopes_supported"];
      if (!Array.isArray(supported)) throw new Error("The metadata has no list of scopes.");
      const scopes = ["openid", "email", "phone", "address", "profile"].filter((name) =>
        supported.includes(name),
      );
      expect(scopes).toEqual(["openid", "email", "profile"]);
      const { tokens } = await flow({ scope: scopes.join(" ") });
      const { body } = await party.userinfo(tokens.body["access_token"]);
      expect(body).toMatchObject({
        name: expect.any(String),
        email: expect.any(String),
        email_verified: true,
      });
    },
  );

  for (const [name, changes] of [
    ["oidcc-display-page", { display: "page" }],
    ["oidcc-display-popup", { display: "popup" }],
    ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
    ["oidcc-ui-locales", { ui_locales: "se" }],
    ["oidcc-claims-locales", { claims_locales: "se" }],
  ] as const)
    test(module(name, "the flow succeeds"), async () => {
      await flow(changes);
    });

  test(
    module("oidcc-prompt-login", "the user must sign in again, and the second auth_time is later"),
    async () => {
      const first = await flow({ max_age: "15000" });
      await untilNextSecond(first.claims["auth_time"]);
      const second = await flow({ prompt: "login" }, party.authorizeAfterSignIn);
      expect(Number(second.claims["auth_time"])).toBeGreaterThan(Number(first.claims["auth_time"]));
      expect(second.claims.sub).toBe(first.claims.sub);
    },
  );

  test(
    module("oidcc-prompt-none-not-logged-in", "prompt=none without a session is refused with login_required"),
    async ({ instance }) => {
      expect(await errorOf({ prompt: "none" }, openBrowser(instance))).toBe("login_required");
    },
  );

  test(
    module(
      "oidcc-prompt-none-logged-in",
      "prompt=none with a session returns the same user and shows no page",
    ),
    async () => {
      const first = await flow();
      const second = await flow({ prompt: "none" }, party.authorizeWithoutPages);
      expect(second.claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims["auth_time"] });
    },
  );

  test(
    module(
      "oidcc-max-age-1",
      "the user must sign in again after two seconds, and the second auth_time is later",
    ),
    async () => {
      const first = await flow({ max_age: "15000" });
      await pause(2_000);
      const second = await flow({ max_age: "1" }, party.authorizeAfterSignIn);
      const time = Number(second.claims["auth_time"]);
      expect(time).toBeGreaterThan(Number(first.claims["auth_time"]));
      expect(Math.abs(Date.now() / 1000 - time)).toBeLessThan(30);
    },
  );

  test(
    module("oidcc-max-age-10000", "the user does not sign in again, and auth_time does not change"),
    async () => {
      const first = await flow({ max_age: "15000" });
      const second = await flow({ max_age: "10000" }, party.authorizeWithoutPages);
      expect(first.claims["auth_time"]).toEqual(expect.any(Number));
      expect(second.claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims["auth_time"] });
    },
  );

  test(
    module(
      "oidcc-id-token-hint",
      "prompt=none with the ID token of the user returns the same user and shows no page",
    ),
    async () => {
      const first = await flow();
      const hint = String(first.tokens.body["id_token"]);
      const second = await flow({ prompt: "none", id_token_hint: hint }, party.authorizeWithoutPages);
      expect(second.claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims["auth_time"] });
    },
  );

  test(
    module("oidcc-login-hint", "a user without a session signs in, and the flow succeeds"),
    async ({ instance }) => {
      const browser = openBrowser(instance);
      await flow({ login_hint: "root" }, party.authorizeAfterSignIn, browser);
    },
  );

  test(
    module("oidcc-ensure-request-with-acr-values-succeeds", "the ID token has one of the requested values"),
    async () => {
      const supported = metadata["acr_values_supported"];
      if (!Array.isArray(supported)) throw new Error("The metadata has no list of acr values.");
      const { claims } = await flow({ acr_values: supported.join(" ") });
      expect(supported).toContain(claims["acr"]);
    },
  );

  test(module("oidcc-codereuse", "a second use of the code is refused with invalid_grant"), async () => {
    const { callback } = await flow();
    expect(await party.exchange(callback)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  // The test does not wait for 30 seconds. The server process that receives the code again has a clock that is
  // 30 seconds ahead. All settings have their default values.
  test(
    module(
      "oidcc-codereuse-30seconds",
      "a second use of the code, which a server process with a clock 30 seconds ahead receives, is refused with invalid_grant, and revokes the access token",
    ),
    async ({ instance, applications: { confidential, site } }) => {
      const { callback, tokens } = await flow();
      const clock = await createClockShift(30_000);
      const later = await startBeside(instance, clock.env);
      const again = relyingParty({ ...instance, baseUrl: later.url }, confidential, site.redirectUri);
      const second = await again.exchange(callback);
      await later.stop();
      await clock.remove();
      expect(second).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
      expect((await party.userinfo(tokens.body["access_token"])).status).toBe(401);
    },
  );

  test(
    module("oidcc-ensure-registered-redirect-uri", "an unregistered redirect URI gets no response"),
    async () => {
      const redirectUri = `${party.redirectUri}/other`;
      const page = await user.open(party.requestUrl({ redirect_uri: redirectUri }));
      expect(page).toMatchObject({
        status: 400,
        html: expect.not.stringContaining(`action="${redirectUri}"`),
      });
    },
  );

  test(
    module("oidcc-ensure-post-request-succeeds", "an authorization request by POST succeeds"),
    async ({ instance }) => {
      const url = new URL(party.requestUrl());
      const form = Object.fromEntries(url.searchParams);
      const result = await completed(user, instance, `${url.origin}${url.pathname}`, form);
      await checkedTokens(party, await party.exchange(party.callbackOf(result)));
    },
  );

  test(
    module("oidcc-server-client-secret-post", "the client authenticates with its secret in the form"),
    async () => {
      expect(metadata["token_endpoint_auth_methods_supported"]).toContain("client_secret_post");
      await checkedTokens(party, await party.exchange(await party.authorize(user), "post"));
    },
  );

  test(
    module(
      "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported",
      "a request with the URL of a request object is refused with request_uri_not_supported",
    ),
    async () => {
      expect(metadata["request_uri_parameter_supported"]).toBe(false);
      const requestUri = new URL("/request-object", party.redirectUri).href;
      expect(await errorOf({ request_uri: requestUri })).toBe("request_uri_not_supported");
    },
  );

  test(
    module(
      "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
      "a request with an unsigned request object is refused with request_not_supported",
    ),
    async () => {
      expect(metadata["request_parameter_supported"]).toBe(false);
      expect(await errorOf({ request: requestObjectOf(party.requestUrl()) })).toBe("request_not_supported");
    },
  );

  test(module("oidcc-claims-essential", "userinfo has the essential claim name"), async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    const { tokens } = await flow({ claims });
    const { body } = await party.userinfo(tokens.body["access_token"]);
    expect(body).toMatchObject({ name: expect.any(String) });
  });

  test(
    module(
      "oidcc-ensure-request-object-with-redirect-uri",
      "a request with a request object is refused with request_not_supported, and sends nothing to the redirect URI of the request object",
    ),
    async () => {
      const request = requestObjectOf(party.requestUrl({ redirect_uri: "https://other.example/callback" }));
      expect(await errorOf({ request })).toBe("request_not_supported");
    },
  );

  test(
    module(
      "oidcc-refresh-token",
      "another client cannot use the refresh token, and the client gets an ID token of the same user and authentication",
    ),
    async ({ instance, applications: { site } }) => {
      expect(metadata["grant_types_supported"]).toContain("refresh_token");
      const { tokens, claims } = await flow({ scope: "openid offline_access", prompt: "consent" });
      const refresh_token = String(tokens.body["refresh_token"]);
      expect(refresh_token).toMatch(/^[ -~]{20,}$/);
      const fields = { grant_type: "refresh_token", refresh_token };
      const about = ["--name", "Acme Second", "--redirect-uri", site.redirectUri, "--scopes", "openid"];
      const second = await registerConfidential(instance, ...about);
      const other = relyingParty(instance, second, site.redirectUri);
      expect(await other.token(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });

      const refreshed = await party.token(fields);
      const { payload } = await checkedTokens(party, refreshed);
      const { sub, aud, auth_time } = claims;
      expect(payload).toMatchObject({ sub, aud, auth_time });
      expect(refreshed.body["access_token"]).not.toBe(tokens.body["access_token"]);
    },
  );

  test(
    module(
      "oidcc-ensure-request-with-valid-pkce-succeeds",
      "an exchange with the correct code verifier succeeds",
    ),
    async () => {
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
      await checkedTokens(party, tokens);
    },
  );
}

/** Checks a token response, and requests userinfo with the access token. Returns the verified ID token. */
async function checkedTokens(party: RelyingParty, tokens: TokenResponse) {
  expect(tokens).toMatchObject({
    status: 200,
    body: { token_type: expect.stringMatching(/^bearer$/i), expires_in: expect.any(Number) },
  });
  const verified = await party.verified(tokens);
  expect(await party.userinfo(tokens.body["access_token"])).toMatchObject({
    status: 200,
    body: { sub: verified.payload.sub },
  });
  return verified;
}

/** Returns an unsigned request object with the parameters of an authorization request. */
function requestObjectOf(requestUrl: string): string {
  const claims = Object.fromEntries(new URL(requestUrl).searchParams);
  const encoded = [{ alg: "none" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${encoded.join(".")}.`;
}

/** Waits until the clock shows a later second than `time`, which is in seconds. */
async function untilNextSecond(time: unknown): Promise<void> {
  await pause(Math.max(0, (Number(time) + 1) * 1000 - Date.now()));
}
