import { generateKeyPairSync, hash, type KeyObject, randomUUID } from "node:crypto";
import { GET as getUser } from "@app/api/v4/user/route.ts";
import { POST as postIntrospect } from "@app/oauth/introspect/route.ts";
import { POST as postPar } from "@app/oauth/par/route.ts";
import { GET as getTokenInfo } from "@app/oauth/token/info/route.ts";
import { POST as postTokenRoute, OPTIONS as preflightToken } from "@app/oauth/token/route.ts";
import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { calculateJwkThumbprint, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { authenticateGit } from "@/code/git-http/credentials.ts";
import { dpopNonce } from "@/oauth/dpop/nonce.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import {
  authorizationQuery,
  basicOf,
  type Client,
  codeFor,
  encoded,
  exchangeOf,
  type Fields,
  formPost,
  ORIGIN,
  REDIRECT_URI,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();

type Key = Readonly<{ privateKey: KeyObject; publicKey: KeyObject }>;
const key: Key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherKey: Key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const thumbprintOf = ({ publicKey }: Key) => calculateJwkThumbprint(publicKey.export({ format: "jwk" }));
const jkt = await thumbprintOf(key);

let ann: SignedInUser;
let client: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const scopes = ["openid", "read_user"];
  client = await registeredClient(deps, ann.user, { scopes });
  publicClient = await registeredClient(deps, ann.user, { scopes, confidential: false });
});

type ProofOptions = Readonly<{ claims?: object; header?: object; by?: Key; token?: string }>;

/** Returns a DPoP proof for a request. */
function proofFor(method: string, path: string, { claims, header, by = key, token }: ProofOptions = {}) {
  const ath = token === undefined ? {} : { ath: hash("sha256", token, "base64url") };
  const iat = Math.floor(deps.clock().getTime() / 1000);
  return new SignJWT({
    ...{ htm: method, htu: ORIGIN + path, iat, jti: randomUUID(), nonce: dpopNonce(deps) },
    ...ath,
    ...claims,
  })
    .setProtectedHeader({
      ...{ typ: "dpop+jwt", alg: "ES256", jwk: by.publicKey.export({ format: "jwk" }) },
      ...header,
    })
    .sign(by.privateKey);
}

async function exchange(fields: Fields, dpop?: string) {
  const request = formPost("/oauth/token", encoded(fields), dpop === undefined ? {} : { dpop });
  const response = await postTokenRoute(request);
  const body: Record<string, unknown> = await response.json();
  return { status: response.status, body, headers: response.headers };
}

const freshForm = async (by: Client = client, changes: Fields = {}): Promise<Fields> =>
  exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by, { scope: "openid read_user", ...changes })));

