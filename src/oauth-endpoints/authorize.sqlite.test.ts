import * as route from "@app/oauth/authorize/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { postSession } from "@/identity/sign-in/session-form.ts";
import { approve } from "@/oauth/authorizations/approval.ts";
import {
  approvalOf,
  authorizationQuery,
  authorize,
  CHALLENGE,
  type Client,
  decide,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  PASSWORD,
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
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const APP = "com.example.app:/cb";
const STATE = "a&b=c+d e/é✓%20<script>\"'\r\nX-Injected: 1";

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

const consentFor = (query: Fields) => `${ORIGIN}/oauth/consent?${encoded(query)}`;
const codes = () => deps.db.authorizationCode.count();

describe("an authorization request without a session", () => {
  it(
    conformance(
      "AZ-01",
      "AZ-08",
      "a request without a session is redirected to the sign-in page, and continues unchanged, byte for byte, after the sign-in",
    ),
    async () => {
      const query = authorizationQuery(client, { state: STATE });
      const first = await authorize(query);
      expect(first.status).toBe(303);
      const signIn = new URL(first.headers.get("location") ?? "");
      expect(signIn.origin + signIn.pathname).toBe(`${ORIGIN}/users/sign_in`);
      const return_to = signIn.searchParams.get("return_to") ?? "";

      const form = encoded({ login: "ann", password: PASSWORD, return_to });
      const signedIn = await postSession(formPost("/users/session", form));
      expect(signedIn.status).toBe(303);
      const back = new URL(signedIn.headers.get("location") ?? "");
      expect(back.origin + back.pathname).toBe(`${ORIGIN}/oauth/authorize`);

      const cookie = signedIn.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
      const second = await authorize(back.search.slice(1), { user: ann.user, cookie });
      expect(second.headers.get("location")).toBe(consentFor(query));
    },
  );

  it.each<[string, Fields]>([
    ["a scope that the application does not have", { scope: "api" }],
    ["another response_type", { response_type: "token" }],
    ["no response_type", { response_type: undefined }],
    ["a wrong code_challenge_method", { code_challenge: CHALLENGE, code_challenge_method: "plain" }],
  ])(
    conformance(
      "AT-13",
      "a request without a session never redirects to the client, even if the request has %s",
    ),
    async (_what, changes) => {
      const response = await authorize(authorizationQuery(client, changes));
      expect(response.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/users\/sign_in\?/);
    },
  );

  it(conformance("AZ-20", "the sign-in keeps repeated parameters of the authorization request"), async () => {
    const response = await authorize(`${encoded(authorizationQuery(client))}&state=second`);
    const return_to = new URL(response.headers.get("location") ?? "").searchParams.get("return_to") ?? "";
    const parameters = redirectParameters(await authorize(return_to.slice(return_to.indexOf("?") + 1), ann));
    expect(parameters).toMatchObject({ error: "invalid_request" });
  });

  it(
    conformance(
      "AZ-10",
      "AZ-12",
      "AT-12",
      "a request with an invalid client or redirect URI shows the error page, and never the sign-in page",
    ),
    async () => {
      await expectErrorPage(await authorize(authorizationQuery(client, { client_id: "unknown" })));
      await expectErrorPage(
        await authorize(authorizationQuery(client, { redirect_uri: "https://evil.example/" })),
      );
    },
  );
});

describe("an authorization request with a session", () => {
  it(
    conformance(
      "AZ-02",
      "a request with a session is redirected to the consent page with the same query, and grants nothing yet",
    ),
    async () => {
      const before = await codes();
      const query = authorizationQuery(client, { state: STATE });
      const response = await authorize(query, ann);
      expect([302, 303]).toContain(response.status);
      expect(response.headers.get("location")).toBe(consentFor(query));
      expect(response.headers.get("cache-control")).toContain("no-store");
      expect(await codes()).toBe(before);
    },
  );

  it.each<[string, Fields]>([
    [
      "unknown parameters",
      { foo: "bar", claims_locales: "de", ui_locales: "de", acr_values: "x", display: "popup" },
    ],
    ["hints for sign-in", { login_hint: "ann", id_token_hint: "x.y.z" }],
    ["a nonce", { nonce: "n-0S6_WzA2Mj" }],
    ["empty parameters", { response_mode: "", prompt: "", code_challenge: "", code_challenge_method: "" }],
    ["response_mode=query", { response_mode: "query" }],
  ])(
    conformance(
      "XC-05",
      "XC-06",
      "AZ-28",
      "AZ-29",
      "an authorization request ignores additional parameters: %s",
    ),
    async (_which, more) => {
      const response = await authorize(authorizationQuery(client, more), ann);
      expect(response.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/oauth\/consent\?/);
    },
  );

  it(
    conformance(
      "XC-13",
      "the authorization endpoint redirects to the configured issuer, not to the host in the request",
    ),
    async () => {
      const query = encoded(authorizationQuery(client));
      const forged = {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
      };
      const url = `https://evil.example/oauth/authorize?${query}`;
      const signedOut = await route.GET(new Request(url, { headers: forged }));
      expect(signedOut.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/users\/sign_in\?/);
      const signedIn = await route.GET(new Request(url, { headers: { ...forged, cookie: ann.cookie } }));
      expect(signedIn.headers.get("location")).toBe(consentFor(authorizationQuery(client)));
    },
  );

  it(
    conformance(
      "AZ-44",
      "XC-01",
      "the authorization endpoint accepts only GET and POST, and sends no CORS headers",
    ),
    async () => {
      expect(Object.keys(route).toSorted()).toEqual(["GET", "POST"]);
      const headers = { origin: "https://client.example.com", cookie: ann.cookie };
      const url = `${ORIGIN}/oauth/authorize?${encoded(authorizationQuery(client))}`;
      const response = await route.GET(new Request(url, { headers }));
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    },
  );

  it(
    conformance("AZ-37", "an authorization request with POST is redirected to the same URL with GET"),
    async () => {
      const before = await codes();
      const body = encoded(authorizationQuery(client, { state: STATE }));
      const elsewhere = { cookie: ann.cookie, origin: "https://client.example.com" };
      const response = await route.POST(formPost("/oauth/authorize", body, elsewhere));
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`${ORIGIN}/oauth/authorize?${body}`);
      expect(await codes()).toBe(before);
    },
  );
});

