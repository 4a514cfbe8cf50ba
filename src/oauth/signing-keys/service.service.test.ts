import { calculateJwkThumbprint, importJWK, jwtVerify } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { deriveKeys } from "@/kernel/crypto/keys.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import type { SigningAlgorithm } from "./rules.ts";
import {
  listKeys,
  pruneKeys,
  publishedKeys,
  publishFirstKey,
  readIdToken,
  replaceKeys,
  rotateKeys,
  rotateOldKeys,
  signJwt,
  withdrawKeys,
} from "./service.ts";

const deps = await openTestDeps();
await deps.db.instance.create({ data: { id: 1, secretCheck: deps.keys.check, createdAt: deps.clock() } });

const claims = { iss: deps.config.issuer, sub: "7", aud: "client" };
/** Returns the ids of the published keys of an algorithm. */
const kids = async (algorithm: SigningAlgorithm = "RS256") =>
  (await publishedKeys(deps)).filter(({ alg }) => alg === algorithm).map(({ kid }) => kid);
/** Replaces all keys immediately. @returns the id of the new RS256 key. */
const replacedKid = async () => (await replaceKeys(deps))[0]?.kid ?? "";
/** Returns the states of the RS256 keys, newest first. */
const states = async () =>
  (await listKeys(deps)).filter(({ algorithm }) => algorithm === "RS256").map(({ state }) => state);
const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

beforeEach(() => deps.db.signingKey.deleteMany());

describe("the first signing keys", () => {
  it("simultaneous requests create only one first signing key", async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => signJwt(deps, claims)));
    expect(new Set(tokens.map(kidOf)).size).toBe(1);
    expect(await deps.db.signingKey.count()).toBe(1);
  });

  it(
    conformance(
      "JW-06",
      "publishFirstKey publishes the first key of an algorithm, and the published key signs the tokens of the algorithm",
    ),
    async () => {
      expect((await publishedKeys(deps)).map(({ alg }) => alg)).toEqual(["RS256"]);
      await Promise.all([publishFirstKey(deps, "ES256"), publishFirstKey(deps, "ES256")]);
      const published = await publishedKeys(deps);
      expect(published.map(({ alg }) => alg)).toEqual(["RS256", "ES256"]);
      for (const { alg, kid } of published) expect(kidOf(await signJwt(deps, claims, alg))).toBe(kid);
      await publishFirstKey(deps, "ES256");
      expect(await publishedKeys(deps)).toBe(published);
    },
  );

  it("a request for the list of public keys creates the first signing key", async () => {
    expect(await kids()).toHaveLength(1);
    expect(kidOf(await signJwt(deps, claims))).toBe((await kids())[0]);
  });

  it(
    conformance(
      "JW-01",
      "the first signing key is an RSA key of 2,048 bits with its thumbprint as kid, and only its public part is published",
    ),
    async () => {
      const [key] = await publishedKeys(deps);
      expect(Object.keys(key ?? {}).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
      expect(key).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig" });
      expect(key?.kid).toBe(await calculateJwkThumbprint({ ...key }));
      expect(Buffer.from(key?.alg === "RS256" ? key.n : "", "base64url")).toHaveLength(256);
    },
  );

  it(
    conformance(
      "XC-16",
      "the stored signing key is encrypted, and another instance secret cannot decrypt it",
    ),
    async () => {
      await signJwt(deps, claims);
      const row = await deps.db.signingKey.findFirstOrThrow();
      expect(row.sealedPrivate).not.toContain("PRIVATE");
      expect(JSON.parse(row.publicJwk)).not.toHaveProperty("d");
      await replaceKeys(deps);
      const keys = deriveKeys("another secret, of the same length as any other");
      await expect(signJwt({ ...deps, keys }, claims)).rejects.toThrow("cannot be decrypted");
    },
  );
});

