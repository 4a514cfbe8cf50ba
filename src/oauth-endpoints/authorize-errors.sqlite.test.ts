import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  authorize,
  CHALLENGE,
  type Client,
  codeFor,
  decide,
  encoded,
  exchangeOf,
  type Fields,
  REDIRECT_URI,
  redirectParameters,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { expectErrorPage } from "@/testing/error-page.ts";

const deps = await openTestDeps();
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const APP = "com.example.app:/cb";

let ann: SignedInUser;
let client: Client;
let apiClient: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const redirectUris = [
    REDIRECT_URI,
    "https://client.example.com/cb?x=1&state=own&y",
    "http://127.0.0.1/cb",
    APP,
    OUT_OF_BAND,
  ].join("\n");
  client = await registeredClient(deps, ann.user, { redirectUris });
  apiClient = await registeredClient(deps, ann.user, { scopes: ["api", "read_user", "profile"] });
  publicClient = await registeredClient(deps, ann.user, { redirectUris, confidential: false });
});

const codes = () => deps.db.authorizationCode.count();

/** Returns the visible text of a page. */
const withoutTags = (html: string): string =>
  html.replace(/<span class="sr-only[^"]*">[^<]*<\/span>/g, "").replace(/<[^>]*>/g, "");

describe("the error page", () => {
  it.each<[string, Fields]>([
    ["no client_id", { client_id: undefined }],
    ["an empty client_id", { client_id: "" }],
    ["an unknown client_id", { client_id: "unknown" }],
    ["a client_id of ten thousand letters", { client_id: "a".repeat(10_000) }],
    ["no redirect_uri", { redirect_uri: undefined }],
    ["an empty redirect_uri", { redirect_uri: "" }],
    ["a redirect_uri that is not registered", { redirect_uri: "https://evil.example/" }],
    ["a relative redirect_uri", { redirect_uri: "/callback" }],
    ["a javascript redirect_uri", { redirect_uri: "javascript:alert(1)" }],
  ])(
    conformance(
      "AZ-09",
      "AZ-10",
      "AZ-11",
      "AZ-12",
      "AZ-38",
      "AT-12",
      "an authorization request with %s shows the error page to signed-in and signed-out users",
    ),
    async (_what, changes) => {
      await expectErrorPage(await authorize(authorizationQuery(client, changes), ann));
      await expectErrorPage(await authorize(authorizationQuery(client, changes)));
    },
  );

  it(
    conformance(
      "AZ-10",
      "AZ-12",
      "the error page is shown for a redirect_uri that is registered for another application",
    ),
    async () => {
      await expectErrorPage(await authorize(authorizationQuery(apiClient, { redirect_uri: APP }), ann));
      await expectErrorPage(
        await authorize(authorizationQuery(client, { client_id: "x", redirect_uri: APP }), ann),
      );
    },
  );

  it.each(["client_id", "redirect_uri"])(
    conformance(
      "AZ-20",
      "XC-07",
      "the error page is shown for a repeated %s, even if both values are the same",
    ),
    async (name) => {
      const query = authorizationQuery(client);
      await expectErrorPage(await authorize(`${encoded(query)}&${encoded({ [name]: query[name] })}`, ann));
      await expectErrorPage(await authorize(`${encoded(query)}&${name}=`, ann));
    },
  );

  it.each(["client_id=%zz", "client_id=%00", "client_id=%ff", "state=%zz", "state=a%00b", "foo=%c3%28"])(
    conformance("AZ-10", "XC-09", "the error page is shown for the invalid encoding %s"),
    async (broken) => {
      const name = broken.split("=", 1)[0] ?? "";
      const rest = encoded({ ...authorizationQuery(client), [name]: undefined });
      await expectErrorPage(await authorize(`${rest}&${broken}`, ann));
    },
  );

  it.each(["scope[]=read_user", "client_id[x]=1", "state[]=", "redirect_uri[0]=x"])(
    conformance("XC-08", "the error page is shown for the bracketed parameter %s"),
    async (pair) => {
      await expectErrorPage(await authorize(`${encoded(authorizationQuery(client))}&${pair}`, ann));
    },
  );

  it(
    conformance(
      "SC-32",
      "after the instance has moved to https, the error page is shown for an http redirect URI, and earlier authorization codes for it are refused",
    ),
    async () => {
      const redirect_uri = "http://client.example.com/cb";
      const plain = await registeredClient(deps, ann.user, { redirectUris: redirect_uri });
      const query = authorizationQuery(plain, { redirect_uri });
      const code = await codeFor(deps, ann, query);
      const { config } = deps;
      const overHttps = (user: SignedInUser): SignedInUser => ({ ...user, cookie: `__Host-${user.cookie}` });
      const owner = overHttps(ann);
      const bob = overHttps(await signedInUser(deps, "bob-of-http"));
      Object.assign(deps, { config: { ...config, baseUrl: new URL("https://id.example.com") } });
      try {
        const own = withoutTags(await expectErrorPage(await authorize(query, owner)));
        expect(own).toContain("You own Client");
        expect(own).toContain("uses http");
        for (const page of [await authorize(query, bob), await authorize(query)]) {
          const text = withoutTags(await expectErrorPage(page));
          expect(text).toContain("The redirect URI is not secure");
          expect(text).not.toContain("You own");
        }
        await expectErrorPage(await decide(deps, owner, query));
        const exchange = await requestToken(exchangeOf(plain, code, { redirect_uri }));
        expect(exchange).toMatchObject(refusal("invalid_grant"));
      } finally {
        Object.assign(deps, { config });
      }
      expect((await requestToken(exchangeOf(plain, code, { redirect_uri }))).status).toBe(200);
    },
  );

  it(
    conformance(
      "AZ-12",
      "AT-50",
      "the error page reveals the registered URIs only to the owner of the application",
    ),
    async () => {
      const wrong = authorizationQuery(client, { redirect_uri: "https://client.example.com/<b>typo" });
      const html = await expectErrorPage(await authorize(wrong, ann));
      const text = withoutTags(html);
      expect(text).toContain(REDIRECT_URI);
      expect(text).toContain("https://client.example.com/&lt;b&gt;typo");
      const stranger = await signedInUser(deps, "stranger");
      for (const page of [await authorize(wrong, stranger), await authorize(wrong)])
        expect(withoutTags(await expectErrorPage(page))).not.toContain(REDIRECT_URI);
    },
  );
});

