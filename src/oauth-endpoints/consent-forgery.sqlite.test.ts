import { POST } from "@app/oauth/authorize/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { sessionOf, signOut } from "@/identity/sessions/service.ts";
import * as applications from "@/oauth/applications/service.ts";
import {
  authorizationQuery,
  type Client,
  csrfTokenFor,
  decide,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  REDIRECT_URI,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

let ann: SignedInUser;
let bob: SignedInUser;
let client: Client;
let other: Client;

const draft = {
  name: "Client",
  requiresPkce: false,
  allowsPassword: true,
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
  ann = await signedInUser(deps, "ann");
  bob = await signedInUser(deps, "bob");
  client = await registeredClient(deps, ann.user, draft);
  other = await registeredClient(deps, ann.user, draft);
});

const codes = () => deps.db.authorizationCode.count();

/** Checks that a request grants nothing, stores nothing and sends nothing to the client. */
async function expectNothingDone(act: () => Promise<Response>, status: number): Promise<Response> {
  const before = [await codes(), await deps.db.consent.count()];
  const response = await act();
  expect(response.status).toBe(status);
  expect(response.headers.get("location") ?? ORIGIN).toMatch(/^http:\/\/localhost:3000(?:\/|$)/);
  expect([await codes(), await deps.db.consent.count()]).toEqual(before);
  return response;
}

describe("a forged decision", () => {
  it.each<[string, Fields]>([
    ["without a CSRF token", { form_token: undefined }],
    ["with an empty CSRF token", { form_token: "" }],
    ["with a made-up CSRF token", { form_token: "x".repeat(43) }],
  ])(
    conformance("AZ-34", "AT-14", "a forged decision %s is refused, whether it allows or denies access"),
    async (_how, changes) => {
      for (const decision of ["allow", "deny"])
        await expectNothingDone(
          () => decide(deps, ann, authorizationQuery(client), { decision, ...changes }),
          403,
        );
    },
  );

  it(conformance("AZ-34", "AT-14", "a decision with the CSRF token of another user is refused"), async () => {
    const form_token = await csrfTokenFor(deps, bob, authorizationQuery(client));
    await expectNothingDone(() => decide(deps, ann, authorizationQuery(client), { form_token }), 403);
  });

  it(
    conformance("AZ-34", "a decision with the CSRF token of another session of the same user is refused"),
    async () => {
      const elsewhere = { user: ann.user, cookie: await signedInCookie("ann") };
      const form_token = await csrfTokenFor(deps, elsewhere, authorizationQuery(client));
      await expectNothingDone(() => decide(deps, ann, authorizationQuery(client), { form_token }), 403);
    },
  );

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
  ])(
    conformance("AZ-35", "a decision with %s, which the form did not show, is refused"),
    async (_what, changes) => {
      await expectNothingDone(() => decide(deps, ann, authorizationQuery(client), changes), 403);
    },
  );

  it(
    conformance("AZ-35", "a decision about an application that the consent form did not show is refused"),
    async () => {
      await expectNothingDone(
        () => decide(deps, ann, authorizationQuery(client), { client_id: other.id }),
        403,
      );
    },
  );

  it(
    conformance(
      "AZ-35",
      "AT-09",
      "a decision is refused if it omits the code challenge of the authorization request (PKCE downgrade)",
    ),
    async () => {
      const publicClient = await registeredClient(deps, ann.user, { confidential: false });
      const stripped = { code_challenge: undefined, code_challenge_method: undefined };
      await expectNothingDone(() => decide(deps, ann, authorizationQuery(publicClient), stripped), 403);
    },
  );

  it.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sibling domain", { "sec-fetch-site": "same-site" }],
    ["a navigation outside any page", { "sec-fetch-site": "none" }],
    ["another origin", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:3001" }],
    ["https instead of http", { origin: "https://localhost:3000" }],
    ["an opaque origin", { origin: "null" }],
    [
      "another site with the origin of the instance in the Origin header",
      { origin: ORIGIN, "sec-fetch-site": "cross-site" },
    ],
  ])(
    conformance("AT-14", "a decision from %s is refused, even with the valid CSRF token"),
    async (_where, headers) => {
      await expectNothingDone(() => decide(deps, ann, authorizationQuery(client), {}, headers), 403);
    },
  );

  it.each(["text/plain", "multipart/form-data; boundary=x", "application/json", ""])(
    conformance("AT-14", "a decision with the content type %j, which other sites can send, is refused"),
    async (type) => {
      const query = authorizationQuery(client);
      const fields = { ...query, decision: "allow", form_token: await csrfTokenFor(deps, ann, query) };
      const headers = { "content-type": type, cookie: ann.cookie };
      await expectNothingDone(() => POST(formPost("/oauth/authorize", encoded(fields), headers)), 400);
    },
  );

  it(
    conformance(
      "XC-09",
      "XC-10",
      "a decision whose body exceeds 64 KiB or has an invalid encoding is refused",
    ),
    async () => {
      await expectNothingDone(
        () => decide(deps, ann, authorizationQuery(client), { padding: "x".repeat(70_000) }),
        413,
      );
      const body = `${encoded(authorizationQuery(client))}&decision=allow&form_token=%ff`;
      await expectNothingDone(() => POST(formPost("/oauth/authorize", body, { cookie: ann.cookie })), 400);
    },
  );
});

