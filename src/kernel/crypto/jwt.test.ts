import { createSecretKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { isSignedBy, signJws } from "./jwt.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
const token = await signJws({ alg: "ES256", typ: "JWT", kid: "1" }, { sub: "ann" }, privateKey);
const [header = "", claims = "", signature = ""] = token.split(".");

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Returns a correctly signed token with these header parameters. */
function signed(parameters: object): string {
  const text = `${encode(parameters)}.${claims}`;
  const bytes = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${bytes.toString("base64url")}`;
}
/** Returns whether the verification uses the Web Cryptography API, as the library does. */
async function usesLibrary(check: () => Promise<boolean>): Promise<boolean> {
  const spy = vi.spyOn(crypto.subtle, "verify");
  await check();
  const isUsed = spy.mock.calls.length > 0;
  spy.mockRestore();
  return isUsed;
}

describe("a token with the algorithm ES256", () => {
  it("a token is accepted with its key, and refused with another key", async () => {
    expect(await isSignedBy(token, publicKey, "ES256")).toBe(true);
    expect(await isSignedBy(token, other, "ES256")).toBe(false);
  });

  it("a token is verified without the library, which needs twice the processor time", async () => {
    expect(await usesLibrary(() => isSignedBy(token, publicKey, "ES256"))).toBe(false);
  });

  it.each([
    ["other claims", `${header}.${encode({ sub: "bob" })}.${signature}`],
    ["another header", `${encode({ alg: "ES256" })}.${claims}.${signature}`],
    ["no signature", `${header}.${claims}.`],
    ["a shorter signature", token.slice(0, -2)],
    [
      "a DER signature",
      `${header}.${claims}.${sign("sha256", Buffer.from(`${header}.${claims}`), privateKey).toString("base64url")}`,
    ],
    ["a fourth part", `${token}.`],
    ["the algorithm none", `${encode({ alg: "none" })}.${claims}.${signature}`],
    ["another algorithm in its header", signed({ alg: "ES384" })],
    ["an unknown critical header parameter", signed({ alg: "ES256", crit: ["exp"], exp: 1 })],
    ["a header that is not an object", signed(["ES256"])],
  ])("is refused with %s", async (_name, changed) => {
    expect(await isSignedBy(changed, publicKey, "ES256")).toBe(false);
  });

  it("is refused if its key has another type", async () => {
    const keys = [
      generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey,
      createSecretKey(randomBytes(32)),
    ];
    for (const key of keys) expect(await isSignedBy(token, key, "ES256")).toBe(false);
  });
});

it.each([
  ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ["ES384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ["EdDSA", generateKeyPairSync("ed25519")],
])("a token with the algorithm %s is accepted only with its key and its algorithm", async (alg, pair) => {
  const own = await signJws({ alg, typ: "JWT" }, { sub: "ann" }, pair.privateKey);
  expect(await usesLibrary(() => isSignedBy(own, pair.publicKey, alg))).toBe(true);
  expect(await isSignedBy(own, pair.publicKey, alg)).toBe(true);
  expect(await isSignedBy(own, publicKey, "ES256")).toBe(false);
});

it("a token with the algorithm HS256 is accepted only with its secret", async () => {
  const [secret, wrong] = [randomBytes(32), randomBytes(32)];
  const own = await signJws({ alg: "HS256", typ: "JWT" }, { sub: "ann" }, createSecretKey(secret));
  expect(await isSignedBy(own, new Uint8Array(secret), "HS256")).toBe(true);
  expect(await isSignedBy(own, new Uint8Array(wrong), "HS256")).toBe(false);
});
