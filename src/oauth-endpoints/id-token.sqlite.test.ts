import { createHash, createHmac, createPublicKey } from "node:crypto";
import { decodeProtectedHeader, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { publishedKeys, replaceKeys, signJwt } from "@/oauth/signing-keys/service.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  codeFor,
  ORIGIN,
  redirectParameters,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, tokensFor, verified } from "@/testing/open-id.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await openIdClient(deps, ann.user);
});

const seconds = () => Math.floor(deps.clock().getTime() / 1000);

describe("the ID token of a code exchange", () => {
  it(
    conformance(
      "SC-29",
      "ID-01",
      "ID-02",
      "ID-03",
      "ID-04",
      "AZ-28",
      "an ID token is signed by a published key and contains exactly the specified claims",
    ),
    async () => {
      const signedInAt = seconds();
      deps.advance(30);
      const body = await tokensFor(deps, ann, client, { nonce: "n-0S6_WzA2Mj" });
      const { payload, protectedHeader } = await verified(deps, body["id_token"], client);
      expect(protectedHeader).toEqual({
        alg: "RS256",
        typ: "JWT",
        kid: (await publishedKeys(deps))[0]?.kid,
      });
      const digest = createHash("sha256").update(String(body["access_token"])).digest();
      expect(payload).toEqual({
        iss: ORIGIN,
        sub: String(ann.user.id),
        aud: client.id,
        exp: seconds() + 120,
        iat: seconds(),
        auth_time: signedInAt,
        acr: "urn:gatehouse:acr:single-factor",
        amr: ["pwd"],
        nonce: "n-0S6_WzA2Mj",
        at_hash: digest.subarray(0, 16).toString("base64url"),
        name: "ann",
        nickname: "ann",
        preferred_username: "ann",
        profile: `${ORIGIN}/ann`,
        groups: [],
        groups_direct: [],
      });
    },
  );

  it(
    conformance(
      "AZ-28",
      "an ID token has no nonce when the request has no nonce, and contains a long nonce unchanged",
    ),
    async () => {
      const without = await tokensFor(deps, ann, client);
      expect((await verified(deps, without["id_token"], client)).payload).not.toHaveProperty("nonce");
      const nonce = "é&+ ".repeat(250);
      const long = await tokensFor(deps, ann, client, { nonce });
      expect((await verified(deps, long["id_token"], client)).payload["nonce"]).toBe(nonce);
    },
  );

  it(conformance("ID-03", "an ID token contains the claims of the granted scopes"), async () => {
    const all = await tokensFor(deps, ann, client, { scope: "openid profile email" });
    expect((await verified(deps, all["id_token"], client)).payload).toMatchObject({
      name: "ann",
      nickname: "ann",
      preferred_username: "ann",
      profile: `${ORIGIN}/ann`,
      email: "ann@example.com",
      email_verified: true,
    });
  });

  it.each([
    ["ES256", "sha256"],
    ["EdDSA", "sha512"],
  ])(
    conformance(
      "JW-04",
      "an ID token of an application with the algorithm %s is signed with this algorithm, and `at_hash` uses %s",
    ),
    async (algorithm, hash) => {
      const chosen = await openIdClient(deps, ann.user);
      await deps.db.application.update({ where: { uid: chosen.id }, data: { idTokenAlgorithm: algorithm } });
      const { id_token: token, access_token: accessToken } = await tokensFor(deps, ann, chosen);
      const { payload, protectedHeader } = await verified(deps, token, chosen, algorithm);
      const digest = createHash(hash).update(String(accessToken)).digest();
      expect(payload["at_hash"]).toBe(digest.subarray(0, digest.length / 2).toString("base64url"));
      expect(protectedHeader.alg).toBe(algorithm);
    },
  );

  it(
    conformance("ID-01", "the token response contains no ID token if the scope openid is missing"),
    async () => {
      expect(await tokensFor(deps, ann, client, { scope: "profile email" })).not.toHaveProperty("id_token");
    },
  );

  it("an ID token has the configured lifetime, and a change of the setting for the lifetime applies immediately", async () => {
    await changeSettings(deps, { id_token_expires_in: "3600" });
    const { payload } = await verified(deps, (await tokensFor(deps, ann, client))["id_token"], client);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  it(
    conformance(
      "JW-03",
      "an ID token is signed by the new key after a rotation, and older ID tokens can still be verified",
    ),
    async () => {
      const before = (await tokensFor(deps, ann, client))["id_token"];
      const [key] = await replaceKeys(deps);
      const after = (await tokensFor(deps, ann, client))["id_token"];
      expect((await verified(deps, after, client)).protectedHeader.kid).toBe(key?.kid);
      expect((await verified(deps, before, client)).protectedHeader.kid).not.toBe(key?.kid);
    },
  );
});

describe("the ID token of a refresh", () => {
  it(
    conformance(
      "RT-01",
      "RT-18",
      "ID-03",
      "the ID token of a token refresh has the same user, client and auth_time as the first ID token, and no nonce",
    ),
    async () => {
      const body = await tokensFor(deps, ann, client, { nonce: "once" });
      const first = (await verified(deps, body["id_token"], client)).payload;
      deps.advance(1_000);
      const refreshed = await requestToken({
        grant_type: "refresh_token",
        client_id: client.id,
        client_secret: client.secret,
        refresh_token: String(body["refresh_token"]),
      });
      const { payload } = await verified(deps, refreshed.body["id_token"], client);
      const { iss, sub, aud, auth_time } = first;
      expect(payload).toMatchObject({ iss, sub, aud, auth_time, iat: seconds() });
      expect(payload).not.toHaveProperty("nonce");
      expect(payload["at_hash"]).not.toBe(first["at_hash"]);
    },
  );
});

describe("an id_token_hint", () => {
  /**
   * Sends an authorization request with prompt=none after consent, so that the response depends only on the
   * id_token_hint.
   */
  async function silently(id_token_hint: string): Promise<Readonly<Record<string, string>>> {
    return redirectParameters(
      await authorize(authorizationQuery(client, { scope: "openid", prompt: "none", id_token_hint }), ann),
    );
  }
  const claims = (changes: object = {}) => ({
    iss: ORIGIN,
    sub: String(ann.user.id),
    aud: client.id,
    ...changes,
  });

  it(
    conformance(
      "AZ-29",
      "an id_token_hint is accepted for the signed-in user with prompt=none, even when it has expired",
    ),
    async () => {
      const token = String((await tokensFor(deps, ann, client))["id_token"]);
      deps.advance(100_000);
      ann = { ...ann, cookie: await signedInCookie("ann") };
      expect(await silently(token)).toHaveProperty("code");
    },
  );

  it("an id_token_hint for a user other than the signed-in user is refused", async () => {
    expect(await silently(await signJwt(deps, claims({ sub: "999" })))).toMatchObject({
      error: "login_required",
    });
  });

  it(
    conformance("AT-46", "a forged id_token_hint is refused, regardless of the kind of forgery"),
    async () => {
      const good = await signJwt(deps, claims());
      expect(await silently(good)).toHaveProperty("code");
      const [head = "", body = "", signature = ""] = good.split(".");
      const { kid = "" } = decodeProtectedHeader(good);
      const jwk = (await publishedKeys(deps)).find((key) => key.kid === kid);
      const pem = createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ type: "spki", format: "pem" });
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const withHeader = (header: object, end = signature) => `${part(header)}.${body}.${end}`;
      const hmac = (header: object) =>
        withHeader(
          header,
          createHmac("sha256", pem)
            .update(`${part(header)}.${body}`)
            .digest("base64url"),
        );
      const forged = {
        none: withHeader({ alg: "none", kid }, ""),
        unsecured: new UnsecuredJWT(claims()).encode(),
        nonE: withHeader({ alg: "nonE", kid }, ""),
        hs256: hmac({ alg: "HS256", typ: "JWT", kid }),
        "the algorithm HS256 declared as RS256": hmac({ alg: "RS256", typ: "JWT", kid }),
        "another kid": withHeader({ alg: "RS256", kid: "another" }),
        "a path as the kid": withHeader({ alg: "RS256", kid: "../../../../etc/passwd" }),
        "a query as the kid": withHeader({ alg: "RS256", kid: "' OR 1=1 --" }),
        "an object as the kid": withHeader({ alg: "RS256", kid: { not: "" } }),
        "no kid": withHeader({ alg: "RS256" }),
        "an embedded key of its own": withHeader({ alg: "RS256", jwk }),
        "another header": withHeader({ alg: "RS256", kid, extra: 1 }),
        "another body": `${head}.${part(claims({ name: "x" }))}.${signature}`,
        "no signature": `${head}.${body}.`,
        "five parts": `${good}.x.y`,
        "another client": await signJwt(deps, claims({ aud: "another" })),
        "another issuer": await signJwt(deps, claims({ iss: "https://evil.example" })),
        nothing: "x.y.z",
      };
      for (const [how, token] of Object.entries(forged))
        expect(await silently(token), how).toMatchObject({ error: "login_required" });
    },
  );

  it(
    conformance("AT-28", "an ID token cannot be used as an access token or as an authorization code"),
    async () => {
      const idToken = String((await tokensFor(deps, ann, client))["id_token"]);
      const { GET } = await import("@app/oauth/userinfo/route.ts");
      const headers = { authorization: `Bearer ${idToken}` };
      expect((await GET(new Request(`${ORIGIN}/oauth/userinfo`, { headers }))).status).toBe(401);
      expect(
        await codeFor(deps, ann, authorizationQuery(client, { scope: "openid", id_token_hint: idToken })),
      ).toMatch(/^ghac_/);
    },
  );
});
