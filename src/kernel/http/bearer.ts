/** Raised when a request contains two different tokens, or several `Authorization` headers. */
export class SeveralTokens extends Error {
  readonly in: "request" | "header";
  constructor(where: "request" | "header") {
    super(`The ${where} contains several tokens.`);
    this.in = where;
  }
}

/**
 * Returns the token of a request (RFC 6750 §2) from the header, the query or the body; null for a request without a
 * token.
 * @param authorization the `Authorization` header with the scheme `Bearer` or `DPoP` (RFC 9449 §7.1). The
 * comparison of the scheme is case-insensitive (RFC 9110 §11.1).
 * @param others tokens from other parts of the request; empty tokens count as absent.
 * @throws SeveralTokens when two tokens differ. The HTTP parser joins several headers with commas, which no
 * token contains (RFC 6750 §2.1).
 */
export function tokenOf(
  authorization: string | null,
  others: readonly (string | null | undefined)[],
): string | null {
  let token: string | null = null;
  const [scheme] = /^(?:bearer|dpop)\s/i.exec(authorization ?? "") ?? [];
  if (authorization !== null && /,\s*(?:bearer|dpop)\s/i.test(authorization))
    throw new SeveralTokens("header");
  if (authorization !== null && scheme !== undefined) {
    if (authorization.includes(",")) throw new SeveralTokens("header");
    token = authorization.slice(scheme.length).trim() || null;
  }
  for (const other of others) {
    if (!other) continue;
    if (token !== null && token !== other) throw new SeveralTokens("request");
    token = other;
  }
  return token;
}

/**
 * Returns the tokens in a request header that contains nothing but a token, such as `PRIVATE-TOKEN`. A header
 * that was sent several times contains several tokens, which the HTTP parser joins with commas.
 */
export const tokensInHeader = (value: string | null): readonly string[] =>
  value === null ? [] : value.split(",").map((token) => token.trim());
