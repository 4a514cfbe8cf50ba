import { generateKeyPairSync, hash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { calculateJwkThumbprint, SignJWT } from "jose";
import { expect, it } from "vitest";
import { openDatabase } from "@/kernel/db/open.ts";
import { type Deps, depsOf } from "@/kernel/deps/deps.ts";
import { issueCode, PushedRequestUsed } from "@/oauth/authorizations/approval.ts";
import { resolveAuthorizationRequest } from "@/oauth/authorizations/pushed-request.ts";
import { claimAssertion, verifyAssertion } from "@/oauth/client-assertions/service.ts";
import { dpopNonce, isCurrentNonce, NONCE_SLOT_SECONDS } from "@/oauth/dpop/nonce.ts";
import { checkBinding } from "@/oauth/dpop/token-binding.ts";
import { pushRequest } from "@/oauth/pushed-requests/service.ts";
import {
  approvalOf,
  authorizationQuery,
  encoded,
  ORIGIN,
  registeredClient,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { runs } from "@/testing/long.ts";
import { afterThisFile } from "@/testing/release.ts";

/** Two simulated servers share one database, but neither connections nor cached rows. */
const first = await openTestDeps();
const database = await openDatabase(first.config.database);
afterThisFile(database.close);
const servers: readonly [Deps, Deps] = [first, { ...first, ...depsOf(database) }];

const ann = await signedInUser(first, "ann");
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = publicKey.export({ format: "jwk" });
const jkt = await calculateJwkThumbprint(jwk);
const client = await registeredClient(first, ann.user, {
  authentication: { method: "private_key_jwt", jwks: JSON.stringify({ keys: [jwk] }), jwksUri: "" },
});
const ACCESS_TOKEN = "ghat_token";
const seconds = () => Math.floor(first.clock().getTime() / 1000);
const server = fc.constantFrom<0 | 1>(0, 1);

/**
 * One use of a single-use value: the index of the value, the server that receives the value, and the delay in
 * iterations of the event loop.
 */
const use = fc.record({ value: fc.nat({ max: 2 }), at: server, turns: fc.nat({ max: 3 }) });

/** Batches of single-use values that are sent concurrently. */
const schedule = fc.array(fc.array(use, { minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 3 });

/**
 * Creates single-use values, sends them to both servers in random order, and checks that each sent value is
 * accepted exactly once.
 * @param accepts sends a value to a server and returns whether the server accepts the value.
 */
async function checkSingleUse<Value>(
  create: () => Promise<Value>,
  accepts: (deps: Deps, value: Value) => Promise<boolean>,
): Promise<void> {
  const property = fc.asyncProperty(schedule, async (batches) => {
    const values = [await create(), await create(), await create()] as const;
    const accepted = new Map<number, number>();
    for (const uses of batches)
      await Promise.all(
        uses.map(async ({ value, at, turns }) => {
          for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
          const presented = values[value];
          if (presented === undefined) throw new Error("No value.");
          const isAccepted = await accepts(servers[at], presented);
          accepted.set(value, (accepted.get(value) ?? 0) + (isAccepted ? 1 : 0));
        }),
      );
    expect([...accepted.values()].every((count) => count === 1)).toBe(true);
  });
  await fc.assert(property, { numRuns: runs({ short: 15, long: 400 }) });
}

it(
  conformance(
    "CA-05",
    "two servers together accept a client assertion only once, in every order of requests",
  ),
  () =>
    checkSingleUse(
      () =>
        new SignJWT({ iss: client.id, sub: client.id, aud: ORIGIN, jti: randomUUID(), exp: seconds() + 60 })
          .setProtectedHeader({ alg: "ES256" })
          .sign(privateKey),
      async (deps, assertion) => {
        const received = { assertion, clientId: client.id, audiences: [ORIGIN], network: "127.0.0.1" };
        const outcome = await verifyAssertion(deps, received);
        return "application" in outcome && claimAssertion(deps, outcome);
      },
    ),
);

it(
  conformance(
    "PR-03",
    "two servers together issue only one authorization code for a pushed authorization request, in every order of requests",
  ),
  () =>
    checkSingleUse(
      async () => {
        const query = encoded(authorizationQuery(client));
        const { requestUri } = await pushRequest(first, client.application, query);
        return encoded({ client_id: client.id, request_uri: requestUri });
      },
      async (deps, query) => {
        const { pushed } = await resolveAuthorizationRequest(deps, query);
        const approval = { ...(await approvalOf(deps, ann, client)), pushedDigest: pushed?.digest ?? null };
        try {
          await issueCode(deps, approval);
          return true;
        } catch (cause) {
          if (cause instanceof PushedRequestUsed) return false;
          throw cause;
        }
      },
    ),
);

it(
  conformance("DP-05", "two servers together accept a DPoP proof only once, in every order of requests"),
  () =>
    checkSingleUse(
      () => {
        const claims = { htm: "GET", htu: `${ORIGIN}/api/v4/user`, iat: seconds(), jti: randomUUID() };
        const ath = hash("sha256", ACCESS_TOKEN, "base64url");
        // The nonce comes from one of the servers, and both servers accept the nonce.
        const nonce = dpopNonce(servers[Math.random() < 0.5 ? 0 : 1]);
        return new SignJWT({ ...claims, ath, nonce })
          .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
          .sign(privateKey);
      },
      async (deps, dpop) => {
        const headers = { authorization: `DPoP ${ACCESS_TOKEN}`, dpop };
        const request = new Request(`${ORIGIN}/api/v4/user`, { headers });
        return (await checkBinding(deps, request, { accessToken: ACCESS_TOKEN, jkt })) === "bound";
      },
    ),
);

it(conformance("DP-04", "two servers agree at any time about which nonces are valid"), async () => {
  const age = fc.nat({ max: 3 * NONCE_SLOT_SECONDS });
  const property = fc.asyncProperty(
    server,
    server,
    fc.nat({ max: 500 }),
    age,
    async (from, at, offset, old) => {
      first.advance(offset);
      const slot = Math.floor(seconds() / NONCE_SLOT_SECONDS);
      const nonce = dpopNonce(servers[from]);
      first.advance(old);
      const slots = Math.floor(seconds() / NONCE_SLOT_SECONDS) - slot;
      expect(isCurrentNonce(servers[at], nonce)).toBe(slots <= 1);
    },
  );
  await fc.assert(property, { numRuns: runs({ short: 50, long: 1_000 }) });
});
