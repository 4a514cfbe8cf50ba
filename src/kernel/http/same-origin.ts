/**
 * Returns whether a page of this site sent a form post. The request must have the header `Sec-Fetch-Site:
 * same-origin`. If the browser does not send `Sec-Fetch-Site`, the `Origin` header must equal the issuer. The
 * function refuses the origin `null` and all other origins.
 * @returns `unknown` when both headers are missing. Every current browser sends at least one of the two
 * headers. A request that has neither `Sec-Fetch-Site` nor `Origin` therefore cannot come from a forged page
 * in a browser.
 */
export function formOrigin(headers: Pick<Headers, "get">, issuer: string): "same" | "other" | "unknown" {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" ? "same" : "other";
  const origin = headers.get("origin");
  if (origin === null) return "unknown";
  return origin === issuer ? "same" : "other";
}
