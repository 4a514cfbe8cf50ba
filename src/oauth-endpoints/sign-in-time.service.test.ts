import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  authorizationQuery,
  authorize,
  type Client,
  encoded,
  type Fields,
  redirectParameters,
  type SignedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  finishProviderRequest,
  openProvider,
  responseOf,
  startProviderRequest,
  useProviders,
} from "@/testing/identity-provider.ts";
import { cookieIn, enrolledApp, postForm, sessionIn } from "@/testing/second-factor.ts";
import { claimsOf as claimsFrom, pageOf, userWithClient } from "@/testing/step-up.ts";

const deps = await openTestDeps();
const provider = await openProvider(() => deps.clock());
afterAll(() => provider.close());

let ann: SignedInUser;
let client: Client;
let users = 0;

beforeEach(async () => {
  provider.reset();
  deps.advance(600);
  users += 1;
  ({ user: ann, client } = await userWithClient(deps, `ann${users}`));
  useProviders(deps, [provider.settings({ linksByEmail: true })]);
  const { email, username } = ann.user;
  provider.behavior.user = { sub: username, email, email_verified: true, name: "Ann" };
});

const query = (changes: Fields) =>
  encoded(authorizationQuery(client, { scope: "openid read_user", ...changes }));
const now = () => Math.floor(deps.clock().getTime() / 1000);
const authenticatedAgo = (seconds: number) => {
  provider.behavior.idToken = { auth_time: now() - seconds };
};

/** Follows the redirect of a response to the sign-in page, and presses the button of the provider. */
async function press(response: Response, { omitsRecent = false, delaySeconds = 0 } = {}) {
  const page = pageOf(response);
  expect(page?.path).toBe("/users/sign_in");
  const recent = page?.["recent"];
  const fields = {
    return_to: page?.["return_to"] ?? "",
    ...(recent === undefined || omitsRecent ? {} : { recent }),
  };
  const providerRequest = await startProviderRequest("corp", fields);
  deps.advance(delaySeconds);
  const answer = await finishProviderRequest(
    "corp",
    await responseOf(provider, providerRequest),
    providerRequest.cookie,
  );
  const back = pageOf(answer);
  const user = { user: ann.user, cookie: sessionIn(answer) };
  const next = () => authorize((answer.headers.get("location") ?? "").split("?")[1] ?? "", user);
  return { sent: providerRequest.url.searchParams, answer, back, next };
}

const idTokenOf = async (response: Response) => (await claimsFrom(deps, client, response)).payload;

