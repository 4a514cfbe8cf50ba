// The modules of the OpenID Connect Back-Channel Logout OP certification plan of the OpenID Foundation, with their names.
import { createServer } from "node:http";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import type { ModuleName } from "../../scripts/conformance-catalog/certification-plans.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, registerConfidential, test } from "../fixtures.ts";
import { encoded, openBrowser, relyingParty } from "./relying-party.ts";

const module = (name: ModuleName<"OF-05">, sentence: string): string =>
  conformance("OF-05", `oidcc-backchannel-rp-initiated-logout-certification-test-plan: ${name}: ${sentence}`);

test(
  module(
    "oidcc-backchannel-logout-discovery-endpoint-verification",
    "the metadata names the endpoint for logout requests, and announces logout tokens with sid",
  ),
  async ({ instance }) => {
    const metadata = await (await fetch(`${instance.baseUrl}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({
      end_session_endpoint: `${instance.baseUrl}/oauth/end_session`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      claims_supported: expect.arrayContaining(["sid"]),
    });
  },
);

test(
  module(
    "oidcc-backchannel-rp-initiated-logout",
    "the client receives a valid logout token, the user returns to the client and is signed out",
  ),
  async ({ instance, applications }) => {
    const received: { method: string | undefined; type: string | undefined; body: string }[] = [];
    const receiver = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, headers } = request;
      received.push({ method, type: headers["content-type"], body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { "cache-control": "no-store" }).end();
    });
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    const bound = receiver.address();
    const port = typeof bound === "object" ? bound?.port : undefined;
    const { redirectUri } = applications.site;
    const options = ["--redirect-uri", redirectUri, "--scopes", "openid"];
    const logout = ["--backchannel-logout-uri", `http://127.0.0.1:${port}/backchannel_logout`];
    const client = await registerConfidential(instance, "--name", "Acme Logout", ...options, ...logout);
    const party = relyingParty(instance, client, redirectUri);
    const browser = openBrowser(instance);
    const tokens = await party.exchange(await party.authorize(browser));
    const hint = String(tokens.body["id_token"]);

    const fields = { id_token_hint: hint, post_logout_redirect_uri: redirectUri, state: "s-1" };
    const result = await browser.open(`${instance.baseUrl}/oauth/end_session?${encoded(fields)}`);
    expect(String(result)).toBe(`${redirectUri}?state=s-1`);

    await expect.poll(() => received.length).toBe(1);
    const [message] = received;
    expect(message).toMatchObject({ method: "POST", type: "application/x-www-form-urlencoded" });
    const keys = createRemoteJWKSet(new URL(`${instance.baseUrl}/oauth/discovery/keys`), {
      timeoutDuration: 60_000,
    });
    const token = new URLSearchParams(message?.body).get("logout_token") ?? "";
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: instance.baseUrl,
      audience: client.client_id,
      maxTokenAge: "2 minutes",
      requiredClaims: ["iat", "exp", "jti", "events", "sub", "sid"],
    });
    expect(protectedHeader).toMatchObject({ alg: "RS256", typ: "logout+jwt" });
    const { sub, sid } = decodeJwt(hint);
    expect(payload).toMatchObject({
      sub,
      sid,
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    expect(payload).not.toHaveProperty("nonce");

    expect(await party.authorizeWithoutPages(browser, { prompt: "none" })).toMatchObject({
      error: "login_required",
    });
    await new Promise((closed) => receiver.close(closed));
  },
);
