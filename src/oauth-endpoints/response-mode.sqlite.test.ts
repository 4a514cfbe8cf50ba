import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  exchangeOf,
  type Fields,
  ORIGIN,
  REDIRECT_URI,
  redirectParameters,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient } from "@/testing/open-id.ts";

const deps = await openTestDeps();
const STATE = `"><script>alert(1)</script>&'\r\n é`;
const APP = "com.example.app:/cb";
/** A redirect URI with parameters that have a meaning in an authorization response. */
const RESERVED = "https://client.example.com/cb?x=1&code=1&state=1&iss=1&error_description=1";

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const redirectUris = [REDIRECT_URI, "https://client.example.com/cb?x=1", RESERVED, APP].join("\n");
  client = await openIdClient(deps, ann.user, { redirectUris });
});

const query = (changes: Fields) => authorizationQuery(client, { scope: "openid", ...changes });

describe("response_mode=fragment", () => {
  it(
    conformance(
      "AZ-03",
      "response_mode=fragment sends the response in the fragment, which servers do not receive",
    ),
    async () => {
      const redirect_uri = "https://client.example.com/cb?x=1";
      const response = await decide(
        deps,
        ann,
        query({ response_mode: "fragment", redirect_uri, state: STATE }),
      );
      const location = new URL(response.headers.get("location") ?? "");
      expect(response.status).toBe(303);
      expect(location.href.split("#", 1)[0]).toBe(redirect_uri);
      expect(Object.fromEntries(new URLSearchParams(location.hash.slice(1)))).toEqual({
        code: expect.stringMatching(/^ghac_/),
        state: STATE,
        iss: ORIGIN,
      });
    },
  );

  it(conformance("AZ-04", "response_mode=fragment also sends errors in the fragment"), async () => {
    const deny = { decision: "deny" };
    const response = await decide(deps, ann, query({ response_mode: "fragment" }), deny);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.search).toBe("");
    expect(Object.fromEntries(new URLSearchParams(location.hash.slice(1)))).toMatchObject({
      error: "access_denied",
      state: "xyz",
    });
    const silent = await authorize(query({ response_mode: "fragment", prompt: "none" }));
    expect(silent.headers.get("location")).toContain("#error=login_required");
  });
});

it(
  conformance("AZ-04", "an error response has no parameters that the registered redirect URI has for itself"),
  async () => {
    const response = await decide(deps, ann, query({ redirect_uri: RESERVED }), { decision: "deny" });
    const { searchParams } = new URL(response.headers.get("location") ?? "");
    expect([...searchParams.keys()].toSorted()).toEqual(["error", "error_description", "state", "x"]);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: "access_denied", state: "xyz", x: "1" });
  },
);

describe("response_mode=form_post", () => {
  /** Returns the action URL and the fields of the form on the page. */
  async function posted(
    response: Response,
  ): Promise<Readonly<{ action: string; fields: Fields; html: string }>> {
    expect(response.status).toBe(200);
    expect(response.headers.has("location")).toBe(false);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    const html = await response.text();
    const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)];
    return {
      html,
      action: unescaped(/<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? ""),
      fields: Object.fromEntries(fields.map(([, name, value]) => [name, unescaped(value ?? "")])),
    };
  }

  const unescaped = (text: string): string =>
    text
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");

  it(
    conformance(
      "AZ-17",
      "AT-34",
      "response_mode=form_post posts the escaped authorization code, state and issuer to the redirect URI, and the authorization code can be exchanged",
    ),
    async () => {
      const response = await decide(deps, ann, query({ response_mode: "form_post", state: STATE }));
      const { action, fields, html } = await posted(response);
      expect(action).toBe(REDIRECT_URI);
      expect(fields).toEqual({ code: expect.stringMatching(/^ghac_/), state: STATE, iss: ORIGIN });
      expect(html).not.toContain("<script>");
      expect((await requestToken(exchangeOf(client, fields["code"] ?? ""))).status).toBe(200);
    },
  );

  it(
    conformance(
      "SC-29",
      "AZ-17",
      "AZ-39",
      "response_mode=form_post returns a page that runs one script, does not limit the redirects of the client, and sends only the origin as the referrer",
    ),
    async () => {
      const response = await decide(deps, ann, query({ response_mode: "form_post" }));
      const policy = response.headers.get("content-security-policy") ?? "";
      const { html } = await posted(response);
      const nonce = /<script nonce="([^"]+)">document\.forms\[0\]\.submit\(\)<\/script>/.exec(html)?.[1];
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
      expect(policy.split("; ")).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          `script-src 'nonce-${nonce}'`,
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy).not.toContain("form-action");
      expect(html).toMatch(/<button[^>]*>Continue<\/button>/);
      expect(response.headers.get("referrer-policy")).toBe("strict-origin");
      const other = await decide(deps, ann, query({ response_mode: "form_post" }));
      expect(other.headers.get("content-security-policy")).not.toBe(policy);
    },
  );

  it(
    conformance(
      "AZ-04",
      "AZ-17",
      "response_mode=form_post also posts errors, including the error after the user has denied access",
    ),
    async () => {
      const denied = await decide(deps, ann, query({ response_mode: "form_post" }), { decision: "deny" });
      expect((await posted(denied)).fields).toMatchObject({
        error: "access_denied",
        state: "xyz",
      });
      const wrong = await authorize(query({ response_mode: "form_post", scope: "api" }), ann);
      expect((await posted(wrong)).fields).toMatchObject({ error: "invalid_scope" });
      const silent = await authorize(query({ response_mode: "form_post", prompt: "none" }));
      expect((await posted(silent)).fields).toMatchObject({ error: "login_required" });
    },
  );

  it(
    conformance("AT-12", "response_mode=form_post never posts to an unregistered redirect URI"),
    async () => {
      const redirect_uri = "https://evil.example/";
      const response = await authorize(query({ response_mode: "form_post", redirect_uri }), ann);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain('<form method="post"');
    },
  );

  it("response_mode=form_post returns an error in the query if the redirect URI cannot receive a form post", async () => {
    const response = await authorize(query({ response_mode: "form_post", redirect_uri: APP }), ann);
    expect(redirectParameters(response, APP)).toMatchObject({ error: "invalid_request" });
  });
});

describe("an unsupported response_mode", () => {
  it.each(["foo", "FORM_POST", "query fragment", "web_message"])(
    conformance(
      "AZ-16",
      "for the unsupported response_mode %s, the authorization endpoint returns an error in the query of the redirect URI",
    ),
    async (response_mode) => {
      expect(redirectParameters(await authorize(query({ response_mode }), ann))).toMatchObject({
        error: "invalid_request",
      });
    },
  );
});
