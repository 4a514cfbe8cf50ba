// The modules of the OpenID Connect RP-Initiated Logout OP certification plan of the OpenID Foundation, with their names.
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import type { ModuleName } from "../../scripts/conformance-catalog/certification-plans.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { test as base, expect } from "../fixtures.ts";
import {
  type Browser,
  type Document,
  encoded,
  type Fields,
  isSignIn,
  openBrowser,
  type RelyingParty,
  relyingParty,
} from "./relying-party.ts";

const module = (name: ModuleName<"OF-04">, sentence: string): string =>
  conformance("OF-04", `oidcc-rp-initiated-logout-certification-test-plan: ${name}: ${sentence}`);

type SignedIn = Readonly<{
  party: RelyingParty;
  browser: Browser;
  hint: string;
  logout: (fields: Fields) => Promise<Document | URL>;
  isSignedOut: () => Promise<boolean>;
}>;

const test = base.extend<{ user: SignedIn }>({
  user: async ({ instance, applications }, use) => {
    const party = relyingParty(instance, applications.confidential, applications.site.redirectUri);
    const browser = openBrowser(instance);
    const tokens = await party.exchange(await party.authorize(browser));
    await use({
      party,
      browser,
      hint: String(tokens.body["id_token"]),
      logout: (fields) => browser.open(`${instance.baseUrl}/oauth/end_session?${encoded(fields)}`),
      isSignedOut: async () => isSignIn(await browser.open(party.requestUrl())),
    });
  },
});

test(
  module(
    "oidcc-rp-initiated-logout-discovery-endpoint-verification",
    "the metadata names the endpoint for logout requests",
  ),
  async ({ instance }) => {
    const metadata = await (await fetch(`${instance.baseUrl}/.well-known/openid-configuration`)).json();
    expect(metadata.end_session_endpoint).toBe(`${instance.baseUrl}/oauth/end_session`);
  },
);

test(
  module("oidcc-rp-initiated-logout", "the user is signed out and returns to the client with the state"),
  async ({ user }) => {
    const target = user.party.redirectUri;
    const result = await user.logout({
      id_token_hint: user.hint,
      post_logout_redirect_uri: target,
      state: "s-1",
    });
    expect(String(result)).toBe(`${target}?state=s-1`);
    expect(await user.isSignedOut()).toBe(true);
  },
);

test(
  module(
    "oidcc-rp-initiated-logout-no-state",
    "the redirect after a logout request without state has no state",
  ),
  async ({ user }) => {
    const target = user.party.redirectUri;
    const result = await user.logout({ id_token_hint: user.hint, post_logout_redirect_uri: target });
    expect(String(result)).toBe(target);
    expect(await user.isSignedOut()).toBe(true);
  },
);

test(
  module(
    "oidcc-rp-initiated-logout-no-post-logout-redirect-uri",
    "the user is signed out on a page of the server",
  ),
  async ({ user }) => {
    expect(await user.logout({ id_token_hint: user.hint, state: "s-1" })).toMatchObject({ status: 200 });
    expect(await user.isSignedOut()).toBe(true);
  },
);

for (const [name, fields] of [
  ["oidcc-rp-initiated-logout-no-params", {}],
  ["oidcc-rp-initiated-logout-only-state", { state: "s-1" }],
] as const)
  test(
    module(name, "the user confirms the logout, and is then signed out on a page of the server"),
    async ({ user }) => {
      const page = await user.logout(fields);
      if (page instanceof URL) throw new Error("A redirect instead of a document.");
      expect(page.status).toBe(200);
      expect(await user.isSignedOut()).toBe(false);
      expect(await user.browser.submit(page, "form_token", {})).toMatchObject({ status: 200 });
      expect(await user.isSignedOut()).toBe(true);
    },
  );

for (const [name, suffix] of [
  ["oidcc-rp-initiated-logout-bad-post-logout-redirect-uri", "/unregistered"],
  ["oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", "?foo=bar"],
] as const)
  test(
    module(name, "the user is not redirected, and a page says that the URL is not registered"),
    async ({ user }) => {
      const post_logout_redirect_uri = `${user.party.redirectUri}${suffix}`;
      expect(
        await user.logout({ id_token_hint: user.hint, post_logout_redirect_uri, state: "s-1" }),
      ).toMatchObject({
        status: 200,
        html: expect.stringContaining("requested a URL that is not registered"),
      });
    },
  );

for (const [name, hintOf] of [
  ["oidcc-rp-initiated-logout-bad-id-token-hint", forged],
  ["oidcc-rp-initiated-logout-modified-id-token-hint", unsigned],
  ["oidcc-rp-initiated-logout-no-id-token-hint", () => undefined],
] as const)
  test(
    module(name, "the user is not redirected, and the session ends only after confirmation"),
    async ({ user }) => {
      const fields = { post_logout_redirect_uri: user.party.redirectUri, state: "s-1" };
      const result = await user.logout({ ...fields, id_token_hint: await hintOf(user.hint) });
      expect(result).toMatchObject({
        status: 200,
        html: expect.stringContaining("Sign out of Gatehouse?"),
      });
      expect(await user.isSignedOut()).toBe(false);
    },
  );

/** Returns an ID token with the claims of `idToken`, signed with a key that does not belong to the server. */
async function forged(idToken: string): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256");
  const { kid } = decodeProtectedHeader(idToken);
  return new SignJWT(decodeJwt(idToken))
    .setProtectedHeader({ alg: "RS256", ...(kid === undefined ? {} : { kid }) })
    .sign(privateKey);
}

/** Returns the ID token without a signature, with the algorithm `none`. */
function unsigned(idToken: string): string {
  const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  return `${header}.${idToken.split(".")[1]}.`;
}
