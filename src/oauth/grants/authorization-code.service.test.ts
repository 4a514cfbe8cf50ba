import { GET as getUser } from "@app/api/v4/user/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  answerAt,
  askFor,
  authorize,
  basicOf,
  CHALLENGE,
  type Client,
  challengeOf,
  codeFor,
  exchangeOf,
  type Fields,
  ORIGIN,
  type Person,
  REDIRECT_URI,
  refusal,
  registeredClient,
  requestToken,
  signedInPerson,
  VERIFIER,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const LOOPBACK = "http://127.0.0.1/cb";
const OTHER_VERIFIER = "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf";
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
const invalidGrant = refusal("invalid_grant");
const invalidRequest = refusal("invalid_request");

let ann: Person;
let client: Client;
let other: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInPerson(deps, "ann");
  const redirectUris = `${REDIRECT_URI}\n${REDIRECT_URI}/2\n${LOOPBACK}`;
  client = await registeredClient(deps, ann.user, { redirectUris, scopes: ["read_user", "api"] });
  other = await registeredClient(deps, ann.user);
  publicClient = await registeredClient(deps, ann.user, { redirectUris, confidential: false });
});

/** The exchange of a fresh code, right in all that `changes` does not make wrong. */
async function freshExchange(by: Client, asked: Fields = {}, changes: Fields = {}): Promise<Fields> {
  return exchangeOf(by, await codeFor(deps, ann, askFor(by, asked)), changes);
}

async function userStatus(accessToken: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers }))).status;
}

