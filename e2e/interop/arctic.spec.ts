import * as arctic from "arctic";
import { conformance } from "../../src/testing/conformance.ts";
import { callbackOf, expect, statusOf, test } from "./fixtures.ts";

test(
  conformance(
    "AC-01",
    "TK-05",
    "RT-01",
    "RT-03",
    "RV-01",
    "arctic's GitLab client gets, refreshes and revokes tokens",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    const { client_id, client_secret } = confidential;
    const gitlab = new arctic.GitLab(instance.baseUrl, client_id, client_secret, site.redirectUri);
    const state = arctic.generateState();
    const url = gitlab.createAuthorizationURL(state, ["read_user", "profile"]);
    const callback = await callbackOf(page, instance, site, url.href);
    expect(callback.searchParams.get("state")).toBe(state);
    const first = await gitlab.validateAuthorizationCode(callback.searchParams.get("code") ?? "");
    expect(first.tokenType()).toBe("bearer");
    expect(first.scopes()).toEqual(["read_user", "profile"]);
    expect(first.accessTokenExpiresInSeconds()).toBe(7200);
    const second = await gitlab.refreshAccessToken(first.refreshToken());
    expect(await statusOf(instance, first.accessToken())).toBe(401);
    expect(await statusOf(instance, second.accessToken())).toBe(200);
    await gitlab.revokeToken(second.accessToken());
    expect(await statusOf(instance, second.accessToken())).toBe(401);
    await expect(gitlab.refreshAccessToken(second.refreshToken())).rejects.toMatchObject({
      code: "invalid_grant",
    });
  },
);

for (const [secret, title] of [
  ["wrong", conformance("TK-10", "arctic's GitLab client reports the error response to a wrong secret")],
  [null, conformance("TK-12", "arctic's GitLab client reports the error response to a missing secret")],
] as const)
  test(title, async ({ page, instance, applications: { site, confidential } }) => {
    const gitlab = new arctic.GitLab(instance.baseUrl, confidential.client_id, secret, site.redirectUri);
    const url = gitlab.createAuthorizationURL(arctic.generateState(), ["read_user"]);
    const callback = await callbackOf(page, instance, site, url.href);
    const exchanged = gitlab.validateAuthorizationCode(callback.searchParams.get("code") ?? "");
    await expect(exchanged).rejects.toBeInstanceOf(arctic.OAuth2RequestError);
    await expect(exchanged).rejects.toMatchObject({ code: "invalid_client" });
  });