/** Returns an access token and a refresh token that are bound to the key of the test. */
async function boundToken(by: Client = client): Promise<Readonly<{ access: string; refresh: string }>> {
  const { status, body } = await exchange(await freshForm(by), await proofFor("POST", "/oauth/token"));
  expect({ status, type: body["token_type"] }).toEqual({ status: 200, type: "DPoP" });
  return { access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
}

const RESOURCES: readonly [string, (request: Request) => Promise<Response>][] = [
  ["/api/v4/user", getUser],
  ["/oauth/userinfo", getUserinfo],
  ["/oauth/token/info", getTokenInfo],
];

const visit = (path: string, headers: Readonly<Record<string, string>>) =>
  new Request(ORIGIN + path, { headers });

/** Sends `GET /api/v4/user` with a key-bound token and a DPoP proof. */
const getMe = (token: string, dpop: string) =>
  getUser(visit("/api/v4/user", { authorization: `DPoP ${token}`, dpop }));

describe("a token that is bound to a key", () => {
  it.each(RESOURCES)(
    conformance("DP-01", "a token that is bound to a key is accepted by %s with a DPoP proof"),
    async (path, handler) => {
      const { access } = await boundToken();
      const dpop = await proofFor("GET", path, { token: access });
      const response = await handler(visit(`${path}?x=1`, { authorization: `DPoP ${access}`, dpop }));
      expect(response.status).toBe(200);
    },
  );

  it(
    conformance("DP-01", "the introspection of a key-bound token returns the thumbprint of the key"),
    async () => {
      const { access, refresh } = await boundToken();
      const introspect = async (token: string) => {
        const body = encoded({ token, client_id: client.id, client_secret: client.secret });
        return (await postIntrospect(formPost("/oauth/introspect", body))).json();
      };
      expect(await introspect(access)).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt } });
      expect(await introspect(refresh)).not.toHaveProperty("cnf");
    },
  );

  it.each(RESOURCES)(
    conformance("DP-02", "a key-bound token is refused by %s if it is sent as a bearer token"),
    async (path, handler) => {
      const { access } = await boundToken();
      const dpop = await proofFor("GET", path, { token: access });
      const requests = [
        visit(path, { authorization: `Bearer ${access}` }),
        visit(path, { authorization: `Bearer ${access}`, dpop }),
        visit(path, { authorization: `DPoP ${access}` }),
        visit(`${path}?access_token=${access}`, { dpop }),
      ];
      for (const request of requests) {
        const response = await handler(request);
        expect(response.status).toBe(401);
        const challenge = response.headers.get("www-authenticate") ?? "";
        expect(challenge).toMatch(/^DPoP algs="[^"]*ES256[^"]*", error="invalid_token"/);
      }
      const accepted = await handler(visit(path, { authorization: `DPoP ${access}`, dpop }));
      expect(accepted.status).toBe(200);
    },
  );

  it(conformance("DP-02", "a key-bound token is refused as a Git password"), async () => {
    const { access } = await boundToken();
    const request = visit("/a/b.git/info/refs", { authorization: basicOf("oauth2", access) });
    await expect(authenticateGit(deps, request)).rejects.toMatchObject({ status: 401 });
  });

  it(
    conformance("DP-02", "the authentication scheme DPoP accepts only tokens that are bound to a key"),
    async () => {
      const { body } = await exchange(await freshForm());
      expect(body["token_type"]).toBe("bearer");
      const bearer = String(body["access_token"]);
      const personal = await createPersonalToken(deps, ann.user, {
        name: "CI",
        scopes: ["read_user"],
        expiresAt: "2026-12-01",
      });
      if ("problems" in personal) throw new Error("No token was created.");
      for (const token of [bearer, personal.value])
        expect((await getMe(token, await proofFor("GET", "/api/v4/user", { token }))).status).toBe(401);
    },
  );

  it.each<[string, ProofOptions]>([
    ["for another method", { claims: { htm: "POST" } }],
    ["for another path", { claims: { htu: `${ORIGIN}/api/v4/users` } }],
    ["for another host", { claims: { htu: "https://evil.example/api/v4/user" } }],
    ["for another token", { token: "another" }],
    ["without a token digest", { claims: { ath: undefined } }],
    ["with another key", { by: otherKey }],
    ["from the past", { claims: { iat: 0 } }],
    ["from the future", { claims: { iat: 4_000_000_000 } }],
    ["without a time", { claims: { iat: undefined } }],
    ["without a jti", { claims: { jti: undefined } }],
    ["of another type", { header: { typ: "JWT" } }],
    ["signed with another key", { header: { jwk: otherKey.publicKey.export({ format: "jwk" }) } }],
    ["with a private key", { header: { jwk: key.privateKey.export({ format: "jwk" }) } }],
  ])(
    conformance("DP-03", "a request with a key-bound token and a DPoP proof %s is refused"),
    async (_what, options) => {
      const { access } = await boundToken();
      const response = await getMe(
        access,
        await proofFor("GET", "/api/v4/user", { token: access, ...options }),
      );
      expect(response.status).toBe(401);
      expect((await response.json()).error).toBe("invalid_dpop_proof");
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_dpop_proof"');
    },
  );

  it(
    conformance(
      "DP-04",
      "a key-bound token needs a DPoP proof with a current nonce, and the error response contains this nonce",
    ),
    async () => {
      const { access } = await boundToken();
      const proofWith = (nonce: string | undefined) =>
        proofFor("GET", "/api/v4/user", { token: access, claims: { nonce } });
      const old = dpopNonce(deps);
      deps.advance(240);
      for (const nonce of [undefined, old, "wrong"]) {
        const response = await getMe(access, await proofWith(nonce));
        expect([response.status, (await response.json()).error]).toEqual([401, "use_dpop_nonce"]);
        expect(response.headers.get("www-authenticate")).toMatch(/^DPoP .*error="use_dpop_nonce"/);
        const given = response.headers.get("dpop-nonce") ?? "";
        expect((await getMe(access, await proofWith(given))).status).toBe(200);
      }
      const given = dpopNonce(deps);
      deps.advance(119);
      expect((await getMe(access, await proofWith(given))).status).toBe(200);
    },
  );

  it(
    conformance(
      "DP-05",
      "a request with a key-bound token is refused if its DPoP proof was used before, even in simultaneous requests",
    ),
    async () => {
      const { access } = await boundToken();
      const dpop = await proofFor("GET", "/api/v4/user", { token: access });
      const responses = await Promise.all(Array.from({ length: 6 }, () => getMe(access, dpop)));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    },
  );
});

