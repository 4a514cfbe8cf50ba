import { POST } from "@app/oauth/authorize/redirect_uri/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { findOwn } from "@/oauth/applications/service.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  REDIRECT_URI,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { expectErrorPage } from "@/testing/error-page.ts";

const deps = await openTestDeps();
const NEW = `${REDIRECT_URI}/new`;

let ann: SignedInUser;
let bob: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  bob = await signedInUser(deps, "bob");
  client = await registeredClient(deps, ann.user);
});

const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)"/g;

/** Returns the hidden fields of the form on the page, as a browser would submit them. */
const fieldsOf = (html: string): Fields =>
  Object.fromEntries(
    [...html.matchAll(HIDDEN)].map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]),
  );

const errorPageFor = async (
  redirectUri: string,
  user?: SignedInUser,
  requestId?: string,
): Promise<string> => {
  const query = authorizationQuery(client, { redirect_uri: redirectUri });
  if (requestId === undefined) return expectErrorPage(await authorize(query, user));
  const { GET } = await import("@app/oauth/authorize/route.ts");
  const headers = { "x-request-id": requestId };
  return expectErrorPage(await GET(new Request(`${ORIGIN}/oauth/authorize?${encoded(query)}`, { headers })));
};

const post = (user: SignedInUser, fields: Fields, headers: Readonly<Record<string, string>> = {}) =>
  POST(formPost("/oauth/authorize/redirect_uri", encoded(fields), { cookie: user.cookie, ...headers }));

const registered = async () => (await findOwn(deps, ann.user, client.application.id))?.redirectUris;

describe("an unregistered redirect URI in an authorization request", () => {
  it(
    conformance(
      "AZ-12",
      "the error page shows an unregistered redirect URI to the owner of the application, and marks its differences from the closest registered URI, also for screen readers",
    ),
    async () => {
      const html = await errorPageFor(NEW, ann);
      expect(html).toMatch(/callback<mark[^>]*><span class="sr-only[^"]*"> differs: <\/span>\/new<span/);
      expect(html).toContain("Add this URI");
    },
  );

  it(
    conformance(
      "AZ-12",
      "the error page shows the request ID instead of the redirect URI to users who do not own the application",
    ),
    async () => {
      const requestId = "0123456789abcdef";
      const html = await errorPageFor(NEW, undefined, requestId);
      expect(html).toContain(requestId);
      for (const page of [html, await errorPageFor(NEW, bob)]) {
        expect(page).not.toContain("<mark");
        expect(page).not.toContain("Add this URI");
        expect(page).not.toContain("form_token");
      }
      expect(deps.logged).toContainEqual(
        expect.objectContaining({ event: "authorize.refused", request_id: requestId }),
      );
    },
  );

  it.each(["javascript:alert(1)", "https://client.example.com/#x", "https://*.example.com/"])(
    conformance("RU-02", "a redirect URI that the registration form rejects cannot be added: %s"),
    async (uri) => {
      const html = await errorPageFor(uri, ann);
      expect(html).toContain("You own");
      expect(html).not.toContain("Add this URI");
    },
  );

  it(
    conformance(
      "AZ-12",
      "the owner of the application can add the redirect URI, and then the authorization request continues",
    ),
    async () => {
      const html = await errorPageFor(NEW, ann);
      const csp = (await authorize(authorizationQuery(client, { redirect_uri: NEW }), ann)).headers.get(
        "content-security-policy",
      );
      expect(csp).toContain("default-src 'none'");
      expect(csp).not.toContain("form-action");
      const response = await post(ann, fieldsOf(html));
      expect(response.status).toBe(303);
      const location = response.headers.get("location") ?? "";
      const query = authorizationQuery(client, { redirect_uri: NEW });
      expect(location).toBe(`${ORIGIN}/oauth/authorize?${encoded(query)}`);
      expect(await registered()).toEqual([REDIRECT_URI, NEW]);
      expect(redirectParameters(await decide(deps, ann, query), NEW)).toMatchObject({
        code: expect.any(String),
      });
      await post(ann, fieldsOf(html));
      expect(
        await registered(),
        "the URI is registered once, although the form was posted several times",
      ).toEqual([REDIRECT_URI, NEW]);
    },
  );

  it.each<[string, Fields, Readonly<Record<string, string>>]>([
    ["from another site", {}, { origin: "https://evil.example" }],
    ["without its CSRF token", { form_token: undefined }, {}],
    ["by a form for another redirect URI", { redirect_uri: "https://evil.example/cb" }, {}],
  ])("a redirect URI cannot be added %s", async (_how, changes, headers) => {
    const fields = fieldsOf(await errorPageFor("https://client.example.com/other", ann));
    const before = await registered();
    expect((await post(ann, { ...fields, ...changes }, headers)).status).toBe(403);
    expect(await registered()).toEqual(before);
  });

  it(
    conformance(
      "AT-43",
      "a user who does not own the application cannot add a redirect URI, even with the form of the owner",
    ),
    async () => {
      const fields = fieldsOf(await errorPageFor("https://client.example.com/other", ann));
      const before = await registered();
      expect((await post(bob, fields)).status).toBe(403);
      expect((await post({ ...bob, cookie: "" }, fields)).status).toBe(303);
      expect(await registered()).toEqual(before);
    },
  );
});

describe("adding a redirect URI", () => {
  it(
    conformance(
      "SC-03",
      "adding a redirect URI requires re-authentication, after which the browser returns to the authorization request",
    ),
    async () => {
      const before = await registered();
      const uri = `${REDIRECT_URI}/look-alike`;
      const fields = fieldsOf(await errorPageFor(uri, ann));
      deps.advance(10 * 60 + 1);
      const response = await post(ann, fields);
      expect(response.status).toBe(303);
      const location = new URL(response.headers.get("location") ?? "");
      expect(location.pathname).toBe("/users/confirm");
      expect(location.searchParams.get("return_to")).toMatch(/^\/oauth\/authorize\?.*look-alike/);
      expect(await registered()).toEqual(before);
    },
  );
});
