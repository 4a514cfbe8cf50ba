import { GET as getConsent } from "@app/oauth/consent/route.ts";
import { POST as postPar } from "@app/oauth/par/route.ts";
import { GET as getSignIn } from "@app/users/sign_in/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { issueCode, PushedRequestUsed } from "@/oauth/authorizations/approval.ts";
import { resolveAuthorizationRequest } from "@/oauth/authorizations/pushed-request.ts";
import { prune } from "@/operations/pruning/service.ts";
import {
  approvalOf,
  authorizationQuery,
  authorize,
  CHALLENGE,
  type Client,
  codeFor,
  decide,
  encoded,
  exchangeOf,
  type Fields,
  formPost,
  ORIGIN,
  REDIRECT_URI,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const HOUR = 3_600;

let ann: SignedInUser;
let client: Client;
let other: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user);
  other = await registeredClient(deps, ann.user);
});

async function push(fields: Fields, by: Client = client) {
  const response = await postPar(formPost("/oauth/par", encoded({ client_secret: by.secret, ...fields })));
  const body: Record<string, unknown> = await response.json();
  return { status: response.status, body, headers: response.headers };
}

/** Pushes a valid authorization request and returns the parameters of the URL for the browser. */
async function pushedQuery(changes: Fields = {}, by: Client = client): Promise<Fields> {
  const { status, body } = await push(authorizationQuery(by, { prompt: "consent", ...changes }), by);
  expect(status).toBe(201);
  return { client_id: by.id, request_uri: String(body["request_uri"]) };
}

const locationOf = (response: Response): URL => new URL(response.headers.get("location") ?? "about:blank");
const errorOf = (response: Response) => Object.fromEntries(locationOf(response).searchParams);

describe("a pushed authorization request", () => {
  it(
    conformance(
      "PR-01",
      "a pushed authorization request is completed by a URL that contains only the reference to the request",
    ),
    async () => {
      const { status, body, headers } = await push(authorizationQuery(client));
      expect(status).toBe(201);
      expect(body).toEqual({
        request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:ghpr_/),
        expires_in: 90,
      });
      expect(headers.get("cache-control")).toContain("no-store");
      const query = { client_id: client.id, request_uri: String(body["request_uri"]) };
      const first = await authorize(query);
      expect(first.status).toBe(303);
      const signIn = locationOf(first);
      expect(signIn.searchParams.get("return_to")).toBe(`/oauth/authorize?${encoded(query)}`);
      const consent = await authorize(query, ann);
      expect(consent.headers.get("location")).toBe(`${ORIGIN}/oauth/consent?${encoded(query)}`);
      const code = await codeFor(deps, ann, { ...query, redirect_uri: undefined });
      expect((await requestToken(exchangeOf(client, code))).status).toBe(200);
    },
  );

  it(
    conformance(
      "PR-01",
      "the forms of the sign-in and consent pages may redirect to the client of a pushed authorization request",
    ),
    async () => {
      const query = await pushedQuery();
      const signIn = await getSignIn(new Request(locationOf(await authorize(query))));
      const consent = await getConsent(
        new Request(`${ORIGIN}/oauth/consent?${encoded(query)}`, { headers: { cookie: ann.cookie } }),
      );
      for (const page of [signIn, consent]) {
        expect(page.status).toBe(200);
        const policy = page.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).not.toContain("form-action");
        expect(await page.text()).toContain(client.application.name);
      }
    },
  );

  it(
    conformance(
      "PR-01",
      "if the URL refers to a pushed authorization request, all other parameters of the URL are ignored",
    ),
    async () => {
      const query = await pushedQuery({ state: "pushed" });
      const changed = { ...query, scope: "api", state: "url", redirect_uri: "https://evil.example/" };
      const code = errorOf(await decide(deps, ann, changed));
      expect(code).toMatchObject({ state: "pushed", code: expect.stringMatching(/^ghac_/) });
    },
  );

  it(
    conformance(
      "PR-02",
      "a pushed authorization request expires after 90 seconds unless a browser opens the request",
    ),
    async () => {
      const query = await pushedQuery({ state: "s" });
      deps.advance(90);
      const response = await authorize(query, ann);
      expect(locationOf(response).href).toMatch(new RegExp(`^${REDIRECT_URI}`));
      expect(errorOf(response)).toMatchObject({ error: "invalid_request_uri", state: "s" });
    },
  );

  it(
    conformance(
      "PR-02",
      "a pushed authorization request can be completed in any tab for a day after a browser has opened the request",
    ),
    async () => {
      const query = await pushedQuery();
      deps.advance(89);
      await authorize(query);
      deps.advance(23 * HOUR);
      ann = { ...ann, cookie: await signedInCookie("ann") };
      expect(errorOf(await decide(deps, ann, query))).toMatchObject({ code: expect.any(String) });
      const late = await pushedQuery();
      await authorize(late);
      deps.advance(24 * HOUR);
      ann = { ...ann, cookie: await signedInCookie("ann") };
      expect(errorOf(await authorize(late, ann))).toMatchObject({ error: "invalid_request_uri" });
    },
  );

  it(
    conformance(
      "PR-02",
      "a pushed authorization request with prompt=login requires one sign-in, and continues after the sign-in",
    ),
    async () => {
      const query = await pushedQuery({ prompt: "login" });
      const signIn = locationOf(await authorize(query, ann));
      expect(signIn.pathname).toBe("/users/sign_in");
      const returnTo = signIn.searchParams.get("return_to") ?? "";
      deps.advance(5);
      ann = { ...ann, cookie: await signedInCookie("ann") };
      const next = await authorize(returnTo.slice("/oauth/authorize?".length), ann);
      expect(locationOf(next).pathname).not.toBe("/users/sign_in");
    },
  );

  it(
    conformance(
      "PR-03",
      "a pushed authorization request is used once, and a consent form that is posted twice returns the same authorization code",
    ),
    async () => {
      const query = await pushedQuery();
      const form = { form_id: "one form" };
      const [first, second] = [await decide(deps, ann, query, form), await decide(deps, ann, query, form)];
      expect(errorOf(first)["code"]).toMatch(/^ghac_/);
      expect(errorOf(second)["code"]).toBe(errorOf(first)["code"]);
      expect(errorOf(await decide(deps, ann, query))).toMatchObject({ error: "invalid_request_uri" });
      expect(errorOf(await authorize(query, ann))).toMatchObject({ error: "invalid_request_uri" });
    },
  );

  it(
    conformance(
      "PR-03",
      "the server issues one authorization code for several simultaneous uses of a pushed authorization request",
    ),
    async () => {
      const query = await pushedQuery();
      const { pushed } = await resolveAuthorizationRequest(deps, encoded(query));
      const approval = { ...(await approvalOf(deps, ann, client)), pushedDigest: pushed?.digest ?? null };
      const codes = await Promise.allSettled(Array.from({ length: 6 }, () => issueCode(deps, approval)));
      expect(codes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of codes)
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(PushedRequestUsed);
    },
  );

  it.each<[string, () => Promise<Fields>]>([
    ["is unknown", async () => ({ client_id: client.id, request_uri: `${URN}ghpr_unknown` })],
    ["belongs to another client", async () => ({ ...(await pushedQuery()), client_id: other.id })],
    [
      "is unknown, with a redirect URI in the URL",
      async () => ({ ...authorizationQuery(client), request_uri: `${URN}ghpr_unknown` }),
    ],
  ])(
    conformance("PR-04", "a reference to a pushed request causes an error page if the reference %s"),
    async (_what, query) => {
      const response = await authorize(await query(), ann);
      expect(response.status).toBe(400);
      expect(response.headers.has("location")).toBe(false);
    },
  );
});

