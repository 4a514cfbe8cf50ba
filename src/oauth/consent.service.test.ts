import { POST } from "@app/oauth/authorize/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import * as applications from "@/features/applications/service.ts";
import { sessionOf, signOut } from "@/features/sign-in/service.ts";
import {
  answerAt,
  askFor,
  type Client,
  codeFor,
  decide,
  encoded,
  exchangeOf,
  type Fields,
  formPost,
  formTokenFor,
  ORIGIN,
  type Person,
  REDIRECT_URI,
  registeredClient,
  requestToken,
  signedInCookie,
  signedInPerson,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const STATE = "a&b=c+d e/é✓%20<script>\"'\r\nX-Injected: 1";

let ann: Person;
let bob: Person;
let client: Client;
let other: Client;

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
};

beforeAll(async () => {
  ann = await signedInPerson(deps, "ann");
  bob = await signedInPerson(deps, "bob");
  client = await registeredClient(deps, ann.user, draft);
  other = await registeredClient(deps, ann.user, draft);
});

const codes = () => deps.db.authorizationCode.count();

/** Nothing was granted, remembered or sent to the client. */
async function expectNothingDone(act: () => Promise<Response>, status: number): Promise<Response> {
  const before = [await codes(), await deps.db.consent.count()];
  const response = await act();
  expect(response.status).toBe(status);
  expect(response.headers.get("location") ?? ORIGIN).toMatch(/^http:\/\/localhost:3000(?:\/|$)/);
  expect([await codes(), await deps.db.consent.count()]).toEqual(before);
  return response;
}

describe("Allow", () => {
  it("sends code, the same state and the issuer to the redirect URI [AZ-03, AZ-08, AT-11, AT-33]", async () => {
    const response = await decide(deps, ann, askFor(client, { state: STATE }));
    expect(answerAt(response)).toEqual({ code: expect.any(String), state: STATE, iss: ORIGIN });
    expect(response.headers.get("location")).toMatch(/^[\x21-\x7e]+$/);
    expect(response.headers.has("x-injected")).toBe(false);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.status).toBe(303);
  });

  it("sends a state of 4,000 characters back unchanged [AZ-07]", async () => {
    const state = "s".repeat(4_000);
    expect(answerAt(await decide(deps, ann, askFor(client, { state })))).toMatchObject({ state });
  });

  it.each([undefined, ""])("sends no state when none was sent, here %j [AZ-06, XC-06]", async (state) => {
    const answer = answerAt(await decide(deps, ann, askFor(client, { state })));
    expect(answer).toEqual({ code: expect.any(String), iss: ORIGIN });
  });

  it("keeps the redirect URI's own query and replaces a state in it [AZ-05]", async () => {
    const redirect_uri = "https://client.example.com/cb?x=1&state=own&y";
    const response = await decide(deps, ann, askFor(client, { redirect_uri }));
    expect(answerAt(response, redirect_uri)).toEqual({
      x: "1",
      y: "",
      code: expect.any(String),
      state: "xyz",
      iss: ORIGIN,
    });
    const stateless = await decide(deps, ann, askFor(client, { redirect_uri, state: undefined }));
    expect(answerAt(stateless, redirect_uri)).not.toHaveProperty("state");
  });

  it.each(["com.example.app:/cb", "http://127.0.0.1:51234/cb", "http://localhost:51234/cb"])(
    "redirects to %s [AZ-43, RU-08, RU-10]",
    async (redirect_uri) => {
      const response = await decide(deps, ann, askFor(client, { redirect_uri }));
      expect(response.headers.get("location")?.startsWith(`${redirect_uri}?code=`)).toBe(true);
    },
  );

  it("shows the code on a page of ours for the out-of-band URI, and it can be exchanged [AZ-42]", async () => {
    const response = await decide(deps, ann, askFor(client, { redirect_uri: OUT_OF_BAND }));
    expect(response.status).toBe(200);
    expect(response.headers.has("location")).toBe(false);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
    const code = /ghac_[A-Za-z0-9_-]+/.exec(await response.text())?.[0] ?? "";
    const form = exchangeOf(client, code, { redirect_uri: OUT_OF_BAND });
    expect((await requestToken(form)).status).toBe(200);
  });

  it("is remembered for exactly the scopes that were shown [AZ-33, AZ-35]", async () => {
    const fresh = await registeredClient(deps, ann.user, draft);
    await decide(deps, ann, askFor(fresh, { scope: "profile" }));
    await decide(deps, ann, askFor(fresh, { scope: "read_user" }));
    const consent = await deps.db.consent.findFirstOrThrow({
      where: { applicationId: fresh.application.id },
    });
    expect(consent.scopes.split(" ").toSorted()).toEqual(["profile", "read_user"]);
  });
});

