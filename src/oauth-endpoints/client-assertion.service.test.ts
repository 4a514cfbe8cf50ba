import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { POST as postDevice } from "@app/oauth/authorize_device/route.ts";
import { POST as postIntrospect } from "@app/oauth/introspect/route.ts";
import { POST as postRevoke } from "@app/oauth/revoke/route.ts";
import { SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setFlag } from "@/instance/flags/service.ts";
import { addSecret } from "@/oauth/applications/client-secret.ts";
import * as applications from "@/oauth/applications/service.ts";
import { recentFailures } from "@/oauth/failed-exchanges/failed-exchange.ts";
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
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();

const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");
const jwks = JSON.stringify({
  keys: [
    { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa" },
    { ...ec.publicKey.export({ format: "jwk" }), kid: "ec" },
    { ...ed.publicKey.export({ format: "jwk" }), kid: "ed" },
  ],
});

let ann: SignedInUser;
let client: Client;
let signing: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  await setFlag(deps, "oauth2_device_grant_flow", true);
  client = await registeredClient(deps, ann.user, {
    authentication: { method: "private_key_jwt", jwks, jwksUri: "" },
  });
  signing = await registeredClient(deps, ann.user, {
    authentication: { method: "client_secret_jwt", jwks: "", jwksUri: "" },
  });
});

const seconds = () => Math.floor(deps.clock().getTime() / 1000);

const claimsOf = (by: Client, changes: object = {}) => ({
  ...{ iss: by.id, sub: by.id, aud: ORIGIN, jti: randomUUID(), iat: seconds(), exp: seconds() + 60 },
  ...changes,
});

const signed = (claims: object, alg = "ES256", key: KeyObject | Uint8Array = ec.privateKey, kid?: string) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) }).sign(key);

const assertionFields = (client_assertion: string): Fields => ({
  client_id: undefined,
  client_secret: undefined,
  client_assertion_type: JWT_BEARER,
  client_assertion,
});

/** Returns the form of a token request with a new authorization code and the given client assertion. */
const exchangeWith = async (assertion: string, by: Client = client): Promise<Fields> =>
  exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by)), assertionFields(assertion));