describe("an error response to the client", () => {
  it.each<[string, Fields, string]>([
    ["no response_type", { response_type: undefined }, "invalid_request"],
    ["response_type=foo", { response_type: "foo" }, "unsupported_response_type"],
    ["response_mode=foo", { response_mode: "foo" }, "invalid_request"],
    ["an unknown scope", { scope: "unknown" }, "invalid_scope"],
    ["a scope of other applications", { scope: "read_user api" }, "invalid_scope"],
    ["a scope in capitals", { scope: "READ_USER" }, "invalid_scope"],
    ["a scope with a tab", { scope: "read_user\tread_user" }, "invalid_scope"],
    ["a scope with a newline", { scope: "read_user\nread_user" }, "invalid_scope"],
    ["a scope with a quote", { scope: 'read_user "' }, "invalid_scope"],
    ["a scope with a backslash", { scope: "read_user \\" }, "invalid_scope"],
    ["a scope with a no-break space", { scope: "read_user\u00a0" }, "invalid_scope"],
    ["five hundred scopes", { scope: "read_user x".repeat(500) }, "invalid_scope"],
    ["no scope, from an application without a default scope", { scope: undefined }, "invalid_scope"],
    ["the method plain", { code_challenge: CHALLENGE, code_challenge_method: "plain" }, "invalid_request"],
    ["a challenge without a method", { code_challenge: CHALLENGE }, "invalid_request"],
    ["the method s256", { code_challenge: CHALLENGE, code_challenge_method: "s256" }, "invalid_request"],
    ["the method S512", { code_challenge: CHALLENGE, code_challenge_method: "S512" }, "invalid_request"],
    [
      "a challenge that is too short",
      { code_challenge: "a".repeat(42), code_challenge_method: "S256" },
      "invalid_request",
    ],
    [
      "a challenge that is too long",
      { code_challenge: "a".repeat(44), code_challenge_method: "S256" },
      "invalid_request",
    ],
    [
      "a padded challenge",
      { code_challenge: `${"a".repeat(42)}=`, code_challenge_method: "S256" },
      "invalid_request",
    ],
    ["a request object", { request: "x.y.z" }, "request_not_supported"],
    ["a request_uri", { request_uri: "https://evil.example/" }, "request_uri_not_supported"],
  ])(
    conformance(
      "AZ-14",
      "AZ-15",
      "AZ-16",
      "AZ-18",
      "AZ-19",
      "AZ-22",
      "AZ-23",
      "PK-03",
      "PK-04",
      "PK-05",
      "AT-11",
      "AT-27",
      "AT-35",
      "the client receives the specified error code for an authorization request with %s",
    ),
    async (_what, changes, error) => {
      const before = await codes();
      expect(redirectParameters(await authorize(authorizationQuery(client, changes), ann))).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
        state: "xyz",
      });
      expect(await codes()).toBe(before);
    },
  );

  it.each(["token", "id_token", "code token", "id_token token"])(
    conformance(
      "SC-25",
      "AZ-15",
      "the error response is sent in the fragment for the unsupported response_type=%s",
    ),
    async (response_type) => {
      const response = await authorize(authorizationQuery(client, { response_type }), ann);
      const [uri, fragment] = response.headers.get("location")?.split("#") ?? [];
      expect(uri).toBe(REDIRECT_URI);
      expect(Object.fromEntries(new URLSearchParams(fragment))).toEqual({
        error: "unsupported_response_type",
        error_description: expect.any(String),
        state: "xyz",
      });
      const inQuery = await authorize(
        authorizationQuery(client, { response_type, response_mode: "query" }),
        ann,
      );
      expect(redirectParameters(inQuery)).toMatchObject({ error: "unsupported_response_type" });
    },
  );

  it(
    conformance(
      "PK-11",
      "AT-09",
      "the error response is sent if the request of a public client contains no code challenge",
    ),
    async () => {
      const changes = { code_challenge: undefined, code_challenge_method: undefined };
      expect(
        redirectParameters(await authorize(authorizationQuery(publicClient, changes), ann)),
      ).toMatchObject({
        error: "invalid_request",
      });
    },
  );

  it.each(["response_type", "scope", "code_challenge", "nonce", "prompt"])(
    conformance("AZ-20", "XC-07", "the error response is sent for the repeated parameter %s"),
    async (name) => {
      const query = `${encoded(authorizationQuery(client, { [name]: undefined }))}&${name}=a&${name}=a`;
      expect(redirectParameters(await authorize(query, ann))).toMatchObject({
        error: "invalid_request",
        state: "xyz",
      });
    },
  );

  it(
    conformance("AZ-20", "the error response has no state when the request repeats the `state` parameter"),
    async () => {
      const parameters = redirectParameters(
        await authorize(`${encoded(authorizationQuery(client))}&state=other`, ann),
      );
      expect(parameters).toEqual({ error: "invalid_request", error_description: expect.any(String) });
    },
  );

  it(
    conformance(
      "AZ-42",
      "the error response is replaced by an error page when the redirect URI is urn:ietf:wg:oauth:2.0:oob",
    ),
    async () => {
      const query = authorizationQuery(client, { redirect_uri: OUT_OF_BAND, scope: "api" });
      await expectErrorPage(await authorize(query, ann));
    },
  );
});
