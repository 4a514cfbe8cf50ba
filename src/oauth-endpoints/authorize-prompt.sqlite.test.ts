import { beforeEach, describe, expect, it } from "vitest";
import { postSession } from "@/identity/sign-in/session-form.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  encoded,
  exchangeOf,
  type Fields,
  formPost,
  ORIGIN,
  PASSWORD,
  redirectParameters,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, tokensFor, verified } from "@/testing/open-id.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;
let users = 0;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  client = await openIdClient(deps, ann.user);
  deps.advance(60);
});

const openIdQuery = (changes: Fields = {}) => authorizationQuery(client, { scope: "openid", ...changes });
const consented = async () => {
  expect(redirectParameters(await decide(deps, ann, openIdQuery()))).toHaveProperty("code");
};

/** Returns the path and the query of a redirect within this server. */
function redirectTargetOf(response: Response): Readonly<{ path: string; query: URLSearchParams }> {
  expect(response.status).toBe(303);
  const { origin, pathname, searchParams } = new URL(response.headers.get("location") ?? "");
  expect(origin).toBe(ORIGIN);
  return { path: pathname, query: searchParams };
}

/** Submits the form of the sign-in page to which `response` redirects, and follows the next redirect. */
async function signInAt(response: Response, user = ann): Promise<{ response: Response; user: SignedInUser }> {
  const { path, query } = redirectTargetOf(response);
  expect(path).toBe("/users/sign_in");
  const form = { login: user.user.username, password: PASSWORD, return_to: query.get("return_to") ?? "" };
  const cookie = { cookie: ann.cookie };
  const posted = await postSession(formPost("/users/session", encoded(form), cookie));
  const set = posted.headers.getSetCookie().find((line) => line.includes("gatehouse_session=ey")) ?? "";
  const back = new URL(posted.headers.get("location") ?? "");
  expect(back.pathname).toBe("/oauth/authorize");
  const fresh = { user: user.user, cookie: set.split(";", 1)[0] ?? "" };
  return { response: await authorize(back.search.slice(1), fresh), user: fresh };
}

const expectSignIn = (response: Response, again: string | null) => {
  const { path, query } = redirectTargetOf(response);
  expect([path, query.get("again")]).toEqual(["/users/sign_in", again]);
};

describe("prompt=none", () => {
  it(
    conformance(
      "AZ-24",
      "prompt=none returns an error to the client and shows no page when the browser has no session",
    ),
    async () => {
      const parameters = redirectParameters(await authorize(openIdQuery({ prompt: "none" })));
      expect(parameters).toMatchObject({ error: "login_required", state: "xyz" });
    },
  );

  it(
    conformance("AZ-25", "prompt=none returns an error to the client when the user has not given consent"),
    async () => {
      expect(redirectParameters(await authorize(openIdQuery({ prompt: "none" }), ann))).toMatchObject({
        error: "consent_required",
      });
      await consented();
      expect(redirectParameters(await authorize(openIdQuery({ prompt: "none" }), ann))).toHaveProperty(
        "code",
      );
      const wider = openIdQuery({ prompt: "none", scope: "openid email" });
      expect(redirectParameters(await authorize(wider, ann))).toMatchObject({ error: "consent_required" });
    },
  );

  it(
    conformance(
      "AZ-26",
      "prompt=none returns an error to the client for a session that is older than max_age",
    ),
    async () => {
      await consented();
      expect(
        redirectParameters(await authorize(openIdQuery({ prompt: "none", max_age: "59" }), ann)),
      ).toMatchObject({
        error: "login_required",
      });
      expect(
        redirectParameters(await authorize(openIdQuery({ prompt: "none", max_age: "60" }), ann)),
      ).toHaveProperty("code");
    },
  );

  it.each(["none login", "login none", "none consent", "none foo"])(
    conformance("AZ-24", "prompt=none cannot be combined with another value: %s"),
    async (prompt) => {
      expectSignIn(await authorize(openIdQuery({ prompt })), null);
      expect(redirectParameters(await authorize(openIdQuery({ prompt }), ann))).toMatchObject({
        error: "invalid_request",
      });
    },
  );

  it(
    conformance(
      "AT-13",
      "prompt=none reports only login_required before the user signs in, and sends no response to an unregistered redirect URI",
    ),
    async () => {
      expect(
        redirectParameters(await authorize(openIdQuery({ prompt: "none", scope: "api" }))),
      ).toMatchObject({
        error: "login_required",
      });
      const wrong = await authorize(openIdQuery({ prompt: "none", redirect_uri: "https://evil.example/" }));
      expect([wrong.status, wrong.headers.get("location")]).toEqual([400, null]);
    },
  );

  it(
    conformance(
      "AZ-20",
      "a request with a repeated prompt parameter is rejected only after the user has signed in",
    ),
    async () => {
      const query = `${encoded(openIdQuery({ prompt: "none" }))}&prompt=none`;
      expectSignIn(await authorize(query), null);
      expect(redirectParameters(await authorize(query, ann))).toMatchObject({ error: "invalid_request" });
    },
  );
});

