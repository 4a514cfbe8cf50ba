import { PUBLIC_KEY_ALGORITHMS } from "../applications/key-set";

/** The signature algorithms of DPoP proofs (RFC 9449 §4.2). Symmetric algorithms are not allowed. */
export const DPOP_ALGORITHMS = PUBLIC_KEY_ALGORITHMS;

/**
 * The maximum difference between `iat` and the time of this server. A smaller maximum is not needed, because
 * the nonce limits the age of a DPoP proof.
 */
const SKEW_SECONDS = 300;

const JTI_CHARACTERS_MAX = 255;

/**
 * The reason why a DPoP proof is refused. If the reason is `nonce`, the client must repeat the request with a
 * current nonce.
 */
export type ProofRefusal =
  | "malformed"
  | "key"
  | "signature"
  | "request"
  | "time"
  | "token"
  | "nonce"
  | "reused";

/** The HTTP request that a DPoP proof must describe. */
export type ProofTarget = Readonly<{
  method: string;
  /** The URL of the HTTP request, without its query. */
  url: string;
  /** The digest of the access token of the request (`ath`); null for a request without an access token. */
  tokenDigest: string | null;
  now: Date;
}>;

/**
 * Returns the reason why the claims of a DPoP proof with a valid signature are refused; null for valid claims
 * (RFC 9449 §4.3). The function does not check the nonce of the DPoP proof.
 */
export function claimsRefusal(
  claims: Readonly<Record<string, unknown>>,
  request: ProofTarget,
): ProofRefusal | null {
  const { htm, htu, iat, jti, ath } = claims;
  if (typeof jti !== "string" || jti === "" || jti.length > JTI_CHARACTERS_MAX) return "malformed";
  if (htm !== request.method || typeof htu !== "string" || !isSameUrl(htu, request.url)) return "request";
  const now = request.now.getTime() / 1000;
  if (typeof iat !== "number" || !(Math.abs(now - iat) <= SKEW_SECONDS)) return "time";
  return request.tokenDigest !== null && ath !== request.tokenDigest ? "token" : null;
}

/** Compares two URLs without query and fragment, after normalization (RFC 9449 §4.3, RFC 3986 §6.2). */
function isSameUrl(claimed: string, expected: string): boolean {
  if (!URL.canParse(claimed)) return false;
  const [a, b] = [new URL(claimed), new URL(expected)];
  return a.origin === b.origin && a.pathname === b.pathname && a.username === "" && a.password === "";
}

/** Returns whether a text is the thumbprint of a key (RFC 7638): 32 bytes in base64url. */
export const isThumbprint = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