describe("an application with its own private key", () => {
  it.each<[string, KeyObject, string]>([
    ["RS256", rsa.privateKey, "rsa"],
    ["PS256", rsa.privateKey, "rsa"],
    ["ES256", ec.privateKey, "ec"],
    ["EdDSA", ed.privateKey, "ed"],
  ])(
    conformance(
      "CA-01",
      "an application with its own private key authenticates with an assertion signed with %s",
    ),
    async (alg, key, kid) => {
      const form = await exchangeWith(await signed(claimsOf(client), alg, key, kid));
      expect((await requestToken(form)).status).toBe(200);
      const withoutKid = await exchangeWith(await signed(claimsOf(client), alg, key));
      expect((await requestToken({ ...withoutKid, client_id: client.id })).status).toBe(200);
    },
  );

  it("an application with its own private key has no secret, and is refused if it sends a secret", async () => {
    expect(client.secret).toBeUndefined();
    expect(await addSecret(deps, ann.user, client.application.id)).toBe("absent");
    const form = exchangeOf(client, await codeFor(deps, ann, authorizationQuery(client)));
    for (const client_secret of [undefined, "ghcs_anything"])
      expect(await requestToken({ ...form, client_secret })).toMatchObject(refusal("invalid_client"));
  });

  it(
    conformance(
      "CA-01",
      "an application with its own private key can authenticate at the introspection, revocation and device authorization endpoints",
    ),
    async () => {
      const { body } = await requestToken(await exchangeWith(await signed(claimsOf(client))));
      const token = String(body["access_token"]);
      const post = async (path: string, fields: Fields, changes: object = {}) => {
        const assertion = assertionFields(await signed(claimsOf(client, changes)));
        return formPost(path, encoded({ ...assertion, ...fields }));
      };
      const introspected = await postIntrospect(
        await post("/oauth/introspect", { token }, { aud: `${ORIGIN}/oauth/introspect` }),
      );
      expect(await introspected.json()).toMatchObject({ active: true, client_id: client.id });
      const device = await postDevice(await post("/oauth/authorize_device", { scope: "read_user" }));
      expect(device.status).toBe(200);
      const revoked = await postRevoke(
        await post("/oauth/revoke", { token }, { aud: [`${ORIGIN}/oauth/token`] }),
      );
      expect(revoked.status).toBe(200);
    },
  );

  it.each<[string, (now: number) => object]>([
    ["of another issuer", () => ({ iss: "other" })],
    ["of an unknown subject", () => ({ sub: "other" })],
    ["for another audience", () => ({ aud: "https://other.example" })],
    ["for this and another audience", () => ({ aud: [ORIGIN, "https://other.example"] })],
    ["without an audience", () => ({ aud: [] })],
    ["without an expiry", () => ({ exp: undefined })],
    ["that expired before the tolerance", (now) => ({ exp: now - 60 })],
    ["that is valid for too long", (now) => ({ exp: now + 361 })],
    ["that is not valid yet", (now) => ({ nbf: now + 61 })],
    ["that was issued in the future", (now) => ({ iat: now + 61 })],
    ["without a jti", () => ({ jti: undefined })],
    ["with a long jti", () => ({ jti: "x".repeat(256) })],
  ])(conformance("CA-03", "a token request with an assertion %s is refused"), async (_what, changes) => {
    const form = await exchangeWith(await signed(claimsOf(client, changes(seconds()))));
    expect(await requestToken(form)).toMatchObject(refusal("invalid_client"));
    expect((await requestToken({ ...form, ...assertionFields(await signed(claimsOf(client))) })).status).toBe(
      200,
    );
  });

  it(
    conformance(
      "CA-04",
      "a client assertion is refused if its signature is wrong, or if its algorithm does not match the key of the client",
    ),
    async () => {
      const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
      const unsigned = `${encode({ alg: "none" })}.${encode(claimsOf(client))}.`;
      const confused = `${encode({ alg: "HS256" })}.${encode(claimsOf(client))}`;
      const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" });
      const assertions = [
        await signed(claimsOf(client), "ES256", other.privateKey),
        await signed(claimsOf(client), "ES256", ec.privateKey, "rsa"),
        unsigned,
        `${confused}.${createHmac("sha256", publicPem).update(confused).digest("base64url")}`,
        await signed(claimsOf(signing), "HS256", Buffer.from(client.id)),
        "not.a.jwt",
      ];
      for (const assertion of assertions)
        expect(await requestToken(await exchangeWith(assertion))).toMatchObject(refusal("invalid_client"));
      const failures = await deps.db.failedExchange.count({ where: { reason: "assertion_signature" } });
      expect(failures).toBeGreaterThan(0);
    },
  );

  it(
    conformance(
      "CA-03",
      "a client assertion is refused if the request contains the client_id of another application",
    ),
    async () => {
      const form = await exchangeWith(await signed(claimsOf(client)));
      expect(await requestToken({ ...form, client_id: signing.id })).toMatchObject(refusal("invalid_client"));
    },
  );

  it(
    conformance("CA-05", "an application can use an assertion only once, even in simultaneous requests"),
    async () => {
      const assertion = await signed(claimsOf(client));
      const forms = await Promise.all(Array.from({ length: 6 }, () => exchangeWith(assertion)));
      const responses = await Promise.all(forms.map((form) => requestToken(form)));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    },
  );

  it(
    conformance("CA-05", "a jti that one application has used can still be used by another application"),
    async () => {
      const jti = randomUUID();
      const own = await signed(claimsOf(signing, { jti }), "HS256", Buffer.from(signing.secret ?? ""));
      expect((await requestToken(await exchangeWith(own, signing))).status).toBe(200);
      expect((await requestToken(await exchangeWith(await signed(claimsOf(client, { jti }))))).status).toBe(
        200,
      );
    },
  );

  it(
    conformance("CA-06", "a token request that contains an assertion and additional credentials is refused"),
    async () => {
      const form = await exchangeWith(await signed(claimsOf(client)));
      expect(await requestToken({ ...form, client_secret: "x" })).toMatchObject(refusal("invalid_request"));
      for (const header of [basicOf(client.id, "x"), `Bearer x, ${basicOf(client.id, "x")}`])
        expect(await requestToken(form, header)).toMatchObject(refusal("invalid_request"));
      for (const client_assertion_type of [
        undefined,
        "urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
      ])
        expect(await requestToken({ ...form, client_assertion_type })).toMatchObject(
          refusal("invalid_request"),
        );
      expect((await requestToken(form)).status).toBe(200);
    },
  );
});

