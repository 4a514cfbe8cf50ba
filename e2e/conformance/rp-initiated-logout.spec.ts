// The modules of the OpenID Connect RP-Initiated Logout OP certification plan of the OpenID Foundation, with their names.
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

const PLAN = "oidcc-rp-initiated-logout-certification-test-plan";
const module = (name: string, sentence: string): string =>
  conformance("OF-04", `${PLAN}: ${name}: ${sentence}`);

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

for (const [name, fields] of [
  ["oidcc-rp-initiated-logout-no-post-logout-redirect-uri", { state: "s-1" }],
  ["oidcc-rp-initiated-logout-only-state", { state: "s-1" }],
] as const)
  test(module(name, "the user is signed out on a page of the server"), async ({ user }) => {
    expect(await user.logout({ ...fields, id_token_hint: user.hint })).toMatchObject({ status: 200 });
    expect(await user.isSignedOut()).toBe(true);
  });

test(
  module(
    "oidcc-rp-initiated-logout-no-params",
    "after a logout request without parameters, the user must confirm before the session ends",
  ),
  async ({ user }) => {
    const page = await user.logout({});
    if (page instanceof URL) throw new Error("A redirect instead of a document.");
    expect(page.status).toBe(200);
    expect(await user.isSignedOut()).toBe(false);
    expect(await user.browser.submit(page, "form_token", {})).toMatchObject({ status: 200 });
    expect(await user.isSignedOut()).toBe(true);
  },
);

for (const [name, changes] of [
  [
    "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri",
    { post_logout_redirect_uri: "https://evil.example/" },
  ],
  ["oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", { query: "?foo=bar" }],
  ["oidcc-rp-initiated-logout-bad-id-token-hint", { hint: "e30.e30.e30" }],
  ["oidcc-rp-initiated-logout-modified-id-token-hint", { hint: "modified" }],
  ["oidcc-rp-initiated-logout-no-id-token-hint", { hint: "" }],
] as const)
  test(module(name, "the browser stays on a page of the server"), async ({ user }) => {
    const { hint, query = "", ...rest } = { hint: user.hint, ...changes } as Record<string, string>;
    const modified = hint === "modified" ? `${user.hint.slice(0, -8)}AAAAAAAA` : hint;
    const result = await user.logout({
      ...(modified === "" ? {} : { id_token_hint: modified }),
      post_logout_redirect_uri: `${user.party.redirectUri}${query}`,
      ...rest,
    });
    expect(result).toMatchObject({ status: 200 });
  });
