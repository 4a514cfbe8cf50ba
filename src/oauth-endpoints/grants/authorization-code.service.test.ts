import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  authorize,
  basicOf,
  bearerStatus,
  type Client,
  codeFor,
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

const deps = await openTestDeps();
const LOOPBACK = "http://127.0.0.1/cb";
const invalidGrant = refusal("invalid_grant");
const invalidRequest = refusal("invalid_request");

let ann: SignedInUser;
let client: Client;
let other: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const redirectUris = `${REDIRECT_URI}\n${REDIRECT_URI}/2\n${LOOPBACK}`;
  client = await registeredClient(deps, ann.user, { redirectUris, scopes: ["read_user", "api"] });
  other = await registeredClient(deps, ann.user);
});

/** Returns the form of a valid token request with a new authorization code, and with the given changes. */
async function freshExchange(by: Client, query: Fields = {}, changes: Fields = {}): Promise<Fields> {
  return exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by, query)), changes);
}

describe("the exchange of an authorization code", () => {
  it(
    conformance(
      "AC-01",
      "AC-10",
      "the code exchange grants the allowed scopes, regardless of the scope parameter",
    ),
    async () => {
      const form = await freshExchange(client, { scope: "api read_user" }, { scope: "openid" });
      const { status, body } = await requestToken(form);
      expect({ status, scope: body["scope"] }).toEqual({ status: 200, scope: "api read_user" });
      expect(body["refresh_token"]).toEqual(expect.any(String));
    },
  );

  it.each(["code", "redirect_uri"])(
    conformance(
      "AC-02",
      "AC-03",
      "XC-06",
      "the code exchange requires the parameter %s, and rejects an empty value",
    ),
    async (name) => {
      const form = await freshExchange(client);
      expect(await requestToken({ ...form, [name]: undefined })).toMatchObject(invalidRequest);
      expect(await requestToken({ ...form, [name]: "" })).toMatchObject(invalidRequest);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it.each<[string, string]>([
    ["another registered URI", `${REDIRECT_URI}/2`],
    ["a URI that is not registered", "https://evil.example/"],
    ["the same URI with an additional slash", `${REDIRECT_URI}/`],
  ])(
    conformance("AC-04", "the code exchange refuses %s as redirect_uri, and keeps the code unused"),
    async (_which, redirect_uri) => {
      const form = await freshExchange(client);
      expect(await requestToken({ ...form, redirect_uri })).toMatchObject(invalidGrant);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it(
    conformance(
      "AC-11",
      "the code exchange refuses a loopback redirect URI with another port than in the authorization request",
    ),
    async () => {
      const redirect_uri = "http://127.0.0.1:51234/cb";
      const form = await freshExchange(client, { redirect_uri }, { redirect_uri });
      const elsewhere = { ...form, redirect_uri: "http://127.0.0.1:51235/cb" };
      expect(await requestToken(elsewhere)).toMatchObject(invalidGrant);
      expect(await requestToken({ ...form, redirect_uri: LOOPBACK })).toMatchObject(invalidGrant);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it.each<[string, (form: Fields) => string]>([
    ["that is unknown", () => "ghac_unknown"],
    ["whose last character was changed", ({ code }) => `${code?.slice(0, -1)}!`],
    ["that is followed by a space", ({ code }) => `${code} `],
  ])(conformance("AC-05", "the code exchange refuses an authorization code %s"), async (_how, spoilt) => {
    const form = await freshExchange(client);
    expect(await requestToken({ ...form, code: spoilt(form) })).toMatchObject(invalidGrant);
  });

  it(
    conformance(
      "AT-28",
      "US-05",
      "the code exchange refuses tokens in place of an authorization code, and the API refuses an authorization code in place of a token",
    ),
    async () => {
      const form = await freshExchange(client);
      expect(await bearerStatus(form["code"])).toBe(401);
      const { body } = await requestToken(form);
      for (const name of ["access_token", "refresh_token"])
        expect(await requestToken({ ...form, code: String(body[name]) })).toMatchObject(invalidGrant);
      expect(await bearerStatus(body["refresh_token"])).toBe(401);
    },
  );

  it(
    conformance(
      "AZ-40",
      "AC-05",
      "the code exchange accepts an authorization code for 9 min 59 s, but not after ten minutes",
    ),
    async () => {
      const [early, late] = [await freshExchange(client), await freshExchange(client)];
      deps.advance(599);
      expect((await requestToken(early)).status).toBe(200);
      deps.advance(1);
      expect(await requestToken(late)).toMatchObject(invalidGrant);
    },
  );

  it(
    conformance(
      "AC-06",
      "AT-28",
      "when a client sends the authorization code of another client, the exchange is refused, and the other client can still exchange the code",
    ),
    async () => {
      const form = await freshExchange(client);
      const { client_id, client_secret } = exchangeOf(other, "");
      expect(await requestToken({ ...form, client_id, client_secret })).toMatchObject(invalidGrant);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it(
    conformance(
      "AZ-41",
      "AT-48",
      "the code exchange refuses the authorization code of a user who was blocked or removed after the consent",
    ),
    async () => {
      const bob = await signedInUser(deps, "bob");
      const codeOf = () => codeFor(deps, bob, authorizationQuery(client));
      const [first, second] = [exchangeOf(client, await codeOf()), exchangeOf(client, await codeOf())];
      await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
      expect(await requestToken(first)).toMatchObject(invalidGrant);
      await deps.db.user.delete({ where: { id: bob.user.id } });
      expect(await requestToken(second)).toMatchObject(invalidGrant);
    },
  );

  it(
    conformance("TK-20", "the code exchange issues separate tokens to two applications of the same user"),
    async () => {
      const [mine, theirs] = [await freshExchange(client), await freshExchange(other)];
      const tokens = [await requestToken(mine), await requestToken(theirs)];
      deps.advance(11);
      expect(await requestToken(mine)).toMatchObject(invalidGrant);
      expect(await bearerStatus(tokens[0]?.body["access_token"])).toBe(401);
      expect(await bearerStatus(tokens[1]?.body["access_token"])).toBe(200);
    },
  );
});

describe("a code that was issued without consent", () => {
  it(
    conformance(
      "AZ-32",
      "an authorization code of a trusted application, issued without consent, can be exchanged with HTTP Basic",
    ),
    async () => {
      const trusted = await registeredClient(deps, ann.user, {}, true);
      const { code = "" } = redirectParameters(await authorize(authorizationQuery(trusted), ann));
      const anonymous = { client_id: undefined, client_secret: undefined };
      const form = exchangeOf(trusted, code, anonymous);
      expect((await requestToken(form, basicOf(trusted.id, trusted.secret))).status).toBe(200);
    },
  );
});