describe("an application that signs with its secret", () => {
  const assertionBy = (secret: string | undefined, alg = "HS256") =>
    signed(claimsOf(signing), alg, Buffer.from(secret ?? ""));

  it(
    conformance(
      "CA-02",
      "an application that signs assertions with its secret can use the first and the second secret",
    ),
    async () => {
      const added = await addSecret(deps, ann.user, signing.application.id);
      const second = typeof added === "object" ? added.secret : "";
      for (const secret of [signing.secret, second])
        expect((await requestToken(await exchangeWith(await assertionBy(secret), signing))).status).toBe(200);
      for (const [secret, alg] of [
        ["ghcs_wrong_secret_of_the_same_application", "HS256"],
        [signing.secret, "HS384"],
      ])
        expect(await requestToken(await exchangeWith(await assertionBy(secret, alg), signing))).toMatchObject(
          refusal("invalid_client"),
        );
    },
  );

  it(
    conformance(
      "CA-02",
      "an application that signs assertions with its secret is refused if it sends the secret itself",
    ),
    async () => {
      const form = exchangeOf(signing, await codeFor(deps, ann, authorizationQuery(signing)));
      expect(await requestToken(form)).toMatchObject(refusal("invalid_client"));
    },
  );

  it("the server stores the encrypted secret of an application that signs assertions with its secret, until the application changes back to sending the secret", async () => {
    const own = await registeredClient(deps, ann.user, {
      authentication: { method: "client_secret_jwt", jwks: "", jwksUri: "" },
    });
    const stored = () =>
      deps.db.applicationSecret.findFirstOrThrow({ where: { applicationId: own.application.id } });
    expect((await stored()).sealed).toMatch(/^[\w-]{60,}$/);
    expect((await stored()).sealed).not.toContain(own.secret ?? "ghcs_");
    const draft = { ...own.application, redirectUris: own.application.redirectUris.join("\n") };
    const change = (method: string) =>
      applications.change(deps, ann.user, own.application.id, {
        ...draft,
        authentication: { method, jwks: "", jwksUri: "" },
      });
    expect(await change("")).toMatchObject({ secret: null });
    expect((await stored()).sealed).toBeNull();
    const form = exchangeOf(own, await codeFor(deps, ann, authorizationQuery(own)));
    expect((await requestToken(form)).status).toBe(200);
    expect(await change("client_secret_jwt")).toMatchObject({ secret: expect.stringMatching(/^ghcs_/) });
    expect(await requestToken(form)).toMatchObject(refusal("invalid_client"));
    const names = await deps.db.auditEvent.findMany({
      where: { applicationId: own.application.id, name: "application.authentication_changed" },
      orderBy: { id: "asc" },
    });
    expect(names.map(({ details }) => details)).toEqual([
      JSON.stringify({ method: null }),
      JSON.stringify({ method: "client_secret_jwt" }),
    ]);
  });
});