describe("a decision without a live session", () => {
  it.each<[string, (user: SignedInUser) => Promise<unknown>]>([
    ["signing out", async ({ cookie }) => signOut(deps, await sessionOf(deps, cookie))],
    [
      "the block of the user",
      ({ user }) => deps.db.user.update({ where: { id: user.id }, data: { state: "blocked" } }),
    ],
    [
      "the expiry of the session",
      ({ user }) =>
        deps.db.session.updateMany({ where: { userId: user.id }, data: { expiresAt: deps.clock() } }),
    ],
  ])(conformance("AZ-34", "AT-48", "a decision grants nothing after %s"), async (how, end) => {
    const leaver = await signedInUser(deps, how.replaceAll(" ", "-"));
    const query = authorizationQuery(client);
    const fields = { ...query, decision: "allow", form_token: await csrfTokenFor(deps, leaver, query) };
    await end(leaver);
    const response = await expectNothingDone(
      () => POST(formPost("/oauth/authorize", encoded(fields), { cookie: leaver.cookie })),
      303,
    );
    expect(response.headers.get("location")).toBe(`${ORIGIN}/oauth/authorize?${encoded(query)}`);
  });
});

describe("an outdated consent page", () => {
  const owned = () => registeredClient(deps, ann.user, draft);
  const page = (response: Response) => {
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
  };

  it(
    conformance("AT-49", "an outdated consent page grants nothing when the application was removed"),
    async () => {
      const gone = await owned();
      await applications.remove(deps, ann.user, gone.application.id);
      page(await expectNothingDone(() => decide(deps, bob, authorizationQuery(gone)), 400));
    },
  );

  it(
    conformance(
      "AT-49",
      "an outdated consent page grants nothing when the redirect URI is no longer registered",
    ),
    async () => {
      const moved = await owned();
      const redirectUris = `${REDIRECT_URI}/2`;
      await applications.change(deps, ann.user, moved.application.id, { ...draft, redirectUris });
      page(await expectNothingDone(() => decide(deps, bob, authorizationQuery(moved)), 400));
    },
  );

  it(
    conformance(
      "AT-49",
      "an outdated consent page grants nothing when the application may no longer request the scope",
    ),
    async () => {
      const narrowed = await owned();
      const scopes = ["profile"];
      await applications.change(deps, ann.user, narrowed.application.id, { ...draft, scopes });
      const before = await codes();
      expect(redirectParameters(await decide(deps, bob, authorizationQuery(narrowed)))).toMatchObject({
        error: "invalid_scope",
      });
      expect(await codes()).toBe(before);
    },
  );

  it(
    conformance(
      "AT-49",
      "PK-11",
      "an outdated consent page grants nothing when the application has become public and must send a code challenge",
    ),
    async () => {
      const opened = await owned();
      await applications.change(deps, ann.user, opened.application.id, { ...draft, confidential: false });
      expect(redirectParameters(await decide(deps, bob, authorizationQuery(opened)))).toMatchObject({
        error: "invalid_request",
      });
    },
  );
});
