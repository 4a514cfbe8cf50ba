import { GET, POST } from "@app/oauth/end_session/route.ts";
import { UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { sessionOf } from "@/identity/sessions/service.ts";
import { signJwt } from "@/oauth/signing-keys/service.ts";
import {
  type Client,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  REDIRECT_URI,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, tokensFor } from "@/testing/open-id.ts";

const deps = await openTestDeps();
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const PATH = "/oauth/end_session";

let ann: SignedInUser;
let client: Client;
let hint: string;
let users = 0;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  client = await openIdClient(deps, ann.user, { redirectUris: `${REDIRECT_URI}\n${OUT_OF_BAND}` });
  hint = String((await tokensFor(deps, ann, client))["id_token"]);
});

const requestLogout = (query: Fields | string, user: SignedInUser | null = ann) =>
  GET(
    new Request(`${ORIGIN}${PATH}?${typeof query === "string" ? query : encoded(query)}`, {
      headers: user === null ? {} : { cookie: user.cookie },
    }),
  );
const isSignedIn = async (user = ann) => (await sessionOf(deps, user.cookie)) !== null;

/**
 * Checks that a response contains a page and is not a redirect.
 * @returns the HTML of the page.
 */
async function pageOf(response: Response, status = 200): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.has("location")).toBe(false);
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  return response.text();
}

/** Returns the fields of the form on the confirmation page, as a browser posts them. */
const fieldsIn = (html: string): Fields =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(([, name, value]) => [
      name,
      value?.replaceAll("&amp;", "&"),
    ]),
  );