describe("an application with a JWKS URL", () => {
  const next = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const site = { status: 200, keySet: JSON.parse(jwks), requests: 0 };
  const server = createServer((_request, response) => {
    site.requests += 1;
    response.writeHead(site.status).end(JSON.stringify(site.keySet));
  });
  let remote: Client;

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => server.close());

  beforeEach(async (context) => {
    Object.assign(site, { status: 200, keySet: JSON.parse(jwks), requests: 0 });
    const listening = server.address();
    const port = typeof listening === "object" ? listening?.port : 0;
    const jwksUri = `http://127.0.0.1:${port}/${context.task.id}`;
    const authentication = { method: "private_key_jwt", jwks: "", jwksUri };
    remote = await registeredClient(deps, ann.user, { authentication });
  });

  const tokenWith = async (key: KeyObject, kid?: string) =>
    requestToken(await exchangeWith(await signed(claimsOf(remote), "ES256", key, kid), remote));
  const status = async (key: KeyObject) => (await tokenWith(key)).status;

  it(conformance("CA-01", "an application with a JWKS URL can replace its keys"), async () => {
    expect([await status(ec.privateKey), await status(ec.privateKey), site.requests]).toEqual([200, 200, 1]);
    site.keySet = { keys: [next.publicKey.export({ format: "jwk" })] };
    expect([await status(next.privateKey), site.requests]).toEqual([401, 1]);
    deps.advance(30);
    expect([await status(next.privateKey), await status(ec.privateKey), site.requests]).toEqual([
      200, 401, 2,
    ]);
  });

  it(
    conformance("CA-07", "the fetched keys of an application are used for a day while its JWKS URL fails"),
    async () => {
      expect(await status(ec.privateKey)).toBe(200);
      site.status = 503;
      deps.advance(30);
      expect([await status(next.privateKey), await status(ec.privateKey), site.requests]).toEqual([
        401, 200, 2,
      ]);
      deps.advance(86_400 - 31);
      expect([await status(ec.privateKey), site.requests]).toEqual([200, 3]);
      deps.advance(30);
      expect([await status(ec.privateKey), site.requests]).toEqual([503, 4]);
      site.status = 200;
      expect([await status(ec.privateKey), site.requests]).toEqual([503, 4]);
      deps.advance(30);
      expect([await status(ec.privateKey), site.requests]).toEqual([200, 5]);
    },
  );

  it(
    conformance(
      "CA-07",
      "an assertion with a key that the server has not fetched gets temporarily_unavailable while the JWKS URL does not respond, and the failure is shown to the developer",
    ),
    async () => {
      expect(await status(ec.privateKey)).toBe(200);
      site.status = 503;
      deps.advance(30);
      const unavailable = await tokenWith(next.privateKey, "next");
      expect(unavailable).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
      expect(unavailable.headers.get("retry-after")).toBe("30");
      const reasons = async () =>
        (await recentFailures(deps, ann.user, remote.application.id, 5)).map(({ reason }) => reason);
      await expect.poll(reasons).toEqual(["client_keys_unavailable"]);
      expect(await tokenWith(next.privateKey, "ec")).toMatchObject(refusal("invalid_client"));
      await expect.poll(reasons).toEqual(["assertion_signature", "client_keys_unavailable"]);
    },
  );

  it(
    conformance(
      "CA-04",
      "an assertion gets invalid_client if the JWKS URL of the application does not exist",
    ),
    async () => {
      site.status = 404;
      expect(await tokenWith(ec.privateKey)).toMatchObject(refusal("invalid_client"));
    },
  );
});

it("a client assertion of an application that is not registered for assertions is refused", async () => {
  const plain = await registeredClient(deps, ann.user);
  const assertion = await signed(claimsOf(plain), "HS256", Buffer.from(plain.secret ?? ""));
  expect(await requestToken(await exchangeWith(assertion, plain))).toMatchObject(refusal("invalid_client"));
});

describe("public keys", () => {
  const problemsOf = async (text: string) => {
    const outcome = await applications.register(deps, ann.user, {
      ...{ name: "Keys", redirectUris: "https://a.example/cb", scopes: ["read_user"], confidential: true },
      ...{ requiresPkce: false, allowsPassword: false },
      authentication: { method: "private_key_jwt", jwks: text, jwksUri: "" },
    });
    return "problems" in outcome ? outcome.problems.authentication?.join(" ") : undefined;
  };
  const setOf = (...keys: readonly object[]) => JSON.stringify({ keys });
  const small = generateKeyPairSync("rsa", { modulusLength: 1_024 });

  it.each<[string, string, RegExp]>([
    ["missing", "", /^Enter the public keys/],
    ["not JSON", "{", /JWK Set/],
    ["a JSON object without a list of keys", "{}", /JWK Set/],
    ["an empty list", setOf(), /no key/],
    ["a private key", setOf(ec.privateKey.export({ format: "jwk" })), /^Key 1 contains a private key/],
    ["a symmetric key", setOf({ kty: "oct", k: "AAAA" }), /private key/],
    ["a small RSA key", setOf(small.publicKey.export({ format: "jwk" })), /fewer than 2048 bits/],
    ["an unknown curve", setOf({ kty: "EC", crv: "P-192", x: "AA", y: "AA" }), /unsupported curve/],
    ["a key without coordinates", setOf({ kty: "EC", crv: "P-256" }), /no valid member x/],
  ])("an application is refused if its public keys are %s", async (_what, text, problem) => {
    expect(await problemsOf(text)).toMatch(problem);
  });
});
