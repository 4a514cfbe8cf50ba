import { createPublicKey, hash, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, decodeJwt } from "jose";
import { isSignedBy } from "@/kernel/crypto/jwt";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { fitsAlgorithm, readPublicKey } from "../applications/key-set";
import { claimJwt, usedJwtOf } from "../used-jwts/service";
import { isCurrentNonce, NONCE_SLOT_SECONDS } from "./nonce";
import { claimsRefusal, DPOP_ALGORITHMS, type ProofRefusal } from "./rules";

/** A valid DPoP proof that is not used yet, and the thumbprint of its key (RFC 7638). */
export type Proof = Readonly<{ jkt: string; jti: string }>;

const PROOF_CHARACTERS_MAX = 8_192;

/**
 * Verifies the DPoP proof of a request (RFC 9449 §4.3), without marking the DPoP proof as used.
 * @param accessToken the access token of the request, to which the DPoP proof must refer; null at the token
 * endpoint.
 * @returns null for a request without a DPoP proof.
 */
export async function readProof(
  deps: Deps,
  request: Request,
  accessToken: string | null,
): Promise<Proof | { readonly refused: ProofRefusal } | null> {
  const text = request.headers.get("dpop");
  if (text === null) return null;
  // The HTTP parser joins repeated headers with commas. A JWT contains no comma, so the server refuses the
  // joined value.
  if (text.length > PROOF_CHARACTERS_MAX || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text))
    return { refused: "malformed" };
  const header = await proofHeader(text.slice(0, text.indexOf(".")));
  if (typeof header === "string") return { refused: header };
  if (!(await isSignedBy(text, header.key, header.alg))) return { refused: "signature" };
  const claims = claimsOf(text);
  const refused = claimsRefusal(claims, {
    method: request.method,
    url: deps.config.issuer + new URL(request.url).pathname,
    tokenDigest: accessToken === null ? null : hash("sha256", accessToken, "base64url"),
    now: deps.clock(),
  });
  if (refused !== null) return { refused };
  const { nonce, jti } = claims;
  if (typeof nonce !== "string" || !isCurrentNonce(deps, nonce)) return { refused: "nonce" };
  return { jkt: header.jkt, jti: String(jti) };
}

function claimsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(text);
  } catch {
    return {};
  }
}

/**
 * Marks a DPoP proof as used, for all processes of the instance.
 * @returns true for exactly one of several concurrent callers; false for a DPoP proof that was used before.
 */
export const claimProof = (deps: Deps, { jkt, jti }: Proof): Promise<boolean> =>
  claimJwt(
    deps,
    usedJwtOf({
      issuer: `dpop ${jkt}`,
      jti,
      // After two time slots, the server refuses the DPoP proof because of its nonce, so the `jti` need not be
      // stored longer.
      expiresAt: new Date(deps.clock().getTime() + 2 * NONCE_SLOT_SECONDS * 1000),
    }),
  );

type ProofHeader = Readonly<{ alg: string; key: KeyObject; jkt: string }>;

/** The maximum number of cached JOSE headers of DPoP proofs. */
const HEADERS_MAX = 500;

/**
 * The parsed JOSE headers of DPoP proofs, keyed by the encoded text of the JOSE header. The JOSE headers are
 * cached, because all DPoP proofs of a client have the same JOSE header, and importing the key in the JOSE
 * header takes time.
 */
const headers = processWide<Map<string, ProofHeader>>("dpop-headers", () => new Map());

/**
 * Returns the JOSE header of a DPoP proof and the key in the JOSE header, or the reason for the refusal (RFC
 * 9449 §4.2).
 */
async function proofHeader(encoded: string): Promise<ProofHeader | ProofRefusal> {
  const stored = headers().get(encoded);
  if (stored !== undefined) return stored;
  const header = await parseHeader(encoded);
  if (typeof header === "string") return header;
  if (headers().size >= HEADERS_MAX) headers().clear();
  headers().set(encoded, header);
  return header;
}

async function parseHeader(encoded: string): Promise<ProofHeader | ProofRefusal> {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
    if (typeof header !== "object" || header === null) return "malformed";
    const members = new Map<string, unknown>(Object.entries(header));
    const alg = members.get("alg");
    if (members.get("typ") !== "dpop+jwt" || typeof alg !== "string") return "malformed";
    const jwk = readPublicKey(members.get("jwk"));
    if (typeof jwk === "string" || !DPOP_ALGORITHMS.includes(alg) || !fitsAlgorithm(jwk, alg)) return "key";
    return { alg, key: createPublicKey({ format: "jwk", key: jwk }), jkt: await calculateJwkThumbprint(jwk) };
  } catch {
    return "malformed";
  }
}