describe("end_session with a genuine ID token", () => {
  it("end_session ends the session and redirects to the application with its state", async () => {
    const state = "a&b c";
    const response = await requestLogout({
      id_token_hint: hint,
      post_logout_redirect_uri: REDIRECT_URI,
      state,
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${REDIRECT_URI}?state=a%26b%20c`);
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await isSignedIn()).toBe(false);
  });

  it.each([
    ["no redirect URI", {}],
    ["an empty redirect URI", { post_logout_redirect_uri: "" }],
  ])("end_session shows a page after signing out when the request has %s", async (_, query) => {
    const html = await pageOf(await requestLogout({ id_token_hint: hint, ...query }));
    expect(html).toContain("You are signed out");
    expect(html).not.toContain("did not redirect you");
    expect(await isSignedIn()).toBe(false);
  });

  it("end_session accepts the ID token even if it has expired", async () => {
    deps.advance(86_400);
    const query = { id_token_hint: hint, post_logout_redirect_uri: REDIRECT_URI };
    expect((await requestLogout(query)).headers.get("location")).toBe(REDIRECT_URI);
    expect(await isSignedIn()).toBe(false);
  });

  it(
    conformance(
      "SC-12",
      "AT-12",
      "end_session shows a link instead of redirecting when the browser has no session",
    ),
    async () => {
      const query = { id_token_hint: hint, post_logout_redirect_uri: REDIRECT_URI, state: "s" };
      expect((await requestLogout(query)).headers.get("location")).toBe(`${REDIRECT_URI}?state=s`);
      for (const user of [ann, null]) {
        const response = await requestLogout(query, user);
        expect(response.headers.has("refresh")).toBe(false);
        const html = await pageOf(response);
        expect(html).toContain(`href="${REDIRECT_URI}?state=s"`);
        expect(html).not.toContain("<script");
      }
    },
  );

  it("end_session accepts only the client_id of the client to which the ID token was issued", async () => {
    const other = await openIdClient(deps, ann.user);
    await pageOf(
      await requestLogout({
        id_token_hint: hint,
        client_id: other.id,
        post_logout_redirect_uri: REDIRECT_URI,
      }),
    );
    expect(await isSignedIn()).toBe(true);
    await requestLogout({ id_token_hint: hint, client_id: client.id });
    expect(await isSignedIn()).toBe(false);
  });

  it.each([
    "https://evil.example/",
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}?x=1`,
    `${REDIRECT_URI}#x`,
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    OUT_OF_BAND,
  ])(
    conformance("AT-12", "end_session never redirects to %j, which is not a registered redirect URI"),
    async (post_logout_redirect_uri) => {
      const html = await pageOf(
        await requestLogout({ id_token_hint: hint, post_logout_redirect_uri, state: "x" }),
      );
      expect(html).toContain("You are signed out");
      expect(html).toContain("requested a URL that is not registered");
      expect(html).not.toContain("evil.example");
    },
  );
});

describe("end_session without a valid ID token of the user", () => {
  it("end_session asks for confirmation, and ends the session and redirects when the form is posted", async () => {
    const query = { client_id: client.id, post_logout_redirect_uri: REDIRECT_URI, state: "s" };
    const confirmation = await requestLogout(query);
    expect(confirmation.headers.get("content-security-policy")).not.toContain("form-action");
    const html = await pageOf(confirmation);
    expect(html).toContain("Client asks to sign you out");
    expect(await isSignedIn()).toBe(true);
    const body = encoded(fieldsIn(html));
    const response = await POST(formPost(PATH, body, { cookie: ann.cookie }));
    expect(response.headers.get("location")).toBe(`${REDIRECT_URI}?state=s`);
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await isSignedIn()).toBe(false);
  });

  it(
    conformance(
      "AT-12",
      "AT-13",
      "end_session shows a page instead of redirecting when the browser has no session",
    ),
    async () => {
      const query = { client_id: client.id, post_logout_redirect_uri: REDIRECT_URI };
      expect(await pageOf(await requestLogout(query, null))).toContain("You are signed out");
      expect(
        await pageOf(await requestLogout({ post_logout_redirect_uri: REDIRECT_URI }, null)),
      ).not.toContain(REDIRECT_URI);
    },
  );

  it("end_session asks for confirmation if the ID token belongs to a user other than the signed-in user", async () => {
    const bob = await signedInUser(deps, `bob${users}`);
    await pageOf(await requestLogout({ id_token_hint: hint }, bob));
    expect(await isSignedIn(bob)).toBe(true);
  });

  it(conformance("AT-46", "end_session asks for confirmation for a forged ID token"), async () => {
    const claims = { iss: ORIGIN, sub: String(ann.user.id), aud: client.id };
    const [head = "", , signature = ""] = hint.split(".");
    const body = Buffer.from(JSON.stringify(claims)).toString("base64url");
    const forged = [
      new UnsecuredJWT(claims).encode(),
      `${head}.${body}.${signature}`,
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`,
      await signJwt(deps, { ...claims, iss: "https://evil.example" }),
      await signJwt(deps, { ...claims, aud: "unknown" }),
      "x",
      "..",
    ];
    for (const id_token_hint of forged)
      await pageOf(await requestLogout({ id_token_hint, post_logout_redirect_uri: REDIRECT_URI }));
    expect(await isSignedIn()).toBe(true);
  });
});

describe("the confirmation form of end_session", () => {
  const form = async (changes: Fields = {}) => ({
    ...fieldsIn(
      await (await requestLogout({ client_id: client.id, post_logout_redirect_uri: REDIRECT_URI })).text(),
    ),
    ...changes,
  });
  const post = async (fields: Fields, headers: Readonly<Record<string, string>> = {}) =>
    POST(formPost(PATH, encoded(fields), { cookie: ann.cookie, ...headers }));

  it.each<[string, Fields, Record<string, string>]>([
    ["from another site", {}, { "sec-fetch-site": "cross-site" }],
    ["from another origin", {}, { origin: "https://evil.example" }],
    ["with another token", { form_token: "x" }, {}],
    ["with another redirect URI", { post_logout_redirect_uri: undefined }, {}],
    ["for another state", { state: "other" }, {}],
  ])(
    conformance("AT-14", "the confirmation form of end_session is refused %s"),
    async (_how, changes, headers) => {
      await pageOf(await post(await form(changes), headers), 403);
      expect(await isSignedIn()).toBe(true);
    },
  );

  it(
    conformance(
      "AT-14",
      "the confirmation form is rejected if it contains the CSRF token of another session",
    ),
    async () => {
      const bob = await signedInUser(deps, `bob${users}`);
      await pageOf(await post(await form(), { cookie: bob.cookie }), 403);
      expect(await isSignedIn(bob)).toBe(true);
    },
  );

  it("if another site posts the confirmation form, the server redirects to a GET request and does not end the session", async () => {
    const fields = { client_id: client.id, post_logout_redirect_uri: REDIRECT_URI, state: "a b" };
    const response = await post(fields, { origin: "https://client.example.com" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${ORIGIN}${PATH}?${encoded(fields)}`);
    expect(await isSignedIn()).toBe(true);
  });

  it.each(["state=%zz", "state=%00", "id_token_hint=a&id_token_hint=b", "state[]=x"])(
    conformance(
      "XC-07",
      "XC-08",
      "XC-09",
      "the confirmation form is rejected if its body or the query contains malformed parameters: %s",
    ),
    async (text) => {
      await pageOf(await requestLogout(text), 400);
      await pageOf(await POST(formPost(PATH, text, { cookie: ann.cookie })), 400);
    },
  );

  it(
    conformance(
      "XC-10",
      "XC-11",
      "the confirmation form is rejected if it has another content type, or if its body exceeds 64 KiB",
    ),
    async () => {
      const type = { cookie: ann.cookie, "content-type": "text/plain" };
      await pageOf(await POST(formPost(PATH, "x=y", type)), 400);
      await pageOf(await post({ padding: "x".repeat(70_000) }), 413);
    },
  );
});