describe("the rotation of signing keys", () => {
  it(
    conformance(
      "JW-03",
      "replaceKeys replaces the keys immediately, and tokens that the old key has signed can still be verified",
    ),
    async () => {
      const before = await signJwt(deps, claims);
      const kid = await replacedKid();
      const after = await signJwt(deps, claims);
      expect(kidOf(after)).toBe(kid);
      expect(await kids()).toEqual([kid, kidOf(before)]);
      for (const token of [before, after]) {
        const key = (await publishedKeys(deps)).find((key) => key.kid === kidOf(token));
        const { payload } = await jwtVerify(token, await importJWK({ ...key }), { algorithms: ["RS256"] });
        expect(payload).toMatchObject(claims);
      }
      expect(await deps.db.auditEvent.count({ where: { name: "keys.rotated" } })).toBeGreaterThan(0);
    },
  );

  it(
    conformance(
      "JW-07",
      "withdrawKeys replaces the keys of all algorithms in use, and deletes the old keys, so that the tokens of the old keys cannot be verified",
    ),
    async () => {
      const retired = kidOf(await signJwt(deps, claims));
      await replaceKeys(deps);
      const tokens = [await signJwt(deps, claims), await signJwt(deps, claims, "ES256")];
      const old = tokens.map(kidOf);
      const { id: before } = await deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });
      const { keys, withdrawn } = await withdrawKeys(deps);
      expect(withdrawn.toSorted()).toEqual([retired, ...old].toSorted());
      expect(keys.map(({ algorithm }) => algorithm)).toEqual(["RS256", "ES256"]);
      expect((await publishedKeys(deps)).map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));
      for (const token of tokens) expect(await readIdToken(deps, token)).toBeNull();
      for (const { kid, algorithm } of keys) {
        const token = await signJwt(deps, claims, algorithm);
        expect(kidOf(token)).toBe(kid);
        expect(await readIdToken(deps, token)).not.toBeNull();
      }
      const events = await deps.db.auditEvent.findMany({
        where: { id: { gt: before } },
        orderBy: { id: "asc" },
      });
      expect(events.map(({ name, details }) => [name, JSON.parse(details).kid])).toEqual([
        ...withdrawn.map((kid) => ["keys.withdrawn", kid]),
        ...keys.map(({ kid }) => ["keys.rotated", kid]),
      ]);
    },
  );

  it(
    conformance(
      "JW-05",
      "rotateKeys publishes the new keys of all algorithms in use one day before the new keys sign, and the rotation job then retires the old keys",
    ),
    async () => {
      const algorithms = ["RS256", "ES256", "EdDSA"] as const;
      const signing = () =>
        Promise.all(algorithms.map(async (algorithm) => kidOf(await signJwt(deps, claims, algorithm))));
      const before = await signing();
      const successors = await rotateKeys(deps);
      const after = successors.map(({ kid }) => kid);
      for (const [index, { algorithm, signsFrom }] of successors.entries()) {
        expect(signsFrom).toEqual(new Date(deps.clock().getTime() + 86_400_000));
        expect(await kids(algorithm)).toEqual([before[index], after[index]]);
      }
      deps.advance(86_399);
      expect(await signing()).toEqual(before);
      deps.advance(1);
      expect(await signing()).toEqual(after);
      for (const [index, algorithm] of algorithms.entries())
        expect(await kids(algorithm)).toEqual([after[index], before[index]]);
      await rotateOldKeys(deps);
      expect(
        await deps.db.signingKey.count({ where: { kid: { in: before }, retiredAt: deps.clock() } }),
      ).toBe(3);
    },
  );

  it("simultaneous rotations create only one successor for each algorithm", async () => {
    const rotations = await Promise.all(Array.from({ length: 4 }, () => rotateKeys(deps)));
    for (const rotation of rotations) expect(rotation).toEqual(rotations[0]);
    expect(await states()).toEqual(["next", "signing"]);
    expect(await deps.db.signingKey.count()).toBe(2);
  });

  it("a process whose clock is behind signs with the successor after another process has retired the old key", async () => {
    await signJwt(deps, claims);
    const [successor] = await rotateKeys(deps);
    deps.advance(86_400);
    await rotateOldKeys(deps);
    const behind = { ...deps, clock: () => new Date(deps.clock().getTime() - 5_000) };
    expect(kidOf(await signJwt(behind, claims))).toBe(successor?.kid);
    expect(await states()).toEqual(["signing", "retired"]);
  });

  it("replaceKeys also replaces a successor that does not sign yet", async () => {
    await rotateKeys(deps);
    const kid = await replacedKid();
    deps.advance(86_400);
    expect(kidOf(await signJwt(deps, claims))).toBe(kid);
    expect(await states()).toEqual(["signing", "retired", "retired"]);
  });

  it("simultaneous immediate rotations leave only one key that signs for each algorithm", async () => {
    await Promise.all(Array.from({ length: 4 }, () => replaceKeys(deps)));
    expect(await deps.db.signingKey.count({ where: { retiredAt: null } })).toBe(1);
    expect(await deps.db.signingKey.count()).toBe(4);
  });

  it(
    conformance(
      "JW-03",
      "a retired key stays published for one day plus the lifetime of an ID token, and is then deleted",
    ),
    async () => {
      await changeSettings(deps, { id_token_expires_in: "600" });
      const old = kidOf(await signJwt(deps, claims));
      const kid = await replacedKid();
      deps.advance(86_400 + 599);
      expect(await kids()).toEqual([kid, old]);
      expect(await pruneKeys(deps)).toBe(0);
      deps.advance(1);
      expect(await kids()).toEqual([kid]);
      expect(await pruneKeys(deps)).toBe(1);
      expect(await pruneKeys(deps)).toBe(0);
      expect(await deps.db.signingKey.count()).toBe(1);
    },
  );
});