describe("the exchange of a code", () => {
  it("grants the scopes that were allowed, whatever scope the exchange names [AC-01, AC-10]", async () => {
    const form = await freshExchange(client, { scope: "api read_user" }, { scope: "openid" });
    const { status, body } = await requestToken(form);
    expect({ status, scope: body["scope"] }).toEqual({ status: 200, scope: "api read_user" });
    expect(body["refresh_token"]).toEqual(expect.any(String));
  });

  it.each(["code", "redirect_uri"])(
    "needs %s, and an empty one is none [AC-02, AC-03, XC-06]",
    async (name) => {
      const form = await freshExchange(client);
      expect(await requestToken({ ...form, [name]: undefined })).toMatchObject(invalidRequest);
      expect(await requestToken({ ...form, [name]: "" })).toMatchObject(invalidRequest);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it.each<[string, string]>([
    ["another registered one", `${REDIRECT_URI}/2`],
    ["one that is not registered", "https://evil.example/"],
    ["the same with a slash more", `${REDIRECT_URI}/`],
  ])("refuses %s as redirect_uri, and the code stays unused [AC-04]", async (_which, redirect_uri) => {
    const form = await freshExchange(client);
    expect(await requestToken({ ...form, redirect_uri })).toMatchObject(invalidGrant);
    expect((await requestToken(form)).status).toBe(200);
  });

  it("refuses another loopback port than the one asked for [AC-11]", async () => {
    const redirect_uri = "http://127.0.0.1:51234/cb";
    const form = await freshExchange(client, { redirect_uri }, { redirect_uri });
    const elsewhere = { ...form, redirect_uri: "http://127.0.0.1:51235/cb" };
    expect(await requestToken(elsewhere)).toMatchObject(invalidGrant);
    expect(await requestToken({ ...form, redirect_uri: LOOPBACK })).toMatchObject(invalidGrant);
    expect((await requestToken(form)).status).toBe(200);
  });

  it.each<[string, (form: Fields) => string]>([
    ["unknown", () => "ghac_unknown"],
    ["changed in its last character", ({ code }) => `${code?.slice(0, -1)}!`],
    ["with a space behind it", ({ code }) => `${code} `],
  ])("refuses a code that is %s [AC-05]", async (_how, spoilt) => {
    const form = await freshExchange(client);
    expect(await requestToken({ ...form, code: spoilt(form) })).toMatchObject(invalidGrant);
  });

  it("refuses tokens in place of a code, and a code in place of a token [AT-28, US-05]", async () => {
    const form = await freshExchange(client);
    expect(await userStatus(form["code"])).toBe(401);
    const { body } = await requestToken(form);
    for (const name of ["access_token", "refresh_token"])
      expect(await requestToken({ ...form, code: String(body[name]) })).toMatchObject(invalidGrant);
    expect(await userStatus(body["refresh_token"])).toBe(401);
  });

  it("works until 9 min 59 s and not after ten minutes [AZ-40, AC-05]", async () => {
    const [early, late] = [await freshExchange(client), await freshExchange(client)];
    deps.advance(599);
    expect((await requestToken(early)).status).toBe(200);
    deps.advance(1);
    expect(await requestToken(late)).toMatchObject(invalidGrant);
  });

  it("refuses a code of another client, and its owner can still redeem it [AC-06, AT-28]", async () => {
    const form = await freshExchange(client);
    const { client_id, client_secret } = exchangeOf(other, "");
    expect(await requestToken({ ...form, client_id, client_secret })).toMatchObject(invalidGrant);
    expect((await requestToken(form)).status).toBe(200);
  });

  it("refuses the code of a person who has been blocked or removed since [AZ-41, AT-48]", async () => {
    const bob = await signedInPerson(deps, "bob");
    const codeOf = () => codeFor(deps, bob, askFor(client));
    const [first, second] = [exchangeOf(client, await codeOf()), exchangeOf(client, await codeOf())];
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
    expect(await requestToken(first)).toMatchObject(invalidGrant);
    await deps.db.user.delete({ where: { id: bob.user.id } });
    expect(await requestToken(second)).toMatchObject(invalidGrant);
  });

  it("gives two applications of the same person tokens of their own [TK-20]", async () => {
    const [mine, theirs] = [await freshExchange(client), await freshExchange(other)];
    const tokens = [await requestToken(mine), await requestToken(theirs)];
    deps.advance(11);
    expect(await requestToken(mine)).toMatchObject(invalidGrant);
    expect(await userStatus(tokens[0]?.body["access_token"])).toBe(401);
    expect(await userStatus(tokens[1]?.body["access_token"])).toBe(200);
  });
});

describe("a code that is used again", () => {
  it("is refused at once, and its tokens live: that may be a retry [AC-07]", async () => {
    const form = await freshExchange(client);
    const { body } = await requestToken(form);
    expect(await requestToken(form)).toMatchObject(invalidGrant);
    deps.advance(10);
    expect(await requestToken(form)).toMatchObject(invalidGrant);
    expect(await userStatus(body["access_token"])).toBe(200);
  });

  it("is refused later than the leeway, and its tokens end [AC-07, AT-02, US-08]", async () => {
    const form = await freshExchange(client);
    const { body } = await requestToken(form);
    deps.advance(11);
    expect(await requestToken(form)).toMatchObject(invalidGrant);
    expect(await userStatus(body["access_token"])).toBe(401);
    const rows = await deps.db.oauthToken.findMany({ where: { revokedAt: null, userId: ann.user.id } });
    const { id } = await deps.db.authorizationCode.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(rows.filter((row) => row.authorizationCodeId === id)).toEqual([]);
  });

  it("ends every token that descends from it, whatever else the replay has wrong [AC-07, AT-02]", async () => {
    const form = await freshExchange(client);
    const { body } = await requestToken(form);
    deps.advance(601);
    expect(await requestToken({ ...form, redirect_uri: `${REDIRECT_URI}/2` })).toMatchObject(invalidGrant);
    expect(await userStatus(body["access_token"])).toBe(401);
  });

  it.each<[string, Fields, number]>([
    ["fails client authentication", { client_secret: "wrong" }, 401],
    ["sends no credentials", { client_id: undefined, client_secret: undefined }, 401],
  ])("by somebody who %s ends nothing [AC-08]", async (_who, changes, status) => {
    const form = await freshExchange(client);
    const { body } = await requestToken(form);
    deps.advance(30);
    expect((await requestToken({ ...form, ...changes })).status).toBe(status);
    expect(await userStatus(body["access_token"])).toBe(200);
  });

  it("by another client ends nothing [AC-08]", async () => {
    const form = await freshExchange(client);
    const { body } = await requestToken(form);
    deps.advance(30);
    const { client_id, client_secret } = exchangeOf(other, "");
    expect(await requestToken({ ...form, client_id, client_secret })).toMatchObject(invalidGrant);
    expect(await userStatus(body["access_token"])).toBe(200);
  });

  it("at a public client ends its tokens with the right verifier only [AC-07, AC-08]", async () => {
    const form = await freshExchange(publicClient);
    const { body } = await requestToken(form);
    deps.advance(30);
    for (const code_verifier of [OTHER_VERIFIER, undefined])
      expect((await requestToken({ ...form, code_verifier })).status).toBe(400);
    expect(await userStatus(body["access_token"])).toBe(200);
    expect(await requestToken(form)).toMatchObject(invalidGrant);
    expect(await userStatus(body["access_token"])).toBe(401);
  });
});

describe("twenty simultaneous exchanges of one code", () => {
  it.each([1, 2, 3])("give exactly one answer with tokens, round %i [AT-03, LF-05]", async () => {
    const form = await freshExchange(client);
    const answers = await Promise.all(Array.from({ length: 20 }, () => requestToken(form)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200))
      expect(lost).toMatchObject(invalidGrant);
    expect(await userStatus(won[0]?.body["access_token"])).toBe(200);
    const code = await deps.db.authorizationCode.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(await deps.db.oauthToken.count({ where: { authorizationCodeId: code.id } })).toBe(1);
  });
});

describe("PKCE", () => {
  it.each<[string, () => Client]>([
    ["a public client without secret", () => publicClient],
    ["a confidential client with its secret too", () => client],
  ])("lets %s exchange its code [PK-01, PK-02]", async (_who, by) => {
    const form = await freshExchange(by(), PKCE, { code_verifier: VERIFIER });
    const { status, body } = await requestToken(form);
    expect(status).toBe(200);
    expect(body["refresh_token"]).toEqual(expect.any(String));
  });

  it("asks a confidential client for both secret and verifier [PK-02]", async () => {
    const form = await freshExchange(client, PKCE, { code_verifier: VERIFIER });
    const secretless = { ...form, client_secret: undefined };
    expect(await requestToken(secretless)).toMatchObject(refusal("invalid_client"));
    expect(await requestToken({ ...form, client_secret: other.secret })).toMatchObject(
      refusal("invalid_client"),
    );
    expect(await requestToken({ ...form, code_verifier: OTHER_VERIFIER })).toMatchObject(invalidGrant);
    expect((await requestToken(form)).status).toBe(200);
  });

  it.each<[string, Fields]>([
    ["missing", { code_verifier: undefined }],
    ["empty", { code_verifier: "" }],
  ])("refuses a verifier that is %s [PK-06, AT-09]", async (_how, changes) => {
    for (const by of [publicClient, client]) {
      const form = await freshExchange(by, PKCE, changes);
      expect(await requestToken(form)).toMatchObject(invalidRequest);
    }
  });

  it.each<[string, string]>([
    ["of 42 characters", "a".repeat(42)],
    ["of 129 characters", "a".repeat(129)],
    ["with a space", `${"a".repeat(43)} b`],
    ["with a plus sign", `${"a".repeat(43)}+`],
    ["with a slash", `${"a".repeat(43)}/`],
    ["with an equals sign", `${"a".repeat(43)}=`],
    ["with a newline at the end", `${"a".repeat(43)}\n`],
    ["with a letter outside ASCII", `${"a".repeat(43)}é`],
  ])("refuses a verifier %s even if it fits the challenge [PK-07]", async (_what, code_verifier) => {
    const asked = { code_challenge: challengeOf(code_verifier) };
    const form = await freshExchange(publicClient, asked, { code_verifier });
    expect(await requestToken(form)).toMatchObject(invalidRequest);
  });

  it.each<[string, string]>([
    ["of 43 characters", "-._~".padEnd(43, "aZ0")],
    ["of 128 characters", "-._~".padEnd(128, "aZ0")],
    ["of the specification's example", OTHER_VERIFIER],
  ])("accepts a verifier %s [PK-09]", async (_what, code_verifier) => {
    const asked = { code_challenge: challengeOf(code_verifier) };
    const form = await freshExchange(publicClient, asked, { code_verifier });
    expect((await requestToken(form)).status).toBe(200);
  });

  it("refuses a wrong verifier, and the right one still works [PK-08, AC-09]", async () => {
    const form = await freshExchange(publicClient);
    expect(await requestToken({ ...form, code_verifier: OTHER_VERIFIER })).toMatchObject(invalidGrant);
    expect((await requestToken(form)).status).toBe(200);
  });

  it("refuses the challenge in place of the verifier: plain is not spoken [PK-08]", async () => {
    const form = await freshExchange(publicClient);
    expect(await requestToken({ ...form, code_verifier: CHALLENGE })).toMatchObject(invalidGrant);
  });

  it("refuses a verifier for a code without challenge [PK-10, AT-09]", async () => {
    const form = await freshExchange(client, {}, { code_verifier: VERIFIER });
    expect(await requestToken(form)).toMatchObject(invalidGrant);
    expect((await requestToken({ ...form, code_verifier: undefined })).status).toBe(200);
  });

  it("ignores code_challenge_method at the exchange [PK-12]", async () => {
    const form = await freshExchange(publicClient, {}, { code_challenge_method: "plain" });
    expect((await requestToken(form)).status).toBe(200);
  });

  it("refuses the verifier of another flow of the same client and person [PK-13, AT-01]", async () => {
    const mine = await freshExchange(publicClient);
    const asked = { code_challenge: challengeOf(OTHER_VERIFIER) };
    const theirs = await freshExchange(publicClient, asked, { code_verifier: OTHER_VERIFIER });
    expect(await requestToken({ ...mine, code: theirs["code"] })).toMatchObject(invalidGrant);
    expect((await requestToken(theirs)).status).toBe(200);
    expect((await requestToken(mine)).status).toBe(200);
  });

  it("refuses every wrong verifier alike, however many come [AT-10]", async () => {
    const form = await freshExchange(publicClient);
    const guesses = Array.from({ length: 50 }, (_, index) => challengeOf(`guess ${index}`));
    for (const code_verifier of guesses)
      expect(await requestToken({ ...form, code_verifier })).toMatchObject(invalidGrant);
  });
});

describe("a code that needed no consent", () => {
  it("is exchanged like any other, by Basic too [AZ-32]", async () => {
    const trusted = await registeredClient(deps, ann.user, {}, true);
    const { code = "" } = answerAt(await authorize(askFor(trusted), ann));
    const anonymous = { client_id: undefined, client_secret: undefined };
    const form = exchangeOf(trusted, code, anonymous);
    expect((await requestToken(form, basicOf(trusted.id, trusted.secret))).status).toBe(200);
  });
});
