import { POST } from "@app/oauth/authorize/route.ts";
import { GET } from "@app/oauth/consent/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/access/scopes.ts";
import { cookieName } from "@/kernel/http/cookie.ts";
import { extendConsent } from "@/oauth/consents/service.ts";
import {
  authorizationQuery,
  type Client,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const NAME = `<script>alert("x")</script> & Söhne`;
const STATE = `"><script>alert(1)</script>&'`;

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const owner = await signedInUser(deps, "olga");
  const redirectUris = "https://client.example.com/callback\nhttp://127.0.0.1/cb\ncom.example.app:/cb";
  client = await registeredClient(deps, owner.user, {
    name: NAME,
    redirectUris,
    scopes: ["read_user", "api"],
  });
});

const page = (query: Fields, user?: SignedInUser): Promise<Response> => {
  const headers = user === undefined ? {} : { cookie: user.cookie };
  return GET(new Request(`${ORIGIN}/oauth/consent?${encoded(query)}`, { headers }));
};

async function htmlOf(query: Fields, user?: SignedInUser): Promise<string> {
  const response = await page(query, user);
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the hidden fields of the form, as a browser posts them. */
const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
      ([, name = "", value = ""]) => [
        name,
        value
          .replaceAll("&quot;", '"')
          .replaceAll("&#x27;", "'")
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&amp;", "&"),
      ],
    ),
  );

describe("the consent page", () => {
  it(
    conformance(
      "AZ-02",
      "AT-34",
      "the consent page shows the application, its owner, the user, the scopes and the redirect target, all escaped",
    ),
    async () => {
      const html = await htmlOf(authorizationQuery(client, { scope: "read_user api", state: STATE }), ann);
      expect(html).not.toContain("<script>");
      expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Söhne");
      for (const text of ["olga", "@ann", SCOPES.read_user.label, SCOPES.api.label, "client.example.com"])
        expect(html).toContain(text);
      expect(html).toMatch(/<button[^>]*value="deny"[^>]*>Deny</);
      expect(html).toMatch(/<button[^>]*value="allow"[^>]*>Allow</);
      expect(html).toMatch(
        /<form[^>]*method="post"[^>]*action="\/oauth\/authorize"|<form[^>]*action="\/oauth\/authorize"[^>]*method="post"/,
      );
      expect(html.indexOf(SCOPES.api.label)).toBeLessThan(html.indexOf(SCOPES.read_user.label));
      expect(html).toContain(SCOPES.api.warning);
      expect(html).not.toContain(">new<");
      expect(html).not.toContain(SCOPES.profile.detail);
    },
  );

  it("the consent page marks scopes as new if the user has not allowed them before", async () => {
    const eva = await signedInUser(deps, "eva");
    await extendConsent(deps, {
      userId: eva.user.id,
      applicationId: client.application.id,
      scopes: ["read_user"],
    });
    const html = await htmlOf(authorizationQuery(client, { scope: "read_user api" }), eva);
    expect(html).toMatch(/Do everything you can do<span[^>]*>new</);
    expect(html.split(">new<")).toHaveLength(2);
    const repeated = await htmlOf(authorizationQuery(client, { scope: "read_user", prompt: "consent" }), eva);
    expect(repeated).not.toContain(">new<");
  });

  it(
    conformance(
      "AZ-02",
      "AZ-03",
      "AZ-08",
      "the form of the consent page is accepted if the browser posts it unchanged, and the client receives its state unchanged, byte for byte",
    ),
    async () => {
      const fields = hiddenFields(await htmlOf(authorizationQuery(client, { state: STATE }), ann));
      const body = encoded({ ...fields, decision: "allow" });
      const response = await POST(formPost("/oauth/authorize", body, { cookie: ann.cookie }));
      expect(redirectParameters(response)).toEqual({ code: expect.any(String), state: STATE });
    },
  );

  it(
    conformance(
      "AZ-27",
      "the consent page has a link to sign in with another account, and this sign-in returns to the authorization request",
    ),
    async () => {
      const html = await htmlOf(authorizationQuery(client, { prompt: "select_account", state: STATE }), ann);
      const written = /<a href="([^"]*)"[^>]*>Use another account/.exec(html)?.[1] ?? "";
      const href = written.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
      const { pathname, searchParams } = new URL(href, ORIGIN);
      expect([pathname, searchParams.get("again")]).toEqual(["/users/sign_in", "1"]);
      const back = new URL(searchParams.get("return_to") ?? "", ORIGIN);
      expect([back.pathname, back.searchParams.get("state")]).toEqual(["/oauth/authorize", STATE]);
      expect(back.searchParams.get("prompt")).toBe("select_account");
    },
  );

  it("the consent page warns administrators, and no other users, about administrator rights", async () => {
    const boss = await signedInUser(deps, "boss");
    expect(await htmlOf(authorizationQuery(client), boss)).not.toContain("administrator");
    await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
    expect(await htmlOf(authorizationQuery(client), boss)).toContain("You are an administrator");
  });

  it.each([
    ["http://127.0.0.1:51234/cb", "a program on this computer"],
    ["com.example.app:/cb", "com.example.app"],
  ])(
    conformance("AZ-02", "the consent page names the program that receives the redirect to %s"),
    async (redirect_uri, text) => {
      const everything = authorizationQuery(client, { redirect_uri, scope: "api" });
      expect(await htmlOf(everything, ann)).toContain(text);
    },
  );

  it.each<[string, Fields, boolean]>([
    ["nobody is signed in", {}, false],
    ["the application is unknown", { client_id: "unknown" }, true],
    ["the redirect URI is not registered", { redirect_uri: "https://evil.example/" }, true],
    ["the application does not have the scope", { scope: "profile" }, true],
    ["the encoding is invalid", { state: "\0" }, true],
  ])(
    conformance("AZ-35", "the consent page redirects to /oauth/authorize when %s"),
    async (_when, changes, signedIn) => {
      const query = authorizationQuery(client, changes);
      const response = await page(query, signedIn ? ann : undefined);
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`${ORIGIN}/oauth/authorize?${encoded(query)}`);
      expect(await response.text()).toBe("");
    },
  );

  it.each(["https://client.example.com/callback", "com.example.app:/cb"])(
    conformance(
      "AZ-39",
      "the consent page has no script, and its policy does not limit the redirects after the form: %s",
    ),
    async (redirect_uri) => {
      const response = await page(authorizationQuery(client, { redirect_uri, scope: "api" }), ann);
      expect(response.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).not.toContain("<script");
    },
  );

  it("the consent page uses the theme of the browser", async () => {
    const cookie = `${ann.cookie}; ${cookieName(deps.config, "theme")}=dark`;
    expect(await htmlOf(authorizationQuery(client, { scope: "api" }), { ...ann, cookie })).toContain(
      '<html lang="en" data-theme="dark">',
    );
  });
});