describe("keys of further algorithms", () => {
  it.each(["ES256", "EdDSA"] as const)(
    "the published %s key verifies tokens, and follows the RS256 key in the list of public keys",
    async (algorithm) => {
      const token = await signJwt(deps, claims, algorithm);
      const keys = await publishedKeys(deps);
      expect(keys[0]?.alg).toBe("RS256");
      const key = keys.find(({ kid }) => kid === kidOf(token));
      const { payload, protectedHeader } = await jwtVerify(token, await importJWK({ ...key }));
      expect(payload).toMatchObject(claims);
      expect(protectedHeader).toMatchObject({ alg: algorithm, typ: "JWT" });
      expect(await readIdToken(deps, token)).toEqual({ userId: 7, clientUid: "client" });
    },
  );
});

describe("the rotation at intervals", () => {
  beforeEach(() => changeSettings(deps, { signing_key_rotation_days: "90" }));

  it(
    conformance(
      "JW-05",
      "a successor is published one day before it signs, and simultaneous jobs create only one successor",
    ),
    async () => {
      const before = kidOf(await signJwt(deps, claims));
      deps.advance(88 * 86_400);
      await rotateOldKeys(deps);
      expect(await kids()).toEqual([before]);
      deps.advance(86_400);
      await Promise.all([rotateOldKeys(deps), rotateOldKeys(deps)]);
      const [first, next] = await kids();
      expect(first).toBe(before);
      expect(kidOf(await signJwt(deps, claims))).toBe(before);
      expect(await states()).toEqual(["next", "signing"]);
      deps.advance(86_400);
      expect(kidOf(await signJwt(deps, claims))).toBe(next);
      await rotateOldKeys(deps);
      expect(await states()).toEqual(["signing", "retired"]);
      deps.advance(2 * 86_400);
      await pruneKeys(deps);
      expect(await kids()).toEqual([next]);
    },
  );

  it(
    conformance(
      "JW-05",
      "the rotation job creates only one successor for each rotation, although the job runs often",
    ),
    async () => {
      await signJwt(deps, claims);
      for (let hours = 0; hours < 200 * 24; hours += 12) {
        deps.advance(12 * 3600);
        await rotateOldKeys(deps);
      }
      expect(await deps.db.signingKey.count()).toBe(3);
      const newest = (await listKeys(deps)).find(({ algorithm }) => algorithm === "RS256");
      expect(newest?.state).toBe("signing");
      expect(kidOf(await signJwt(deps, claims))).toBe(newest?.kid);
    },
  );

  it("the rotation job replaces no key if signing_key_rotation_days is 0", async () => {
    await changeSettings(deps, { signing_key_rotation_days: "0" });
    const before = kidOf(await signJwt(deps, claims));
    deps.advance(4000 * 86_400);
    await rotateOldKeys(deps);
    expect(await kids()).toEqual([before]);
  });
});

describe("an ID token that is sent as a hint", () => {
  it("readIdToken returns the user and the client of an ID token, even after the token has expired", async () => {
    const token = await signJwt(deps, { ...claims, exp: 1 });
    expect(await readIdToken(deps, token)).toEqual({ userId: 7, clientUid: "client" });
  });

  it("readIdToken returns null for an ID token whose key is no longer published", async () => {
    const token = await signJwt(deps, claims);
    await replaceKeys(deps);
    expect(await readIdToken(deps, token)).not.toBeNull();
    deps.advance(90_000);
    expect(await readIdToken(deps, token)).toBeNull();
  });

  it.each<[string, object]>([
    ["another issuer", { ...claims, iss: "https://evil.example" }],
    ["no issuer", { sub: "7", aud: "client" }],
    ["no subject", { iss: claims.iss, aud: "client" }],
    ["a subject that is not a number", { ...claims, sub: "7 or 1=1" }],
    ["two audiences", { ...claims, aud: ["client", "other"] }],
  ])("readIdToken refuses an ID token with %s", async (_what, other) => {
    expect(await readIdToken(deps, await signJwt(deps, other))).toBeNull();
  });
});
