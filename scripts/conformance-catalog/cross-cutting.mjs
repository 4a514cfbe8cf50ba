/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CROSS_CUTTING = {
  "XC-01": {
    rule: "a method that an OAuth endpoint does not support, such as GET `/oauth/token` or POST `/oauth/token/info`",
    expected: "405: the endpoint has no handler for the method",
    source: "RFC 6749 §3.2; RFC 9110 §15.5.6",
  },
  "XC-02": {
    rule: "the members and headers of JSON responses",
    expected: "`Content-Type: application/json`, and no member beyond the documented ones",
    source: "RFC 6749 §5.1",
  },
  "XC-03": {
    rule: "caching of responses that contain tokens, codes or information about them",
    expected: "`Cache-Control: no-store`; token and device responses also `Pragma: no-cache`",
    source: "RFC 6749 §5.1; RFC 8628 §3.2",
  },
  "XC-04": {
    rule: "every error of a JSON endpoint",
    expected:
      "a JSON object with `error` and `error_description` in printable ASCII; no stack, SQL, file path or secret in it",
    source: "RFC 6749 §5.2",
  },
  "XC-05": {
    rule: "an unknown parameter, such as `foo=bar`",
    expected: "ignored: the response is the same as without it",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-06": {
    rule: "a parameter with an empty value",
    expected: "treated as absent",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-07": {
    rule: "a known parameter that is sent twice in the query, in the body, or once in each",
    expected: "400 `invalid_request`; at the authorization endpoint as AZ-20",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-08": {
    rule: "bracketed or nested names (`scope[]=a`) and JSON arrays or objects as values",
    expected: "400 `invalid_request`, an error page with status 400 at the authorization endpoint; never 500",
    source: "RFC 6749 §5.2; decision 0006",
  },
  "XC-09": {
    rule: "malformed percent-encoding (`%zz`), invalid UTF-8 (`%ff`), a lone surrogate, or U+0000 in a value",
    expected:
      "refused as malformed: 400 `invalid_request` from an OAuth endpoint, 401 for a credential or token; never 500",
    source: "RFC 6749 §5.2, Appendix B",
  },
  "XC-10": {
    rule: "a body above 64 KiB",
    expected: "413 `invalid_request`; a page with status 413 if the sender is a browser",
    source: "RFC 9110 §15.5.14",
  },
  "XC-11": {
    rule: "the content type of a request body",
    expected:
      "form, JSON and multipart are accepted at the token endpoint; `text/plain` and a missing type: 400 `invalid_request`",
    source: "RFC 6749 §3.2, Appendix B",
  },
  "XC-12": {
    rule: "a malformed JSON body",
    expected: "400 `invalid_request` as JSON",
    source: "RFC 6749 §5.2",
  },
  "XC-13": {
    rule: "forged `Host`, `X-Forwarded-Host` and `X-Forwarded-Proto` headers",
    expected: "issuer, metadata, `verification_uri` and redirects keep the configured base URL",
    source: "RFC 9700 §4.13",
  },
  "XC-14": {
    rule: "a trailing slash (`POST /oauth/token/`)",
    expected: "handled by the same endpoint (400 without parameters), never a redirect",
    source: "goal of the product",
  },
  "XC-15": {
    rule: "logs after requests with known secrets",
    expected: "no token, code, client secret, password or verifier in any log line",
    source: "RFC 6749 §10.3",
  },
  "XC-16": {
    rule: "tokens, codes, secrets and passwords in the database",
    expected: "only digests: SHA-256 of tokens and client secrets, argon2id of passwords",
    source: "RFC 6819 §5.1.4.1.3",
  },
  "XC-17": {
    rule: "entropy and alphabet of issued tokens and codes",
    expected: "256 random bits, a prefix that names the kind, URL-safe ASCII",
    source: "RFC 6749 §10.10",
  },
  "XC-18": {
    rule: "any request while the database cannot be reached",
    expected:
      "503 with `Retry-After`; `temporarily_unavailable` from OAuth endpoints; no detail of the database",
    source: "RFC 7009 §2.2.1; RFC 9110 §15.6.4",
  },
};
