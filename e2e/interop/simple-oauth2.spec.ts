import { AuthorizationCode, ResourceOwnerPassword } from "simple-oauth2";
import { conformance } from "../../src/testing/conformance.ts";
import { callbackOf, expect, statusOf, test } from "./fixtures.ts";

const CONFIGURATIONS = {
  [conformance(
    "TK-05",
    "TK-08",
    "AC-01",
    "RT-01",
    "RV-01",
    "simple-oauth2 gets, refreshes and revokes tokens with its defaults, which encode HTTP Basic strictly",
  )]: {},
  [conformance(
    "TK-05",
    "TK-08",
    "AC-01",
    "RT-01",
    "RV-01",
    "simple-oauth2 gets, refreshes and revokes tokens with loosely encoded HTTP Basic",
  )]: {
    credentialsEncodingMode: "loose",
  },
  [conformance(
    "TK-06",
    "AC-01",
    "RT-01",
    "RV-01",
    "simple-oauth2 gets, refreshes and revokes tokens with credentials in the form",
  )]: {
    authorizationMethod: "body",
  },
  [conformance(
    "TK-18",
    "AC-01",
    "RT-01",
    "RV-01",
    "simple-oauth2 gets, refreshes and revokes tokens with credentials in a JSON body",
  )]: {
    authorizationMethod: "body",
    bodyFormat: "json",
  },
  [conformance(
    "TK-05",
    "TK-18",
    "AC-01",
    "RT-01",
    "RV-01",
    "simple-oauth2 gets, refreshes and revokes tokens with Basic and a JSON body",
  )]: { bodyFormat: "json" },
} as const;

for (const [title, options] of Object.entries(CONFIGURATIONS))
  test(title, async ({ page, instance, applications: { site, confidential } }) => {
    const client = new AuthorizationCode({
      client: { id: confidential.client_id, secret: confidential.client_secret },
      auth: { tokenHost: instance.baseUrl },
      options,
    });
    const redirect_uri = site.redirectUri;
    const url = client.authorizeURL({ redirect_uri, scope: ["read_user", "profile"], state: "of this run" });
    const callback = await callbackOf(page, instance, site, url);
    expect(callback.searchParams.get("state")).toBe("of this run");
    const code = callback.searchParams.get("code") ?? "";
    const first = await client.getToken({ code, redirect_uri });
    expect(first.token).toMatchObject({ token_type: "bearer", scope: "read_user profile", expires_in: 7200 });
    expect(first.expired(60)).toBe(false);
    const second = await first.refresh();
    expect(await statusOf(instance, String(first.token["access_token"]))).toBe(401);
    expect(await statusOf(instance, String(second.token["access_token"]))).toBe(200);
    // The revocation of the access token also revokes the refresh token. A second revocation of the same
    // token is not an error (RFC 7009 §2.2).
    await second.revokeAll();
    expect(await statusOf(instance, String(second.token["access_token"]))).toBe(401);
    await expect(second.refresh()).rejects.toMatchObject({
      output: { statusCode: 400 },
      data: { payload: { error: "invalid_grant" } },
    });
  });

test(
  conformance(
    "PW-02",
    "PW-04",
    "PW-10",
    "simple-oauth2 receives a token response with exactly three members in the password grant",
  ),
  async ({ instance, applications: { confidential } }) => {
    const client = new ResourceOwnerPassword({
      client: { id: confidential.client_id, secret: confidential.client_secret },
      auth: { tokenHost: instance.baseUrl },
    });
    const { token } = await client.getToken({ username: "root", password: instance.rootPassword });
    const { expires_at: _, ...answered } = token;
    expect(answered).toEqual({
      access_token: expect.any(String),
      token_type: expect.stringMatching(/^bearer$/i),
      expires_in: 7200,
    });
    expect(await statusOf(instance, String(token["access_token"]))).toBe(200);
    await expect(client.getToken({ username: "root", password: "not this" })).rejects.toMatchObject({
      output: { statusCode: 400 },
      data: { payload: { error: "invalid_grant" } },
    });
  },
);
