import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  type Client,
  codeFor,
  decide,
  exchangeOf,
  REDIRECT_URI,
  redirectParameters,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const STATE = "a&b=c+d e/é✓%20<script>\"'\r\nX-Injected: 1";

let ann: SignedInUser;
let bob: SignedInUser;
let client: Client;

const draft = {
  name: "Client",
  redirectUris: [
    REDIRECT_URI,
    `${REDIRECT_URI}/2`,
    "https://client.example.com/cb?x=1&state=own&y",
    "http://127.0.0.1/cb",
    "http://localhost/cb",
    "com.example.app:/cb",
    OUT_OF_BAND,
  ].join("\n"),
  scopes: ["read_user", "profile"],
  confidential: true,
  requiresPkce: false,
  allowsPassword: true,
};

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  bob = await signedInUser(deps, "bob");
  client = await registeredClient(deps, ann.user, draft);
});

const codes = () => deps.db.authorizationCode.count();

describe("a decision to allow access", () => {
  it(
    conformance(
      "AZ-03",
      "AZ-08",
      "AT-33",
      "allowing access sends an authorization code and the unchanged state to the redirect URI",
    ),
    async () => {
      const response = await decide(deps, ann, authorizationQuery(client, { state: STATE }));
      expect(redirectParameters(response)).toEqual({ code: expect.any(String), state: STATE });
      expect(response.headers.get("location")).toMatch(/^[\x21-\x7e]+$/);
      expect(response.headers.has("x-injected")).toBe(false);
      expect(response.headers.get("cache-control")).toContain("no-store");
      expect(response.status).toBe(303);
    },
  );

  it(conformance("AZ-07", "allowing access returns a state of 4,000 characters unchanged"), async () => {
    const state = "s".repeat(4_000);
    expect(redirectParameters(await decide(deps, ann, authorizationQuery(client, { state })))).toMatchObject({
      state,
    });
  });

  it.each([undefined, ""])(
    conformance(
      "AZ-06",
      "XC-06",
      "allowing access sends no state when the authorization request has no state, here %j",
    ),
    async (state) => {
      const response = redirectParameters(await decide(deps, ann, authorizationQuery(client, { state })));
      expect(response).toEqual({ code: expect.any(String) });
    },
  );

  it(
    conformance(
      "AZ-05",
      "allowing access keeps the query of the redirect URI and replaces the `state` parameter in the query",
    ),
    async () => {
      const redirect_uri = "https://client.example.com/cb?x=1&state=own&y";
      const response = await decide(deps, ann, authorizationQuery(client, { redirect_uri }));
      expect(redirectParameters(response, redirect_uri)).toEqual({
        x: "1",
        y: "",
        code: expect.any(String),
        state: "xyz",
      });
      const stateless = await decide(
        deps,
        ann,
        authorizationQuery(client, { redirect_uri, state: undefined }),
      );
      expect(redirectParameters(stateless, redirect_uri)).not.toHaveProperty("state");
    },
  );

  it.each(["com.example.app:/cb", "http://127.0.0.1:51234/cb", "http://localhost:51234/cb"])(
    conformance("AZ-43", "RU-08", "RU-10", "a decision to allow access redirects the browser to %s"),
    async (redirect_uri) => {
      const response = await decide(deps, ann, authorizationQuery(client, { redirect_uri }));
      expect(response.headers.get("location")?.startsWith(`${redirect_uri}?code=`)).toBe(true);
    },
  );

  it(
    conformance(
      "AZ-42",
      "allowing access with the out-of-band URI shows the authorization code on a page, and the authorization code can be exchanged",
    ),
    async () => {
      const response = await decide(deps, ann, authorizationQuery(client, { redirect_uri: OUT_OF_BAND }));
      expect(response.status).toBe(200);
      expect(response.headers.has("location")).toBe(false);
      expect(response.headers.get("cache-control")).toContain("no-store");
      expect(response.headers.get("referrer-policy")).toBe("same-origin");
      const code = /ghac_[A-Za-z0-9_-]+/.exec(await response.text())?.[0] ?? "";
      const form = exchangeOf(client, code, { redirect_uri: OUT_OF_BAND });
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it(
    conformance(
      "AZ-33",
      "AZ-35",
      "allowing access stores consent for exactly the scopes that the page showed",
    ),
    async () => {
      const fresh = await registeredClient(deps, ann.user, draft);
      await decide(deps, ann, authorizationQuery(fresh, { scope: "profile" }));
      await decide(deps, ann, authorizationQuery(fresh, { scope: "read_user" }));
      const consent = await deps.db.consent.findFirstOrThrow({
        where: { applicationId: fresh.application.id },
      });
      expect(consent.scopes.split(" ").toSorted()).toEqual(["profile", "read_user"]);
    },
  );
});

describe("a decision to deny access", () => {
  it(
    conformance(
      "AZ-04",
      "denying access sends access_denied and the state to the redirect URI, but no authorization code",
    ),
    async () => {
      const response = await expectDenied();
      expect(redirectParameters(response)).toEqual({
        error: "access_denied",
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
        state: "xyz",
      });
    },
  );

  it(
    conformance("AZ-42", "denying access with the out-of-band URI shows a page instead of a redirect"),
    async () => {
      const query = authorizationQuery(client, { redirect_uri: OUT_OF_BAND });
      const response = await decide(deps, ann, query, { decision: "deny" });
      expect(response.headers.has("location")).toBe(false);
      expect(response.headers.get("content-type")).toContain("text/html");
    },
  );

  it(
    conformance(
      "AZ-35",
      "denying an invalid request sends the error code for the invalid request instead of access_denied",
    ),
    async () => {
      const query = authorizationQuery(client, { scope: "api" });
      expect(redirectParameters(await decide(deps, ann, query, { decision: "deny" }))).toMatchObject({
        error: "invalid_scope",
      });
    },
  );

  async function expectDenied(): Promise<Response> {
    const before = [await codes(), await deps.db.consent.count()];
    const response = await decide(deps, ann, authorizationQuery(client), { decision: "deny" });
    expect([await codes(), await deps.db.consent.count()]).toEqual(before);
    return response;
  }
});

describe("a form that is sent twice", () => {
  const sameForm = { form_id: "the same form" };
  const codeIn = async (response: Promise<Response>) => redirectParameters(await response)["code"] ?? "";

  it(
    conformance(
      "AZ-36",
      "a consent form that is sent twice simultaneously (a double click) creates one authorization code and one consent",
    ),
    async () => {
      for (let round = 0; round < 5; round++) {
        const fresh = await registeredClient(deps, ann.user, draft);
        const codesOfForm = await Promise.all(
          Array.from({ length: 4 }, () => codeIn(decide(deps, ann, authorizationQuery(fresh), sameForm))),
        );
        expect(new Set(codesOfForm).size).toBe(1);
        const where = { applicationId: fresh.application.id };
        expect(await deps.db.authorizationCode.count({ where })).toBe(1);
        expect(await deps.db.auditEvent.count({ where: { ...where, name: "consent.given" } })).toBe(1);
        expect((await requestToken(exchangeOf(fresh, codesOfForm[0] ?? ""))).status).toBe(200);
      }
    },
  );

  it(
    conformance(
      "AZ-36",
      "a consent form that is sent again creates another authorization code after the first authorization code has been used or has expired",
    ),
    async () => {
      const fresh = await registeredClient(deps, ann.user, draft);
      const post = () => codeIn(decide(deps, ann, authorizationQuery(fresh), sameForm));
      const first = await post();
      await requestToken(exchangeOf(fresh, first));
      const second = await post();
      deps.advance(601);
      const third = await post();
      expect(await post()).toBe(third);
      expect(new Set([first, second, third]).size).toBe(3);
      expect((await requestToken(exchangeOf(fresh, second))).status).toBe(400);
      expect((await requestToken(exchangeOf(fresh, third))).status).toBe(200);
    },
  );

  it(
    conformance(
      "AZ-36",
      "a consent form for a different authorization request, user or session creates another authorization code",
    ),
    async () => {
      const fresh = await registeredClient(deps, ann.user, draft);
      const again = { ...ann, cookie: await signedInCookie("ann") };
      const codesOfAll = [
        await codeIn(decide(deps, ann, authorizationQuery(fresh), sameForm)),
        await codeIn(decide(deps, ann, authorizationQuery(fresh, { state: "other" }), sameForm)),
        await codeIn(decide(deps, again, authorizationQuery(fresh), sameForm)),
        await codeIn(decide(deps, bob, authorizationQuery(fresh), sameForm)),
      ];
      expect(new Set(codesOfAll).size).toBe(4);
    },
  );
});

describe("a decision that is sent twice", () => {
  it("a decision that is sent twice simultaneously (a double click) succeeds, even for the first consent", async () => {
    for (let round = 0; round < 5; round++) {
      const fresh = await registeredClient(deps, ann.user, draft);
      const responses = await Promise.all(
        Array.from({ length: 3 }, () => decide(deps, ann, authorizationQuery(fresh))),
      );
      for (const response of responses)
        expect(redirectParameters(response)).toMatchObject({ code: expect.any(String) });
      expect(await deps.db.consent.count({ where: { applicationId: fresh.application.id } })).toBe(1);
    }
  });

  it("two users who allow the same application each get an authorization code", async () => {
    for (const user of [ann, bob]) {
      const form = exchangeOf(client, await codeFor(deps, user, authorizationQuery(client)));
      expect((await requestToken(form)).status).toBe(200);
    }
  });
});
