import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  CHALLENGE,
  type Client,
  challengeOf,
  codeFor,
  exchangeOf,
  type Fields,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
  VERIFIER,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const OTHER_VERIFIER = "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf";
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
const invalidGrant = refusal("invalid_grant");
const invalidRequest = refusal("invalid_request");

let ann: SignedInUser;
let client: Client;
let other: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user);
  other = await registeredClient(deps, ann.user);
  publicClient = await registeredClient(deps, ann.user, { confidential: false });
});

/** Returns the form of a valid token request with a new authorization code, and with the given changes. */
async function freshExchange(by: Client, query: Fields = {}, changes: Fields = {}): Promise<Fields> {
  return exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by, query)), changes);
}

describe("PKCE", () => {
  it.each<[string, () => Client]>([
    ["a public client without a secret", () => publicClient],
    ["a confidential client that also sends its secret", () => client],
  ])(conformance("PK-01", "PK-02", "PKCE lets %s exchange its code"), async (_who, by) => {
    const form = await freshExchange(by(), PKCE, { code_verifier: VERIFIER });
    const { status, body } = await requestToken(form);
    expect(status).toBe(200);
    expect(body["refresh_token"]).toEqual(expect.any(String));
  });

  it(
    conformance("PK-02", "PKCE requires both the secret and the verifier from a confidential client"),
    async () => {
      const form = await freshExchange(client, PKCE, { code_verifier: VERIFIER });
      const secretless = { ...form, client_secret: undefined };
      expect(await requestToken(secretless)).toMatchObject(refusal("invalid_client"));
      expect(await requestToken({ ...form, client_secret: other.secret })).toMatchObject(
        refusal("invalid_client"),
      );
      expect(await requestToken({ ...form, code_verifier: OTHER_VERIFIER })).toMatchObject(invalidGrant);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it.each<[string, Fields]>([
    ["missing", { code_verifier: undefined }],
    ["empty", { code_verifier: "" }],
  ])(conformance("PK-06", "AT-09", "PKCE refuses a verifier that is %s"), async (_how, changes) => {
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
  ])(
    conformance(
      "PK-07",
      "PKCE refuses a verifier %s even if it matches the challenge, and states the rule for verifiers",
    ),
    async (_what, code_verifier) => {
      const query = { code_challenge: challengeOf(code_verifier) };
      const form = await freshExchange(publicClient, query, { code_verifier });
      const response = await requestToken(form);
      expect(response).toMatchObject(invalidRequest);
      expect(response.body["error_description"]).toContain("43 to 128 characters of A-Z a-z 0-9 - . _ ~");
    },
  );

  it.each<[string, string]>([
    ["of 43 characters", "-._~".padEnd(43, "aZ0")],
    ["of 128 characters", "-._~".padEnd(128, "aZ0")],
    ["from the example in the specification", OTHER_VERIFIER],
  ])(conformance("PK-09", "PKCE accepts a verifier %s"), async (_what, code_verifier) => {
    const query = { code_challenge: challengeOf(code_verifier) };
    const form = await freshExchange(publicClient, query, { code_verifier });
    expect((await requestToken(form)).status).toBe(200);
  });

  it(
    conformance(
      "PK-08",
      "AC-09",
      "PKCE refuses a wrong verifier, and still accepts the correct verifier after the refusal",
    ),
    async () => {
      const form = await freshExchange(publicClient);
      expect(await requestToken({ ...form, code_verifier: OTHER_VERIFIER })).toMatchObject(invalidGrant);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it(
    conformance(
      "PK-08",
      "PKCE refuses the code challenge in place of the code verifier, because the method plain is not supported",
    ),
    async () => {
      const form = await freshExchange(publicClient);
      expect(await requestToken({ ...form, code_verifier: CHALLENGE })).toMatchObject(invalidGrant);
    },
  );

  it(
    conformance(
      "PK-10",
      "AT-09",
      "PKCE refuses a code verifier for an authorization code that was issued without a code challenge",
    ),
    async () => {
      const form = await freshExchange(client, {}, { code_verifier: VERIFIER });
      expect(await requestToken(form)).toMatchObject(invalidGrant);
      expect((await requestToken({ ...form, code_verifier: undefined })).status).toBe(200);
    },
  );

  it(
    conformance("PK-12", "PKCE ignores the parameter code_challenge_method in the code exchange"),
    async () => {
      const form = await freshExchange(publicClient, {}, { code_challenge_method: "plain" });
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it(
    conformance("PK-13", "AT-01", "PKCE refuses the verifier of another flow of the same client and user"),
    async () => {
      const mine = await freshExchange(publicClient);
      const query = { code_challenge: challengeOf(OTHER_VERIFIER) };
      const theirs = await freshExchange(publicClient, query, { code_verifier: OTHER_VERIFIER });
      expect(await requestToken({ ...mine, code: theirs["code"] })).toMatchObject(invalidGrant);
      expect((await requestToken(theirs)).status).toBe(200);
      expect((await requestToken(mine)).status).toBe(200);
    },
  );

  it(conformance("AT-10", "PKCE refuses any number of wrong verifiers with the same error"), async () => {
    const form = await freshExchange(publicClient);
    const guesses = Array.from({ length: 50 }, (_, index) => challengeOf(`guess ${index}`));
    for (const code_verifier of guesses)
      expect(await requestToken({ ...form, code_verifier })).toMatchObject(invalidGrant);
  });
});
