/** A public key of an application (RFC 7517 §4), without members that the server does not use. */
export type PublicKey = Readonly<{ kty: "RSA" | "EC" | "OKP" } & Partial<Record<Member, string>>>;

const MEMBERS = ["kid", "alg", "use", "n", "e", "crv", "x", "y"] as const;
type Member = (typeof MEMBERS)[number];

/** The members of private and symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** The members that each type of key requires, and the curves that the server supports. */
const REQUIRED: Readonly<Record<PublicKey["kty"], readonly Member[]>> = {
  RSA: ["n", "e"],
  EC: ["crv", "x", "y"],
  OKP: ["crv", "x"],
};
const CURVES: Readonly<Record<PublicKey["kty"], readonly string[]>> = {
  RSA: [],
  EC: ["P-256", "P-384", "P-521"],
  OKP: ["Ed25519"],
};

const KEYS_MAX = 20;
const CHARACTERS_MAX = 20_000;
const RSA_BITS_MIN = 2_048;
const RSA_BITS_MAX = 8_192;

/**
 * Parses a JWK Set (RFC 7517 §5) and removes the members that the server does not use. The result does not
 * contain keys for encryption.
 * @returns the keys, or an error message that contains the position of the invalid key.
 */
export function parseKeySet(
  text: string,
): { readonly keys: readonly PublicKey[] } | { readonly problem: string } {
  if (text.length > CHARACTERS_MAX) return { problem: `Use at most ${CHARACTERS_MAX} characters.` };
  const listed = listOf(text);
  if (listed === null)
    return {
      problem: "Enter a JWK Set: a JSON object with the member “keys”, which is a list of public keys.",
    };
  if (listed.length > KEYS_MAX) return { problem: `Use at most ${KEYS_MAX} keys.` };
  const keys: PublicKey[] = [];
  for (const [index, entry] of listed.entries()) {
    const key = readPublicKey(entry);
    if (typeof key === "string") return { problem: `Key ${index + 1} ${key}.` };
    if (key.use !== "enc") keys.push(key);
  }
  return keys.length === 0
    ? { problem: "The JWK Set has no key for signatures. Add a public key that verifies signatures." }
    : { keys };
}

function listOf(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("keys" in value)) return null;
    return Array.isArray(value.keys) ? value.keys : null;
  } catch {
    return null;
  }
}

/**
 * Returns a public key without unsupported members. For an invalid key, the function returns the end of an
 * error message. The error message begins with the position of the key.
 */
export function readPublicKey(entry: unknown): PublicKey | string {
  if (typeof entry !== "object" || entry === null) return "is not a JSON object";
  const members = new Map<string, unknown>(Object.entries(entry));
  if (PRIVATE_MEMBERS.some((name) => members.has(name)))
    return "contains a private key. Enter public keys only, and replace the private key";
  const kty = members.get("kty");
  if (kty !== "RSA" && kty !== "EC" && kty !== "OKP") return "has an unsupported type (kty)";
  const texts = MEMBERS.flatMap((name): [Member, string][] => {
    const value = members.get(name);
    return typeof value === "string" ? [[name, value]] : [];
  });
  const key: PublicKey = { kty, ...Object.fromEntries(texts) };
  const missing = REQUIRED[kty].find((name) => !/^[\w-]+$/.test(key[name] ?? ""));
  if (missing !== undefined) return `has no valid member ${missing}`;
  if (kty === "RSA") return rsaProblem(key) ?? key;
  return CURVES[kty].includes(key.crv ?? "") ? key : "has an unsupported curve (crv)";
}

function rsaProblem({ n = "" }: PublicKey): string | null {
  const bits = Math.floor((n.length * 6) / 8) * 8;
  if (bits < RSA_BITS_MIN) return `has fewer than ${RSA_BITS_MIN} bits`;
  return bits > RSA_BITS_MAX ? `has more than ${RSA_BITS_MAX} bits` : null;
}

/**
 * Returns whether a key has the type and the curve that a signature algorithm requires (RFC 7518 §3.1, RFC
 * 8037 §3.1).
 */
export function fitsAlgorithm({ kty, crv }: PublicKey, algorithm: string): boolean {
  if (/^[RP]S\d{3}$/.test(algorithm)) return kty === "RSA";
  if (algorithm === "ES256") return crv === "P-256";
  if (algorithm === "ES384") return crv === "P-384";
  if (algorithm === "ES512") return crv === "P-521";
  return crv === "Ed25519";
}

/** The algorithms with which clients sign assertions and DPoP proofs (RFC 7518 §3.1, RFC 8037 §3.1). */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