describe("Deny", () => {
  it("sends access_denied, state and issuer, and no code [AZ-04, AT-11]", async () => {
    const response = await expectDenied();
    expect(answerAt(response)).toEqual({
      error: "access_denied",
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      state: "xyz",
      iss: ORIGIN,
    });
  });

  it("is shown on a page of ours for the out-of-band URI [AZ-42]", async () => {
    const ask = askFor(client, { redirect_uri: OUT_OF_BAND });
    const response = await decide(deps, ann, ask, { decision: "deny" });
    expect(response.headers.has("location")).toBe(false);
    expect(response.headers.get("content-type")).toContain("text/html");
  });

  it("of a request that is refused anyway tells the client why it is [AZ-35]", async () => {
    const ask = askFor(client, { scope: "api" });
    expect(answerAt(await decide(deps, ann, ask, { decision: "deny" }))).toMatchObject({
      error: "invalid_scope",
    });
  });

  async function expectDenied(): Promise<Response> {
    const before = [await codes(), await deps.db.consent.count()];
    const response = await decide(deps, ann, askFor(client), { decision: "deny" });
    expect([await codes(), await deps.db.consent.count()]).toEqual(before);
    return response;
  }
});

describe("a forged decision", () => {
  it.each<[string, Fields]>([
    ["without a form token", { form_token: undefined }],
    ["with an empty form token", { form_token: "" }],
    ["with a made-up form token", { form_token: "x".repeat(43) }],
  ])("is refused %s, allowing or denying [AZ-34, AT-14]", async (_how, changes) => {
    for (const decision of ["allow", "deny"])
      await expectNothingDone(() => decide(deps, ann, askFor(client), { decision, ...changes }), 403);
  });

  it("is refused with the form token of another person [AZ-34, AT-14]", async () => {
    const form_token = await formTokenFor(deps, bob, askFor(client));
    await expectNothingDone(() => decide(deps, ann, askFor(client), { form_token }), 403);
  });

  it("is refused with the form token of another session of the same person [AZ-34]", async () => {
    const elsewhere = { user: ann.user, cookie: await signedInCookie("ann") };
    const form_token = await formTokenFor(deps, elsewhere, askFor(client));
    await expectNothingDone(() => decide(deps, ann, askFor(client), { form_token }), 403);
  });

  it.each<[string, Fields]>([
    ["another redirect URI", { redirect_uri: `${REDIRECT_URI}/2` }],
    ["a redirect URI that is not registered", { redirect_uri: "https://evil.example/" }],
    ["a wider scope", { scope: "read_user profile" }],
    ["no scope", { scope: undefined }],
    ["another state", { state: "other" }],
    [
      "a challenge",
      { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
    ],
    ["another response type", { response_type: "token" }],
  ])("is refused with %s than the form showed [AZ-35]", async (_what, changes) => {
    await expectNothingDone(() => decide(deps, ann, askFor(client), changes), 403);
  });

  it("is refused for another application than the form showed [AZ-35]", async () => {
    await expectNothingDone(() => decide(deps, ann, askFor(client), { client_id: other.id }), 403);
  });

  it("is refused without its challenge: no stripping of PKCE [AZ-35, AT-09]", async () => {
    const publicClient = await registeredClient(deps, ann.user, { confidential: false });
    const stripped = { code_challenge: undefined, code_challenge_method: undefined };
    await expectNothingDone(() => decide(deps, ann, askFor(publicClient), stripped), 403);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sibling domain", { "sec-fetch-site": "same-site" }],
    ["no page at all", { "sec-fetch-site": "none" }],
    ["another origin", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:3001" }],
    ["https instead of http", { origin: "https://localhost:3000" }],
    ["an opaque origin", { origin: "null" }],
    ["another site that sends our origin too", { origin: ORIGIN, "sec-fetch-site": "cross-site" }],
  ])("is refused from %s, with the right form token [AT-14]", async (_where, headers) => {
    await expectNothingDone(() => decide(deps, ann, askFor(client), {}, headers), 403);
  });

  it.each(["text/plain", "multipart/form-data; boundary=x", "application/json", ""])(
    "is refused in the encoding %j, which needs no form of ours [AT-14]",
    async (type) => {
      const ask = askFor(client);
      const fields = { ...ask, decision: "allow", form_token: await formTokenFor(deps, ann, ask) };
      const headers = { "content-type": type, cookie: ann.cookie };
      await expectNothingDone(() => POST(formPost("/oauth/authorize", encoded(fields), headers)), 400);
    },
  );

  it("is refused with a body over 64 KiB and with broken text [XC-09, XC-10]", async () => {
    await expectNothingDone(() => decide(deps, ann, askFor(client), { padding: "x".repeat(70_000) }), 413);
    const body = `${encoded(askFor(client))}&decision=allow&form_token=%ff`;
    await expectNothingDone(() => POST(formPost("/oauth/authorize", body, { cookie: ann.cookie })), 400);
  });
});

describe("a decision without a live session", () => {
  it.each<[string, (person: Person) => Promise<unknown>]>([
    ["signing out", async ({ cookie }) => signOut(deps, await sessionOf(deps, cookie))],
    [
      "being blocked",
      ({ user }) => deps.db.user.update({ where: { id: user.id }, data: { state: "blocked" } }),
    ],
    ["the session ran out", async () => deps.advance(604_800)],
  ])("grants nothing after %s [AZ-34, AT-48]", async (how, end) => {
    const leaver = await signedInPerson(deps, how.replaceAll(" ", "-"));
    const ask = askFor(client);
    const fields = { ...ask, decision: "allow", form_token: await formTokenFor(deps, leaver, ask) };
    await end(leaver);
    const response = await expectNothingDone(
      () => POST(formPost("/oauth/authorize", encoded(fields), { cookie: leaver.cookie })),
      303,
    );
    expect(response.headers.get("location")).toBe(`${ORIGIN}/oauth/authorize?${encoded(ask)}`);
  });

  it("goes on with the same request after signing in again", async () => {
    ann = { user: ann.user, cookie: await signedInCookie("ann") };
    expect(await codeFor(deps, ann, askFor(client))).toMatch(/^ghac_/);
  });
});

describe("a decision that is sent twice", () => {
  it("at once, by a double click, fails for neither, also when it is the first consent of all", async () => {
    for (let round = 0; round < 5; round++) {
      const fresh = await registeredClient(deps, ann.user, draft);
      const answers = await Promise.all(Array.from({ length: 3 }, () => decide(deps, ann, askFor(fresh))));
      for (const answer of answers) expect(answerAt(answer)).toMatchObject({ code: expect.any(String) });
      expect(await deps.db.consent.count({ where: { applicationId: fresh.application.id } })).toBe(1);
    }
  });

  it("by two people leaves each a code of their own", async () => {
    bob = { user: bob.user, cookie: await signedInCookie("bob") };
    for (const person of [ann, bob]) {
      const form = exchangeOf(client, await codeFor(deps, person, askFor(client)));
      expect((await requestToken(form)).status).toBe(200);
    }
  });
});

describe("a consent page that has grown stale", () => {
  const owned = () => registeredClient(deps, ann.user, draft);
  const page = (response: Response) => {
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
  };

  it("grants nothing when the application is gone [AT-49]", async () => {
    const gone = await owned();
    await applications.remove(deps, ann.user, gone.application.id);
    page(await expectNothingDone(() => decide(deps, bob, askFor(gone)), 400));
  });

  it("grants nothing when the redirect URI is no longer registered [AT-49]", async () => {
    const moved = await owned();
    const redirectUris = `${REDIRECT_URI}/2`;
    await applications.change(deps, ann.user, moved.application.id, { ...draft, redirectUris });
    page(await expectNothingDone(() => decide(deps, bob, askFor(moved)), 400));
  });

  it("grants nothing when the application may no longer have the scope [AT-49]", async () => {
    const narrowed = await owned();
    const scopes = ["profile"];
    await applications.change(deps, ann.user, narrowed.application.id, { ...draft, scopes });
    const before = await codes();
    expect(answerAt(await decide(deps, bob, askFor(narrowed)))).toMatchObject({ error: "invalid_scope" });
    expect(await codes()).toBe(before);
  });

  it("grants nothing when the application has become public and must send a challenge [AT-49, PK-11]", async () => {
    const opened = await owned();
    await applications.change(deps, ann.user, opened.application.id, { ...draft, confidential: false });
    expect(answerAt(await decide(deps, bob, askFor(opened)))).toMatchObject({ error: "invalid_request" });
  });
});
