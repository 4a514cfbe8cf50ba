import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { conformance } from "../../src/testing/conformance.ts";
import { runs } from "../../src/testing/long.ts";
import { expect, register, test } from "../fixtures.ts";
import {
  CODE_REUSE_LEEWAY,
  codeGrant,
  deviceGrant,
  type Pair,
  refreshGrant,
  startTwo,
  type TokenResponse,
  type TwoProcesses,
} from "./two-processes.ts";

const CALLERS = 16;
const ROUNDS = runs({ short: 15, long: 60 });
/** The number of iterations in tests that need a new grant or device approval for each iteration. */
const ROUNDS_OF_GRANTS = runs({ short: 6, long: 20 });

let two: TwoProcesses;
test.beforeAll(async ({ browser, database }) => {
  two = await startTwo(await browser.newPage(), database);
});
test.afterAll(() => two.stop());

const callers = Array.from({ length: CALLERS }, (_, index) => index);

/** Runs all callers simultaneously, alternating between the two processes. */
const race = (form: Readonly<Record<string, string>>): Promise<readonly TokenResponse[]> =>
  Promise.all(callers.map((caller) => two.post(caller, "/oauth/token", form)));

/**
 * Returns the tokens of the only successful response. All other responses must have the error
 * `invalid_grant`.
 */
function onlyWinner(responses: readonly TokenResponse[]): Pair {
  const winners = responses.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const { status, body } of responses.filter((response) => !winners.includes(response)))
    expect({ status, error: body["error"] }).toEqual({ status: 400, error: "invalid_grant" });
  return pairOf(winners[0]);
}

const pairOf = (response: TokenResponse | undefined): Pair => ({
  access_token: String(response?.body["access_token"]),
  refresh_token: String(response?.body["refresh_token"]),
});

const ALIVE = [200, 200];
const DEAD = [401, 401];

test(
  conformance(
    "AT-03",
    "LF-05",
    "exactly one of 16 exchanges of an authorization code at two processes succeeds, and the API accepts the issued tokens",
  ),
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const winner = onlyWinner(await race(codeGrant(await two.newCode())));
      expect(await two.apiStatuses(winner.access_token)).toEqual(ALIVE);
    }
  },
);

test(
  conformance(
    "AT-02",
    "AT-03",
    "AC-07",
    "without code_reuse_leeway, a second exchange of an authorization code at either process revokes the tokens of the first exchange, even after a token refresh",
  ),
  async () => {
    await two.instance.cli("setting", "set", "code_reuse_leeway", "0");
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const code = await two.newCode();
      const responses = await race(codeGrant(code));
      const winner = onlyWinner(responses);
      // An exchange in the same millisecond as the first exchange does not count as a replay.
      const rotation = await two.post(round, "/oauth/token", refreshGrant(winner.refresh_token));
      expect((await two.post(round + 1, "/oauth/token", codeGrant(code))).status).toBe(400);
      for (const pair of [winner, pairOf(rotation)])
        expect(await two.apiStatuses(pair.access_token)).toEqual(DEAD);
      const last = rotation.status === 200 ? pairOf(rotation) : winner;
      expect((await two.post(round, "/oauth/token", refreshGrant(last.refresh_token))).status).toBe(400);
    }
    await two.instance.cli("setting", "set", "code_reuse_leeway", CODE_REUSE_LEEWAY);
  },
);

test(
  conformance(
    "AT-04",
    "RT-12",
    "LF-05",
    "exactly one of 16 refreshes with the same refresh token at two processes succeeds, and the new refresh token works",
  ),
  async () => {
    let current = pairOf(await two.post(0, "/oauth/token", codeGrant(await two.newCode())));
    for (let round = 0; round < ROUNDS; round++) {
      const next = onlyWinner(await race(refreshGrant(current.refresh_token)));
      expect(await two.apiStatuses(current.access_token)).toEqual(DEAD);
      expect(await two.apiStatuses(next.access_token)).toEqual(ALIVE);
      current = next;
    }
  },
);

test(
  conformance(
    "AT-04",
    "RT-12",
    "within refresh_retry_window, all refreshes with the same refresh token at both processes return the same new tokens",
  ),
  async () => {
    await two.instance.cli("setting", "set", "refresh_retry_window", "600");
    let current = pairOf(await two.post(0, "/oauth/token", codeGrant(await two.newCode())));
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const responses = await race(refreshGrant(current.refresh_token));
      expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      current = pairOf(responses[0]);
      expect(await two.apiStatuses(current.access_token)).toEqual(ALIVE);
    }
    await two.instance.cli("setting", "set", "refresh_retry_window", "0");
  },
);

test(
  conformance(
    "AT-07",
    "RV-13",
    "LF-05",
    "if one process revokes a token while the other process refreshes the token, no token remains valid",
  ),
  async () => {
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const first = pairOf(await two.post(0, "/oauth/token", codeGrant(await two.newCode())));
      const token = round % 2 === 0 ? first.refresh_token : first.access_token;
      const refresh = (caller: number) => two.post(caller, "/oauth/token", refreshGrant(first.refresh_token));
      const before = callers.slice(0, CALLERS / 2).map(refresh);
      const revocation = two.post(round, "/oauth/revoke", { token });
      const after = callers.slice(CALLERS / 2).map(refresh);
      const revoked = await revocation;
      const refreshes = await Promise.all([...before, ...after]);
      expect(revoked).toEqual({ status: 200, body: {} });
      const winners = refreshes.filter(({ status }) => status === 200);
      expect(winners.length).toBeLessThanOrEqual(1);
      for (const pair of [first, ...winners.map(pairOf)]) {
        expect(await two.apiStatuses(pair.access_token)).toEqual(DEAD);
        expect((await two.post(round, "/oauth/token", refreshGrant(pair.refresh_token))).status).toBe(400);
      }
    }
  },
);