describe("the sign-in that an authorization request requires", () => {
  it.each<[string, Fields]>([
    ["prompt=login", { prompt: "login" }],
    ["prompt=login consent", { prompt: "login consent" }],
    ["max_age=0", { max_age: "0" }],
    ["max_age=1, after 60 seconds", { max_age: "1" }],
  ])(
    conformance("AZ-26", "a request with %s requires exactly one sign-in, which updates auth_time"),
    async (_how, demand) => {
      await consented();
      const first = await authorize(openIdQuery(demand), ann);
      expectSignIn(first, "1");
      deps.advance(20);
      const { response, user } = await signInAt(first);
      const code = await allowed(response, user);
      const { body } = await requestToken(exchangeOf(client, code));
      const { payload } = await verified(deps, body["id_token"], client);
      expect(payload["auth_time"]).toBe(Math.floor(deps.clock().getTime() / 1000));
    },
  );

  /** Returns the authorization code: directly from the response, or after the consent form was posted. */
  async function allowed(response: Response, user: SignedInUser): Promise<string> {
    const location = new URL(response.headers.get("location") ?? "");
    if (location.pathname !== "/oauth/consent") return redirectParameters(response)["code"] ?? "";
    const fields = Object.fromEntries(location.searchParams);
    return redirectParameters(await decide(deps, user, fields))["code"] ?? "";
  }

  it.each<[string, Fields]>([
    ["max_age=10000", { max_age: "10000" }],
    ["max_age=60, after 60 seconds", { max_age: "60" }],
  ])(
    conformance("AZ-26", "a request with %s requires no sign-in when the session is recent enough"),
    async (_how, demand) => {
      await consented();
      expect(redirectParameters(await authorize(openIdQuery(demand), ann))).toHaveProperty("code");
    },
  );

  it(
    conformance(
      "AZ-26",
      "a user without a session signs in only once for a request that requires a new sign-in",
    ),
    async () => {
      await consented();
      const first = await authorize(openIdQuery({ prompt: "login", max_age: "0" }));
      expectSignIn(first, null);
      deps.advance(5);
      expect(redirectParameters((await signInAt(first)).response)).toHaveProperty("code");
    },
  );

  it("a required sign-in cannot be bypassed by opening the URL of the authorization request again", async () => {
    await consented();
    const back =
      redirectTargetOf(await authorize(openIdQuery({ prompt: "login" }), ann)).query.get("return_to") ?? "";
    deps.advance(1);
    for (let round = 0; round < 3; round++)
      expectSignIn(await authorize(back.slice(back.indexOf("?") + 1), ann), "1");
  });

  it("a required sign-in cannot be bypassed by a URL with a forged timestamp or with the timestamp of another authorization request", async () => {
    await consented();
    const firstSeenOf = async (changes: Fields) => {
      const path = redirectTargetOf(
        await authorize(openIdQuery({ prompt: "login", ...changes }), ann),
      ).query.get("return_to");
      return new URL(path ?? "", ORIGIN).searchParams.get("first_seen") ?? "";
    };
    const firstSeen = await firstSeenOf({});
    const { user } = await signInAt(await authorize(openIdQuery({ prompt: "login" }), ann));
    expect(
      redirectParameters(await authorize(openIdQuery({ prompt: "login", first_seen: firstSeen }), user)),
    ).toHaveProperty("code");
    const forged = [
      "0",
      "0.",
      "1.x",
      firstSeen.replace(/^\d+/, "1"),
      `${firstSeen}x`,
      await firstSeenOf({ state: "other" }),
    ];
    for (const first_seen of forged)
      expectSignIn(await authorize(openIdQuery({ prompt: "login", first_seen }), user), "1");
  });

  it("a required sign-in must be repeated if the timestamp in the URL is older than an hour", async () => {
    await consented();
    const first = await authorize(openIdQuery({ prompt: "login" }), ann);
    const { user } = await signInAt(first);
    const back = redirectTargetOf(first).query.get("return_to") ?? "";
    const query = back.slice(back.indexOf("?") + 1);
    deps.advance(3_600);
    expect(redirectParameters(await authorize(query, user))).toHaveProperty("code");
    deps.advance(1);
    expectSignIn(await authorize(query, user), "1");
  });

  it("a required sign-in cannot be bypassed by posting the consent form directly", async () => {
    const response = await decide(deps, ann, openIdQuery({ prompt: "login" }));
    expectSignIn(response, "1");
    expect(await deps.db.consent.count({ where: { userId: ann.user.id } })).toBe(0);
  });

  it.each(["-1", "x", "1.5", "1e3", "9".repeat(30)])(
    "a request with the invalid max_age=%s returns an error and requires no sign-in",
    async (max_age) => {
      expect(redirectParameters(await authorize(openIdQuery({ max_age }), ann))).toMatchObject({
        error: "invalid_request",
      });
    },
  );
});