const URN = "urn:ietf:params:oauth:request_uri:";

describe("pushing a request", () => {
  it.each<[string, Fields, string]>([
    ["a redirect URI that is not registered", { redirect_uri: "https://evil.example/" }, "invalid_request"],
    ["no redirect URI", { redirect_uri: undefined }, "invalid_request"],
    ["the parameter request_uri", { request_uri: `${URN}ghpr_x` }, "invalid_request"],
    ["an unsupported response type", { response_type: "token" }, "unsupported_response_type"],
    ["a scope that is not registered", { scope: "api" }, "invalid_scope"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    [
      "the plain challenge method",
      { code_challenge: CHALLENGE, code_challenge_method: "plain" },
      "invalid_request",
    ],
  ])(
    conformance("PR-05", "an authorization request with %s cannot be pushed"),
    async (_what, changes, error) => {
      const { status, body } = await push(authorizationQuery(client, changes));
      expect({ status, error: body["error"] }).toEqual({ status: 400, error });
    },
  );

  it(
    conformance(
      "PR-05",
      "the number of pushed authorization requests is limited for each public client and IP address, and each pushed authorization request has at most 16 KB",
    ),
    async () => {
      const app = await registeredClient(deps, ann.user, { confidential: false });
      await changeSettings(deps, { limit_pushed_request_per_client: "2" }, ann.user);
      const pushes = (by: Client) =>
        Promise.all([1, 2, 3].map(async () => (await push(authorizationQuery(by), by)).status));
      expect((await pushes(app)).toSorted()).toEqual([201, 201, 429]);
      expect(await pushes(client)).toEqual([201, 201, 201]);
      const large = authorizationQuery(client, { nonce: undefined, state: "a".repeat(16_384) });
      expect(await push(large)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    },
  );

  it("a pushed authorization request is stored only for a short time if no browser opens the request", async () => {
    const opened = await pushedQuery();
    await authorize(opened, ann);
    await pushedQuery();
    deps.advance(HOUR);
    await prune(deps);
    expect(await deps.db.pushedRequest.count({ where: { openedAt: null, usedAt: null } })).toBe(0);
    expect(await deps.db.pushedRequest.count({ where: { usedAt: null } })).toBeGreaterThan(0);
  });

  it(
    conformance(
      "PR-05",
      "a pushed authorization request must contain the credentials of the client, and must not contain a parameter twice",
    ),
    async () => {
      const query = authorizationQuery(client);
      expect((await push({ ...query, client_secret: "wrong" })).status).toBe(401);
      const twice = await postPar(
        formPost("/oauth/par", `${encoded({ ...query, client_secret: client.secret })}&scope=read_user`),
      );
      expect(twice.status).toBe(400);
    },
  );
});

it(conformance("PR-06", "an application can require pushed authorization requests"), async () => {
  const strict = await registeredClient(deps, ann.user, { requiresPushedRequests: true });
  const query = authorizationQuery(strict);
  expect(errorOf(await authorize(query, ann))).toMatchObject({ error: "invalid_request", state: "xyz" });
  const code = await codeFor(deps, ann, await pushedQuery({}, strict));
  expect((await requestToken(exchangeOf(strict, code))).status).toBe(200);
});