describe("a token request with a proof", () => {
  it(
    conformance(
      "DP-04",
      "a token request whose DPoP proof has no nonce receives a nonce, and its authorization code stays valid",
    ),
    async () => {
      const form = await freshForm();
      const first = await exchange(
        form,
        await proofFor("POST", "/oauth/token", { claims: { nonce: undefined } }),
      );
      expect([first.status, first.body["error"]]).toEqual([400, "use_dpop_nonce"]);
      const nonce = first.headers.get("dpop-nonce") ?? "";
      expect(first.headers.get("access-control-expose-headers")).toContain("DPoP-Nonce");
      const second = await exchange(form, await proofFor("POST", "/oauth/token", { claims: { nonce } }));
      expect(second.status).toBe(200);
      expect(second.headers.get("dpop-nonce")).toBe(dpopNonce(deps));
    },
  );

  it.each<[string, (valid: string) => string]>([
    ["two proofs", (valid) => `${valid}, ${valid}`],
    ["a text that is not a JWT", () => "proof"],
    ["a JWT with an invalid header", () => "a.b.c"],
  ])(
    conformance("DP-03", "a token request is refused if the DPoP header contains %s"),
    async (_what, header) => {
      const { status, body } = await exchange(
        await freshForm(),
        header(await proofFor("POST", "/oauth/token")),
      );
      expect([status, body["error"]]).toEqual([400, "invalid_dpop_proof"]);
    },
  );

  it(conformance("DP-05", "a token request whose DPoP proof was used before is refused"), async () => {
    const dpop = await proofFor("POST", "/oauth/token");
    expect((await exchange(await freshForm(), dpop)).status).toBe(200);
    const { status, body } = await exchange(await freshForm(), dpop);
    expect([status, body["error"]]).toEqual([400, "invalid_dpop_proof"]);
  });

  it("pages of other origins may send a token request with a DPoP proof", () => {
    const headers = { "access-control-request-headers": "dpop, content-type" };
    const response = preflightToken(new Request(`${ORIGIN}/oauth/token`, { method: "OPTIONS", headers }));
    expect(response.headers.get("access-control-allow-headers")).toBe("Authorization, Content-Type, DPoP");
  });
});

describe("a refresh of a bound grant", () => {
  const refreshOf = (by: Client, refresh_token: string): Fields => ({
    ...{ grant_type: "refresh_token", client_id: by.id, client_secret: by.secret, refresh_token },
  });

  it(conformance("DP-06", "a public client must refresh a key-bound grant with the same key"), async () => {
    const { refresh } = await boundToken(publicClient);
    const form = refreshOf(publicClient, refresh);
    const other = await exchange(form, await proofFor("POST", "/oauth/token", { by: otherKey }));
    expect([other.status, other.body["error"]]).toEqual([400, "invalid_grant"]);
    const none = await exchange(form);
    expect([none.status, none.body["error"]]).toEqual([400, "invalid_dpop_proof"]);
    const same = await exchange(form, await proofFor("POST", "/oauth/token"));
    expect([same.status, same.body["token_type"]]).toEqual([200, "DPoP"]);
  });

  it(
    conformance("DP-06", "a confidential client may refresh a key-bound grant with another key"),
    async () => {
      const { refresh } = await boundToken();
      expect((await exchange(refreshOf(client, refresh))).status).toBe(400);
      const { status, body } = await exchange(
        refreshOf(client, refresh),
        await proofFor("POST", "/oauth/token", { by: otherKey }),
      );
      expect(status).toBe(200);
      const token = String(body["access_token"]);
      const proof = (by: Key) => proofFor("GET", "/api/v4/user", { token, by });
      expect((await getMe(token, await proof(key))).status).toBe(401);
      expect((await getMe(token, await proof(otherKey))).status).toBe(200);
    },
  );
});

describe("an authorization request that names a key", () => {
  it(
    conformance(
      "DP-07",
      "if an authorization request names a key, the authorization code can be exchanged only with that key",
    ),
    async () => {
      const form = await freshForm(client, { dpop_jkt: jkt });
      for (const dpop of [undefined, await proofFor("POST", "/oauth/token", { by: otherKey })])
        expect((await exchange(form, dpop)).body["error"]).toBe("invalid_grant");
      expect((await exchange(form, await proofFor("POST", "/oauth/token"))).status).toBe(200);
    },
  );

  it(
    conformance(
      "DP-07",
      "the authorization code of a pushed authorization request is bound to the key of the DPoP proof",
    ),
    async () => {
      const push = async (changes: Fields) => {
        const fields = { client_secret: client.secret, ...authorizationQuery(client, changes) };
        const dpop = await proofFor("POST", "/oauth/par");
        const response = await postPar(formPost("/oauth/par", encoded(fields), { dpop }));
        return { status: response.status, body: await response.json() };
      };
      expect((await push({ dpop_jkt: await thumbprintOf(otherKey) })).status).toBe(400);
      const { status, body } = await push({ prompt: "consent" });
      expect(status).toBe(201);
      const query = { client_id: client.id, request_uri: body.request_uri, redirect_uri: REDIRECT_URI };
      const form = exchangeOf(client, await codeFor(deps, ann, query));
      expect((await exchange(form)).body["error"]).toBe("invalid_grant");
      expect((await exchange(form, await proofFor("POST", "/oauth/token"))).status).toBe(200);
    },
  );
});

it(conformance("DP-08", "an application can require DPoP"), async () => {
  const strict = await registeredClient(deps, ann.user, {
    scopes: ["openid", "read_user"],
    requiresDpop: true,
  });
  const form = await freshForm(strict);
  expect((await exchange(form)).body["error"]).toBe("invalid_request");
  expect((await exchange(form, await proofFor("POST", "/oauth/token"))).status).toBe(200);
});
