import * as serverRoute from "@app/.well-known/oauth-authorization-server/route.ts";
import * as openIdRoute from "@app/.well-known/openid-configuration/route.ts";
import { GET as webfinger } from "@app/.well-known/webfinger/route.ts";
import * as jwksRoute from "@app/-/jwks/route.ts";
import * as keysRoute from "@app/oauth/discovery/keys/route.ts";
import { describe, expect, it } from "vitest";
import { ALL_SCOPES } from "@/access/scopes.ts";
import { setFlag } from "@/instance/flags/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { rotateKeys } from "@/oauth/signing-keys/service.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { GRANTS } from "./grants/grants.ts";

const deps = await openTestDeps();
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";

const AUTH_METHODS = ["client_secret_basic", "client_secret_post", "private_key_jwt", "client_secret_jwt"];
const SIGNING_ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "HS256"],
];

const request = new Request(ORIGIN);

const metadata = async (): Promise<Record<string, unknown>> => (await openIdRoute.GET(request)).json();

describe("the discovery document", () => {
  it(
    conformance(
      "DC-01",
      "DC-02",
      "DC-03",
      "PK-14",
      "the discovery document contains exactly the specified members",
    ),
    async () => {
      expect(await metadata()).toEqual({
        issuer: ORIGIN,
        authorization_endpoint: `${ORIGIN}/oauth/authorize`,
        token_endpoint: `${ORIGIN}/oauth/token`,
        pushed_authorization_request_endpoint: `${ORIGIN}/oauth/par`,
        require_pushed_authorization_requests: false,
        revocation_endpoint: `${ORIGIN}/oauth/revoke`,
        introspection_endpoint: `${ORIGIN}/oauth/introspect`,
        userinfo_endpoint: `${ORIGIN}/oauth/userinfo`,
        end_session_endpoint: `${ORIGIN}/oauth/end_session`,
        jwks_uri: `${ORIGIN}/oauth/discovery/keys`,
        scopes_supported: [...ALL_SCOPES],
        response_types_supported: ["code"],
        response_modes_supported: ["query", "fragment", "form_post"],
        prompt_values_supported: ["none", "login", "consent", "select_account"],
        grant_types_supported: ["authorization_code", "refresh_token", "password", "client_credentials"],
        token_endpoint_auth_methods_supported: [...AUTH_METHODS, "none"],
        revocation_endpoint_auth_methods_supported: [...AUTH_METHODS, "none"],
        introspection_endpoint_auth_methods_supported: AUTH_METHODS,
        token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
        revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
        introspection_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
        dpop_signing_alg_values_supported: SIGNING_ALGORITHMS.filter((name) => name !== "HS256"),
        code_challenge_methods_supported: ["S256"],
        client_id_metadata_document_supported: true,
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
        acr_values_supported: [
          "urn:gatehouse:acr:single-factor",
          "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
          "phr",
        ],
        claim_types_supported: ["normal"],
        claims_supported: [
          ...["iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "at_hash", "sid"],
          ...["name", "nickname", "preferred_username", "profile", "picture", "email", "email_verified"],
          ...["groups", "groups_direct"],
        ],
        claims_parameter_supported: true,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
      });
    },
  );

  it(
    conformance(
      "DC-01",
      "CO-04",
      "the discovery document is the same JSON at both URLs, and readable by pages of every origin",
    ),
    async () => {
      const response = await serverRoute.GET(request);
      expect(await response.json()).toEqual(await metadata());
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      for (const route of [serverRoute, openIdRoute, keysRoute, jwksRoute])
        expect(Object.keys(route).toSorted()).toEqual(["GET", "OPTIONS"]);
      const preflight = openIdRoute.OPTIONS(new Request(`${ORIGIN}/.well-known/openid-configuration`));
      expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    },
  );

  it(
    conformance("DC-04", "all URLs in the discovery document begin with the URL of the issuer"),
    async () => {
      await setFlag(deps, "oauth2_device_grant_flow", true);
      const { config } = deps;
      const issuer = "https://id.example.com";
      Object.assign(deps, { config: { ...config, issuer } });
      const document = await metadata();
      Object.assign(deps, { config });
      await setFlag(deps, "oauth2_device_grant_flow", false);
      expect(document["issuer"]).toBe(issuer);
      const urls = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
      expect(urls.length).toBeGreaterThan(7);
      for (const [, url] of urls) expect(String(url).startsWith(`${issuer}/`)).toBe(true);
    },
  );

  it(
    conformance(
      "DC-02",
      "DC-03",
      "the discovery document lists the device grant immediately after the device grant is enabled",
    ),
    async () => {
      await setFlag(deps, "oauth2_device_grant_flow", true);
      const on = await metadata();
      expect(on["device_authorization_endpoint"]).toBe(`${ORIGIN}/oauth/authorize_device`);
      expect(on["grant_types_supported"]).toContain(DEVICE);
      await setFlag(deps, "oauth2_device_grant_flow", false);
      expect(await metadata()).not.toHaveProperty("device_authorization_endpoint");
    },
  );

  it(
    conformance("DC-03", "the discovery document lists the password grant only while passwords are accepted"),
    async () => {
      await changeSettings(deps, { password_authentication_enabled_for_git: "false" });
      expect((await metadata())["grant_types_supported"]).not.toContain("password");
      await changeSettings(deps, { password_authentication_enabled_for_git: "true" });
      expect((await metadata())["grant_types_supported"]).toContain("password");
    },
  );

  it(
    conformance(
      "DC-03",
      "the discovery document lists exactly the grant types that the token endpoint supports",
    ),
    async () => {
      await setFlag(deps, "oauth2_device_grant_flow", true);
      const named = (await metadata())["grant_types_supported"];
      expect(named).toEqual(expect.arrayContaining(GRANTS.map(({ type }) => type)));
      expect(named).toHaveLength(GRANTS.length);
      await setFlag(deps, "oauth2_device_grant_flow", false);
    },
  );
});

describe("the JWKS", () => {
  it(
    conformance(
      "JW-01",
      "JW-02",
      "the JWKS document contains only public keys, is cacheable, and is identical at both URLs",
    ),
    async () => {
      const response = await keysRoute.GET(request);
      expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d{1,5}$/);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      const { keys } = await response.json();
      expect(keys).toHaveLength(1);
      for (const key of keys)
        expect(Object.keys(key).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
      expect(await (await jwksRoute.GET(request)).json()).toEqual({ keys });
    },
  );
});

describe("a cached discovery document", () => {
  const conditional = (etag: string | null) =>
    new Request(ORIGIN, { headers: etag === null ? {} : { "if-none-match": etag } });

  it.each([
    ["the metadata", openIdRoute.GET],
    ["the JWKS", keysRoute.GET],
  ])(
    "the server responds to the revalidation of an unchanged discovery document with status 304 and no body: %s",
    async (_name, get) => {
      const etag = (await get(request)).headers.get("etag");
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const response = await get(conditional(etag));
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("etag")).toBe(etag);
      expect((await get(conditional('"other"'))).status).toBe(200);
    },
  );

  it("after a key rotation, the next request for the JWKS document returns a new document with another entity tag", async () => {
    const before = await keysRoute.GET(request);
    const [key] = await rotateKeys(deps);
    const after = await keysRoute.GET(conditional(before.headers.get("etag")));
    expect(after.status).toBe(200);
    const { keys } = await after.json();
    expect(keys.map((key: { kid: string }) => key.kid)).toContain(key?.kid);
    expect(keys).toHaveLength((await before.json()).keys.length + 1);
  });

  it("the discovery document gets another entity tag when a setting changes the metadata", async () => {
    const etag = (await openIdRoute.GET(request)).headers.get("etag");
    await changeSettings(deps, { password_authentication_enabled_for_git: "false" });
    expect((await openIdRoute.GET(conditional(etag))).status).toBe(200);
    await changeSettings(deps, { password_authentication_enabled_for_git: "true" });
    expect((await openIdRoute.GET(conditional(etag))).status).toBe(304);
  });
});

describe("webfinger", () => {
  const get = (query: string) => webfinger(new Request(`${ORIGIN}/.well-known/webfinger${query}`));

  it("webfinger returns the issuer for an account", async () => {
    const response = get("?resource=acct%3Aann%40localhost");
    expect(response.headers.get("content-type")).toBe("application/jrd+json");
    expect(await response.json()).toEqual({
      subject: "acct:ann@localhost",
      links: [{ rel: "http://openid.net/specs/connect/1.0/issuer", href: ORIGIN }],
    });
  });

  it.each(["", "?resource=", "?resource=ann", "?resource=a:b&resource=a:b", "?resource=%zz"])(
    "webfinger refuses %j",
    (query) => {
      expect(get(query).status).toBe(400);
    },
  );
});
