/**
 * Returns whether a page of this site sent a form post. The request must have `Sec-Fetch-Site: same-origin`,
 * or, from a browser that does not send this header, an `Origin` equal to the issuer. The function refuses
 * `null` and all other origins.
 * @returns `unknown` when both headers are missing. Every current browser sends at least one of the two
 * headers, so a request without them was not sent by a forged page.
 */
export function formOrigin(headers: Pick<Headers, "get">, issuer: string): "same" | "other" | "unknown" {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" ? "same" : "other";
  const origin = headers.get("origin");
  if (origin === null) return "unknown";
  return origin === issuer ? "same" : "other";
}
