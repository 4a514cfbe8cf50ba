import type { Page } from "@playwright/test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import type { ClientSite } from "../oauth/client-site.ts";
import { exchange, newRun, withPkce } from "../oauth/fixtures.ts";
import { type Confidential, callbackOf, expect, test } from "./fixtures.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

/** Reads the server metadata from one of the two discovery documents. */
async function discover(
  instance: Instance,
  algorithm: "oidc" | "oauth2",
): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(instance.baseUrl);
  const response = await oauth.discoveryRequest(issuer, { algorithm, ...insecure });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** The tokens of one authorization code flow. The ID token contains the nonce of the flow. */
async function grantedTokens(
  page: Page,
  instance: Instance,
  site: ClientSite,
  application: Confidential,
): Promise<oauth.TokenEndpointResponse> {
  const nonce = oauth.generateRandomNonce();
  const parameters = { redirect_uri: site.redirectUri, scope: "openid email read_user", nonce };
  const { url, state, verifier } = withPkce(await newRun(instance, application, parameters));
  const callback = await callbackOf(page, instance, site, url);
  return exchange(instance, application, {
    url: callback,
    state,
    redirectUri: site.redirectUri,
    verifier,
    nonce,
  });
}

const subjectOf = (tokens: oauth.TokenEndpointResponse): string =>
  oauth.getValidatedIdTokenClaims(tokens)?.sub ?? "";

test(
  conformance(
    "DC-01",
    "ID-02",
    "ID-03",
    "JW-01",
    "UI-01",
    "oauth4webapi and jose accept an ID token with its nonce, and the userinfo response about the same user",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    const server = await discover(instance, "oidc");
    const tokens = await grantedTokens(page, instance, site, confidential);
    const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ""), { timeoutDuration: 60_000 });
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token ?? "", keys, {
      issuer: instance.baseUrl,
      audience: confidential.client_id,
      requiredClaims: ["sub", "iat", "exp", "auth_time", "nonce", "at_hash"],
    });
    expect(protectedHeader).toMatchObject({ alg: "RS256", kid: expect.any(String) });
    const response = await oauth.userInfoRequest(server, confidential, tokens.access_token, insecure);
    const user = await oauth.processUserInfoResponse(server, confidential, subjectOf(tokens), response);
    expect(user).toMatchObject({ sub: payload.sub, email: payload["email"] });
  },
);

test(
  conformance(
    "TK-06",
    "RT-01",
    "RT-18",
    "IN-01",
    "IN-03",
    "RV-01",
    "RV-04",
    "oauth4webapi refreshes, introspects and revokes tokens with the client secret in the request body",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    const server = await discover(instance, "oauth2");
    const secret = oauth.ClientSecretPost(confidential.client_secret);
    const first = await grantedTokens(page, instance, site, confidential);
    const refresh = first.refresh_token ?? "";
    const second = await oauth.processRefreshTokenResponse(
      server,
      confidential,
      await oauth.refreshTokenGrantRequest(server, confidential, secret, refresh, insecure),
    );
    expect(subjectOf(second)).toBe(subjectOf(first));
    const introspect = async (token: string) => {
      const response = await oauth.introspectionRequest(server, confidential, secret, token, insecure);
      return oauth.processIntrospectionResponse(server, confidential, response);
    };
    expect(await introspect(second.access_token)).toMatchObject({ active: true, username: "root" });
    expect(await introspect(first.access_token)).toEqual({ active: false });
    for (const token of [second.refresh_token ?? "", second.access_token, "never-issued"]) {
      const response = await oauth.revocationRequest(server, confidential, secret, token, insecure);
      await oauth.processRevocationResponse(response);
    }
    expect(await introspect(second.access_token)).toEqual({ active: false });
  },
);

test(
  conformance(
    "SU-01",
    "SU-08",
    "AZ-26",
    "oauth4webapi requests claims, an authentication context class and a maximum age, and accepts auth_time before and after a new sign-in",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    const server = await discover(instance, "oidc");
    expect(server.claims_parameter_supported).toBe(true);
    const classes = server.acr_values_supported ?? [];
    const claims = JSON.stringify({
      id_token: { auth_time: { essential: true }, acr: { essential: true, values: classes } },
      userinfo: { email: null },
    });
    const redirectUri = site.redirectUri;
    const tokensFor = async (parameters: Readonly<Record<string, string>>, maxAge: number) => {
      const nonce = oauth.generateRandomNonce();
      const all = { redirect_uri: redirectUri, scope: "openid", nonce, claims, ...parameters };
      const { url, state, verifier } = withPkce(await newRun(instance, confidential, all));
      const callback = await callbackOf(page, instance, site, url);
      return exchange(instance, confidential, { url: callback, state, redirectUri, verifier, nonce, maxAge });
    };
    const first = await tokensFor({ max_age: "600", acr_values: classes.join(" ") }, 600);
    const stated = oauth.getValidatedIdTokenClaims(first);
    expect(classes).toContain(stated?.["acr"]);
    const response = await oauth.userInfoRequest(server, confidential, first.access_token, insecure);
    const user = await oauth.processUserInfoResponse(server, confidential, subjectOf(first), response);
    expect(user.email).toEqual(expect.any(String));

    const before = Math.floor(Date.now() / 1000);
    const renewed = oauth.getValidatedIdTokenClaims(await tokensFor({ max_age: "0" }, 0));
    expect(renewed?.auth_time).toBeGreaterThanOrEqual(before);
    expect(renewed?.sub).toBe(stated?.sub);
  },
);