test(
  conformance(
    "AT-05",
    "LF-05",
    "exactly one of 16 concurrent device polls at two processes succeeds, whether the polls start before or after the approval",
  ),
  async () => {
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const { deviceCode, approve } = await two.newDevice();
      await approve();
      const winner = onlyWinner(await race(deviceGrant(deviceCode)));
      expect(await two.apiStatuses(winner.access_token)).toEqual(ALIVE);
    }
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const { deviceCode, approve } = await two.newDevice();
      const approved = approve();
      const early = await race(deviceGrant(deviceCode));
      await approved;
      const late = await race(deviceGrant(deviceCode));
      expect([...early, ...late].filter(({ status }) => status === 200)).toHaveLength(1);
    }
  },
);

test(
  conformance(
    "PR-03",
    "LF-05",
    "exactly one of 16 simultaneous uses of a pushed authorization request at two processes gets an authorization code",
  ),
  async () => {
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const { status, body } = await two.post(round, "/oauth/par", {
        redirect_uri: "https://client.example/callback",
        response_type: "code",
        scope: "read_user",
      });
      expect(status).toBe(201);
      const query = new URLSearchParams({
        client_id: two.clientId,
        request_uri: String(body["request_uri"]),
      });
      const locations = await Promise.all(
        callers.map(async (caller) => {
          const url = `${two.origins[caller % 2 === 0 ? 0 : 1]}/oauth/authorize?${query}`;
          const response = await two.page.request.get(url, { maxRedirects: 0 });
          return new URL(response.headers()["location"] ?? "").searchParams;
        }),
      );
      expect(locations.filter((parameters) => parameters.has("code"))).toHaveLength(1);
      const errors = locations.map((parameters) => parameters.get("error")).filter((error) => error !== null);
      expect(new Set(errors)).toEqual(new Set(["invalid_request_uri"]));
    }
  },
);

test(
  conformance(
    "DP-04",
    "DP-05",
    "LF-05",
    "exactly one of 16 uses of a DPoP proof at two processes succeeds, and both processes accept a nonce from one of them",
  ),
  async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = publicKey.export({ format: "jwk" });
    const dpopFor = (htm: string, path: string, claims: object) =>
      new SignJWT({ htm, htu: two.origins[0] + path, jti: randomUUID(), ...claims })
        .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
        .setIssuedAt()
        .sign(privateKey);
    const refused = await fetch(`${two.origins[0]}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "authorization_code" }),
      headers: { dpop: await dpopFor("POST", "/oauth/token", {}) },
    });
    const nonce = refused.headers.get("dpop-nonce") ?? "";
    expect(nonce).not.toBe("");
    const dpop = await dpopFor("POST", "/oauth/token", { nonce });
    const { body } = await two.post(1, "/oauth/token", codeGrant(await two.newCode()), { dpop });
    expect(body["token_type"]).toBe("DPoP");
    const token = String(body["access_token"]);
    const ath = createHash("sha256").update(token).digest("base64url");
    for (let round = 0; round < ROUNDS_OF_GRANTS; round++) {
      const dpop = await dpopFor("GET", "/api/v4/user", { nonce, ath });
      const headers = { authorization: `DPoP ${token}`, dpop };
      const statuses = await Promise.all(
        callers.map(async (caller) => {
          const response = await fetch(`${two.origins[caller % 2 === 0 ? 0 : 1]}/api/v4/user`, { headers });
          await response.arrayBuffer();
          return response.status;
        }),
      );
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: CALLERS - 1 }, () => 401)]);
    }
  },
);

test(
  conformance(
    "CA-05",
    "LF-05",
    "exactly one of 16 uses of a client assertion at two processes succeeds, whether one or several signed assertions have the same jti",
  ),
  async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), use: "sig", kid: "a" }] });
    const about = [
      "--name",
      "Signer",
      "--redirect-uri",
      "https://client.example/callback",
      "--owner",
      "root",
    ];
    const options = ["--scopes", "read_user", "--client-credentials", "read_user"];
    const authentication = ["--auth-method", "private_key_jwt", "--jwks", jwks];
    const { client_id } = await register(two.instance, ...about, ...options, ...authentication);
    const assertionWith = (jti: string, expiresInSeconds: number) =>
      new SignJWT({ iss: client_id, sub: client_id, aud: `${two.origins[0]}/oauth/token`, jti })
        .setProtectedHeader({ alg: "ES256", kid: "a" })
        .setIssuedAt()
        .setExpirationTime(`${expiresInSeconds}s`)
        .sign(privateKey);
    for (let round = 0; round < ROUNDS; round++) {
      const jti = randomUUID();
      const isSame = round % 2 === 0;
      const first = await assertionWith(jti, 60);
      const assertions = await Promise.all(
        callers.map((caller) => (isSame ? first : assertionWith(jti, 60 + caller))),
      );
      const responses = await Promise.all(
        assertions.map((assertion, caller) =>
          two.postAlone(caller, "/oauth/token", {
            grant_type: "client_credentials",
            client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            client_assertion: assertion,
          }),
        ),
      );
      const outcomes = responses.map(
        ({ status, body }) => `${status} ${body["error"] ?? body["token_type"]}`,
      );
      const refused = Array.from({ length: CALLERS - 1 }, () => "401 invalid_client");
      expect(outcomes.toSorted()).toEqual(["200 bearer", ...refused]);
    }
  },
);