describe("a request for consent or account selection", () => {
  it.each(["consent", "select_account", "select_account consent"])(
    conformance(
      "AZ-27",
      "an authorization request shows the consent page for prompt=%s even if the application is trusted or already has consent",
    ),
    async (prompt) => {
      await consented();
      expect(redirectTargetOf(await authorize(openIdQuery({ prompt }), ann)).path).toBe("/oauth/consent");
      await deps.db.application.update({ where: { id: client.application.id }, data: { trusted: true } });
      expect(redirectTargetOf(await authorize(openIdQuery({ prompt }), ann)).path).toBe("/oauth/consent");
      expect(redirectParameters(await decide(deps, ann, openIdQuery({ prompt })))).toHaveProperty("code");
    },
  );
});

describe("an authorization request", () => {
  it(conformance("AZ-29", "an authorization request passes its login_hint to the sign-in page"), async () => {
    const hint = "ann+x@example.com";
    const { query } = redirectTargetOf(await authorize(openIdQuery({ login_hint: hint })));
    expect(query.get("login_hint")).toBe(hint);
  });

  it.each(["foo", "create", "LOGIN"])(
    "an authorization request ignores the unknown value prompt=%s",
    async (prompt) => {
      expect(redirectTargetOf(await authorize(openIdQuery({ prompt }), ann)).path).toBe("/oauth/consent");
    },
  );

  it(
    conformance(
      "AZ-29",
      "an authorization request with an id_token_hint of another user requires one sign-in, and is then refused",
    ),
    async () => {
      await consented();
      const bob = await signedInUser(deps, `bob${users}`);
      const id_token_hint = String((await tokensFor(deps, bob, client))["id_token"]);
      const first = await authorize(openIdQuery({ id_token_hint }), ann);
      expectSignIn(first, "1");
      expect(redirectParameters((await signInAt(first)).response)).toMatchObject({ error: "login_required" });
      expect(redirectParameters((await signInAt(first, bob)).response)).toHaveProperty("code");
    },
  );
});
