import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as consentRoute from "@app/oauth/consent/route.ts";
import { POST as postPushed } from "@app/oauth/par/route.ts";
import { SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings, resetSetting } from "@/instance/settings/service.ts";
import {
  authorize,
  CHALLENGE,
  codeFor,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  redirectParameters,
  refusal,
  requestToken,
  type SignedInUser,
  signedInUser,
  VERIFIER,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const LOOPBACK = "http://127.0.0.1/callback";

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const keySetOf = (...keys: readonly KeyObject[]) => ({
  keys: keys.map((key) => ({ ...key.export({ format: "jwk" }), use: "sig" })),
});

let ann: SignedInUser;
let site: Server;
let origin: string;
/** The JSON documents that the web site of the client serves, keyed by path. */
const documents = new Map<string, object>();
/** Whether the web site responds to each request with an error. */
let isSiteDown = false;
let requests: string[] = [];
let count = 0;
let clientId = "";
let key = newKey();

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  site = createServer((request, response) => {
    requests.push(request.url ?? "");
    const document = documents.get(request.url ?? "");
    const status = document === undefined ? 404 : 200;
    const headers = { "content-type": "application/json" };
    response.writeHead(isSiteDown ? 503 : status, headers).end(JSON.stringify(document));
  });
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((closed) => site.close(closed)));

beforeEach(async () => {
  count += 1;
  clientId = `${origin}/client${count}.json`;
  key = newKey();
  requests = [];
  isSiteDown = false;
  deps.advance(3_600);
  await deps.db.rateCounter.deleteMany();
  publish({ jwks: keySetOf(key.publicKey) });
});

/** Publishes the metadata document of the client. */
const publish = (members: object): void =>
  void documents.set(new URL(clientId).pathname, {
    client_id: clientId,
    client_name: "Agent",
    redirect_uris: [LOOPBACK],
    token_endpoint_auth_method: "private_key_jwt",
    ...members,
  });

const query = (changes: Fields = {}): Fields => ({
  client_id: clientId,
  redirect_uri: LOOPBACK,
  response_type: "code",
  scope: "mcp",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  ...changes,
});

/** Returns the form fields of a request with a new client assertion. */
async function assertionBy({ privateKey }: { readonly privateKey: KeyObject }): Promise<Fields> {
  const seconds = Math.floor(deps.clock().getTime() / 1000);
  const claims = { iss: clientId, sub: clientId, aud: ORIGIN, jti: randomUUID(), exp: seconds + 60 };
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey),
  };
}

async function exchange(authentication: Fields) {
  const code = await codeFor(deps, ann, query());
  const form = { grant_type: "authorization_code", redirect_uri: LOOPBACK, code, code_verifier: VERIFIER };
  return requestToken({ ...form, ...authentication });
}

const refreshWith = (refresh: string, authentication: Fields) =>
  requestToken({ grant_type: "refresh_token", refresh_token: refresh, ...authentication });