describe("the scopes of a request", () => {
  it.each<[string, string | undefined, string]>([
    ["missing, when the application has the default scope api", undefined, "api"],
    ["empty, when the application has the default scope api", "", "api"],
    ["in another order", "profile read_user", "profile read_user"],
    ["surrounded and separated by several spaces", "  read_user   profile ", "read_user profile"],
    ["named twice", "read_user read_user", "read_user"],
  ])(
    conformance("AZ-19", "AZ-21", "AZ-22", "the scopes of a request are parsed when they are %s"),
    async (_how, scope, granted) => {
      const response = await decide(deps, ann, authorizationQuery(apiClient, { scope }));
      expect(Object.keys(redirectParameters(response))).toContain("code");
      const code = await deps.db.authorizationCode.findFirstOrThrow({ orderBy: { id: "desc" } });
      expect(code.scopes).toBe(granted);
    },
  );

  it(
    conformance("AZ-21", "the scopes of a request do not depend on the order of the parameters"),
    async () => {
      const reversed = Object.fromEntries(Object.entries(authorizationQuery(client)).reverse());
      const response = await authorize(reversed, ann);
      expect(response.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/oauth\/consent\?/);
    },
  );
});

describe("the consent of a user", () => {
  const consented = async (to: Client, scope: string): Promise<void> => {
    const scopes = ["read_user" as const, "profile" as const].filter((name) => scope.includes(name));
    const approval = { ...(await approvalOf(deps, ann, to)), application: to.application, scopes };
    await approve(deps, approval, { sessionId: "", purpose: scope, formId: to.id });
  };

  it(
    conformance("AZ-30", "the consent of a user is not requested again for the same or fewer scopes"),
    async () => {
      const again = await registeredClient(deps, ann.user, { scopes: ["read_user", "profile"] });
      await consented(again, "read_user profile");
      for (const scope of ["read_user profile", "profile read_user", "read_user"])
        expect(redirectParameters(await authorize(authorizationQuery(again, { scope }), ann))).toEqual({
          code: expect.any(String),
          state: "xyz",
        });
    },
  );

  it(conformance("AZ-33", "the consent of a user is requested again for additional scopes"), async () => {
    const more = await registeredClient(deps, ann.user, { scopes: ["read_user", "profile"] });
    await consented(more, "read_user");
    const response = await authorize(authorizationQuery(more, { scope: "read_user profile" }), ann);
    expect(response.headers.get("location")).toContain("/oauth/consent?");
  });

  it(conformance("AZ-30", "the consent of a user applies only to that user"), async () => {
    const shared = await registeredClient(deps, ann.user);
    await consented(shared, "read_user");
    const cid = await signedInUser(deps, "cid");
    const response = await authorize(authorizationQuery(shared), cid);
    expect(response.headers.get("location")).toContain("/oauth/consent?");
  });

  it(
    conformance(
      "AZ-46",
      "with prompt=none, a public client that already has consent receives a code without a new consent",
    ),
    async () => {
      const silent = authorizationQuery(publicClient, { prompt: "none" });
      const cid = await signedInUser(deps, "silent");
      expect(redirectParameters(await authorize(silent, cid))).toMatchObject({ error: "consent_required" });
      await decide(deps, cid, authorizationQuery(publicClient));
      expect(redirectParameters(await authorize(silent, cid))).toHaveProperty("code");
      const wider = authorizationQuery(publicClient, { prompt: "none", scope: "read_user profile" });
      expect(redirectParameters(await authorize(wider, cid))).toHaveProperty("error");
    },
  );

  it(
    conformance(
      "AZ-31",
      "without prompt=none, a public client needs consent for every authorization request",
    ),
    async () => {
      await consented(publicClient, "read_user");
      const response = await authorize(authorizationQuery(publicClient), ann);
      expect(response.headers.get("location")).toContain("/oauth/consent?");
    },
  );

  it(
    conformance(
      "AZ-32",
      "consent is not required for a trusted application, but a session and a valid request are required",
    ),
    async () => {
      const trusted = await registeredClient(deps, ann.user, {}, true);
      expect(redirectParameters(await authorize(authorizationQuery(trusted), ann))).toHaveProperty("code");
      expect((await authorize(authorizationQuery(trusted))).headers.get("location")).toContain(
        "/users/sign_in?",
      );
      expect(
        redirectParameters(await authorize(authorizationQuery(trusted, { scope: "api" }), ann)),
      ).toHaveProperty("error");
      await expectErrorPage(
        await authorize(authorizationQuery(trusted, { redirect_uri: "https://evil.example/" }), ann),
      );
    },
  );

  it(conformance("AZ-31", "consent is requested for a trusted application that is public"), async () => {
    const trusted = await registeredClient(deps, ann.user, { confidential: false }, true);
    const response = await authorize(authorizationQuery(trusted), ann);
    expect(response.headers.get("location")).toContain("/oauth/consent?");
  });
});
