/**
 * Returns whether a page of this site sent a form post: `Sec-Fetch-Site: same-origin`, or, from a browser
 * that does not send it, an `Origin` equal to the issuer. `null` and all other origins are refused.
 * @returns `unknown` when both headers are missing: no browser that could be tricked leaves out both.
 */
export function formOrigin(headers: Pick<Headers, "get">, issuer: string): "same" | "other" | "unknown" {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" ? "same" : "other";
  const origin = headers.get("origin");
  if (origin === null) return "unknown";
  return origin === issuer ? "same" : "other";
}