describe("a client whose metadata document contains its public keys", () => {
  it(
    conformance(
      "CD-08",
      "CA-01",
      "a client with public keys in its metadata document gets and refreshes tokens with signed assertions",
    ),
    async () => {
      const { refresh } = tokensIn(await exchange(await assertionBy(key)));
      expect(await refreshWith(refresh, await assertionBy(key))).toMatchObject({ status: 200 });
      expect(requests).toHaveLength(1);
    },
  );

  it(
    conformance(
      "CD-08",
      "CA-04",
      "a client with public keys in its metadata document is refused if it sends no assertion, or an assertion that another key has signed",
    ),
    async () => {
      expect(await exchange({ client_id: clientId })).toMatchObject(refusal("invalid_client"));
      expect(await exchange(await assertionBy(newKey()))).toMatchObject(refusal("invalid_client"));
      expect((await exchange(await assertionBy(key))).status).toBe(200);
    },
  );

  it("a client with public keys in its metadata document must use PKCE, and needs the consent of the user for each authorization request", async () => {
    const withoutPkce = query({ code_challenge: undefined, code_challenge_method: undefined });
    expect(redirectParameters(await authorize(withoutPkce, ann), LOOPBACK)).toMatchObject({
      error: "invalid_request",
    });
    await exchange(await assertionBy(key));
    expect((await authorize(query(), ann)).headers.get("location")).toContain("/oauth/consent?");
    expect(redirectParameters(await authorize(query({ prompt: "none" }), ann), LOOPBACK)).toMatchObject({
      error: "consent_required",
    });
  });

  it("for a client with public keys, the consent page does not warn that any program can claim to be the client", async () => {
    const consentPage = async () => {
      const location = (await authorize(query(), ann)).headers.get("location") ?? "";
      return (await consentRoute.GET(new Request(location, { headers: { cookie: ann.cookie } }))).text();
    };
    expect(await consentPage()).not.toContain("Any program on this computer");
    publish({ token_endpoint_auth_method: "none" });
    deps.advance(300);
    expect(await consentPage()).toContain("Any program on this computer");
  });

  it(
    conformance("CD-08", "a client can no longer use a key that was removed from its metadata document"),
    async () => {
      const { refresh } = tokensIn(await exchange(await assertionBy(key)));
      const successor = newKey();
      publish({ jwks: keySetOf(successor.publicKey) });
      deps.advance(300);
      expect(await refreshWith(refresh, await assertionBy(key))).toMatchObject(refusal("invalid_client"));
      expect((await refreshWith(refresh, await assertionBy(successor))).status).toBe(200);
      expect(requests).toHaveLength(2);
    },
  );

  it(
    conformance(
      "CD-05",
      "CD-08",
      "a client with public keys works for a day while the site of its metadata document does not respond",
    ),
    async () => {
      const { refresh } = tokensIn(await exchange(await assertionBy(key)));
      isSiteDown = true;
      deps.advance(300);
      const refreshed = await refreshWith(refresh, await assertionBy(key));
      expect(refreshed.status).toBe(200);
      deps.advance(86_400 - 300);
      const refused = await refreshWith(String(refreshed.body["refresh_token"]), await assertionBy(key));
      expect(refused).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
      expect(refused.headers.get("retry-after")).toBe("60");
      isSiteDown = false;
      deps.advance(60);
      expect(
        await refreshWith(String(refreshed.body["refresh_token"]), await assertionBy(key)),
      ).toMatchObject({ status: 200 });
    },
  );

  it(
    conformance(
      "CD-08",
      "CD-11",
      "a client cannot refresh its tokens after its metadata document was removed",
    ),
    async () => {
      const { refresh } = tokensIn(await exchange(await assertionBy(key)));
      documents.delete(new URL(clientId).pathname);
      deps.advance(300);
      const refused = refusal("invalid_client");
      expect(await refreshWith(refresh, await assertionBy(key))).toMatchObject(refused);
      isSiteDown = true;
      deps.advance(60);
      expect(await refreshWith(refresh, await assertionBy(key))).toMatchObject(refused);
    },
  );

  it("a client must authenticate with a signature after a public key was added to its metadata document", async () => {
    publish({ token_endpoint_auth_method: "none" });
    const { refresh } = tokensIn(await exchange({ client_id: clientId }));
    publish({ jwks: keySetOf(key.publicKey) });
    deps.advance(300);
    for (const _attempt of ["when the document is requested again", "after the document was stored"])
      expect(await refreshWith(refresh, { client_id: clientId })).toMatchObject(refusal("invalid_client"));
    expect((await refreshWith(refresh, await assertionBy(key))).status).toBe(200);
  });

  it("a client with public keys in its metadata document can push its first authorization request", async () => {
    const form = { ...query(), ...(await assertionBy(key)) };
    const response = await postPushed(formPost("/oauth/par", encoded(form)));
    expect(response.status).toBe(201);
    expect(requests).toHaveLength(1);
  });

  it("a client with public keys in its metadata document is refused while the setting client_id_metadata_documents is off", async () => {
    const { refresh } = tokensIn(await exchange(await assertionBy(key)));
    await changeSettings(deps, { client_id_metadata_documents: "off" }, ann.user);
    expect(await refreshWith(refresh, await assertionBy(key))).toMatchObject(refusal("invalid_client"));
    await resetSetting(deps, "client_id_metadata_documents", ann.user);
  });

  it("the assertion of an unknown client causes no request for a metadata document", async () => {
    expect(
      await requestToken({ grant_type: "refresh_token", refresh_token: "x", ...(await assertionBy(key)) }),
    ).toMatchObject(refusal("invalid_client"));
    expect(requests).toEqual([]);
  });
});

describe("a client whose metadata document contains the URL of its keys", () => {
  it(
    conformance(
      "CD-08",
      "CA-01",
      "a client authenticates with a key that it publishes at a URL, and later with the key that replaces the published key",
    ),
    async () => {
      const path = `/keys${count}.json`;
      documents.set(path, keySetOf(key.publicKey));
      publish({ jwks_uri: origin + path });
      expect((await exchange(await assertionBy(key))).status).toBe(200);
      const successor = newKey();
      documents.set(path, keySetOf(successor.publicKey));
      deps.advance(30);
      expect((await exchange(await assertionBy(successor))).status).toBe(200);
      expect(await exchange(await assertionBy(key))).toMatchObject(refusal("invalid_client"));
      expect(requests.filter((url) => url === path)).toHaveLength(2);
    },
  );
});