describe("a user who signs in at another provider for a client that requires a new sign-in", () => {
  it.each<[string, Fields]>([
    ["prompt=login", { prompt: "login" }],
    ["max_age=0", { max_age: "0" }],
  ])(
    conformance(
      "AZ-26",
      "an authorization request with %s requires a new authentication at the other provider",
    ),
    async (_how, demand) => {
      const first = await authorize(query(demand));
      authenticatedAgo(3_600);
      const silent = await press(first);
      expect(Object.fromEntries(silent.sent)).toMatchObject({ prompt: "login", max_age: "0" });
      expect([silent.back?.["problem"], silent.back?.["recent"], sessionIn(silent.answer)]).toEqual([
        "not_recent",
        "1",
        "",
      ]);
      provider.behavior.idToken = {};
      const undated = await press(first);
      expect([undated.back?.["problem"], sessionIn(undated.answer)]).toEqual(["undated", ""]);
      authenticatedAgo(0);
      expect(await idTokenOf(await (await press(first)).next())).toMatchObject({ auth_time: now() });
    },
  );

  it(
    conformance(
      "AZ-26",
      "without the required re-authentication, the server issues no authorization code if the time of the authentication at the provider is too old or unknown",
    ),
    async () => {
      for (const seconds of [3_600, 30, null]) {
        if (seconds === null) provider.behavior.idToken = {};
        else authenticatedAgo(seconds);
        const { sent, next } = await press(await authorize(query({ prompt: "login" })), {
          omitsRecent: true,
        });
        expect([sent.has("prompt"), sent.has("max_age")]).toEqual([false, false]);
        expect(pageOf(await next())).toMatchObject({ path: "/users/sign_in", recent: "1", again: "1" });
      }
    },
  );

  it(
    conformance("AZ-26", "the user must sign in again only if the last authentication is older than max_age"),
    async () => {
      const demand = { max_age: "1800" };
      authenticatedAgo(600);
      const recent = await press(await authorize(query(demand)));
      expect(recent.sent.has("prompt")).toBe(false);
      expect(await idTokenOf(await recent.next())).toMatchObject({ auth_time: now() - 600 });
      for (const idToken of [{ auth_time: now() - 3_600 }, {}]) {
        provider.behavior.idToken = idToken;
        const response = await (await press(await authorize(query(demand)))).next();
        expect(pageOf(response)).toMatchObject({ path: "/users/sign_in", recent: "1" });
      }
    },
  );

  it(
    conformance(
      "AZ-26",
      "auth_time is the time of the authentication at the provider, not the time of the provider's response",
    ),
    async () => {
      const first = await authorize(query({ prompt: "login" }));
      authenticatedAgo(-10);
      const startedAt = now();
      const opened = await press(first, { delaySeconds: 600 });
      expect(await idTokenOf(await opened.next())).toMatchObject({ auth_time: startedAt + 10 });
    },
  );

  it("auth_time is the start time of the provider request if the clock of the provider is slow", async () => {
    const first = await authorize(query({ prompt: "login" }));
    authenticatedAgo(30);
    const startedAt = now();
    const opened = await press(first, { delaySeconds: 600 });
    expect(await idTokenOf(await opened.next())).toMatchObject({ auth_time: startedAt });
  });

  it.each<[string, unknown]>([
    ["that only UserInfo contains", undefined],
    ["that is too large for a date", 1e300],
    ["that is zero", 0],
  ])("the user must authenticate again if the provider returns an auth_time %s", async (_kind, authTime) => {
    const { email, username } = ann.user;
    const first = await authorize(query({ prompt: "login" }));
    // If the ID token has no claim "name", Gatehouse fetches UserInfo.
    provider.behavior.user = { sub: username, email, auth_time: now() };
    provider.behavior.idToken = { auth_time: authTime };
    expect((await press(first)).back?.["problem"]).toBe("undated");
  });

  it("the user can enter a second factor instead of authenticating again, and auth_time is then the time of the second factor", async () => {
    const app = await enrolledApp(deps, ann.user);
    const { answer, back } = await press(await authorize(query({ prompt: "login" })));
    expect(back?.path).toBe("/users/two_factor");
    const fields = { intent: "second_factor", way: "app", return_to: back?.["return_to"] ?? "" };
    const cookie = cookieIn(answer, "gatehouse_pending_sign_in");
    const signedIn = await postForm({ ...fields, code: app.code() }, cookie);
    const user = { user: ann.user, cookie: sessionIn(signedIn) };
    const response = await authorize((back?.["return_to"] ?? "").split("?")[1] ?? "", user);
    expect(await idTokenOf(response)).toMatchObject({ auth_time: now() });
  });
});

it("an ID token has no auth_time after a sign-in with a provider that returns no auth_time", async () => {
  const { answer, next } = await press(await authorize(query({})));
  expect(await idTokenOf(await next())).not.toHaveProperty("auth_time");
  const user = { user: ann.user, cookie: sessionIn(answer) };
  const silent = await authorize(query({ prompt: "none", max_age: "99999" }), user);
  expect(redirectParameters(silent)).toMatchObject({ error: "login_required" });
});

it("the server parses the `claims` parameter once for each request", async () => {
  const claims = JSON.stringify({ id_token: { acr: { essential: true }, email: null } });
  const text = query({ claims });
  const parse = vi.spyOn(JSON, "parse");
  await authorize(text, ann);
  expect(parse.mock.calls.filter(([input]) => input === claims)).toHaveLength(1);
  parse.mockRestore();
});
