/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CROSS_CUTTING = {
  "XC-01": {
    rule: "a method that an OAuth endpoint does not support, such as GET `/oauth/token` or POST `/oauth/token/info`",
    expected:
      "405 with `Allow`; endpoints that programs call send an OAuth error that names the supported methods",
    source: "RFC 6749 §3.2; RFC 9110 §15.5.6",
  },
  "XC-02": {
    rule: "the members and headers of JSON responses",
    expected: "`Content-Type: application/json`, and no undocumented member",
    source: "RFC 6749 §5.1",
  },
  "XC-03": {
    rule: "caching of responses that contain tokens or codes, or information about tokens or codes",
    expected: "`Cache-Control: no-store`; token and device responses also contain `Pragma: no-cache`",
    source: "RFC 6749 §5.1; RFC 8628 §3.2",
  },
  "XC-04": {
    rule: "every error of a JSON endpoint",
    expected:
      "a JSON object with `error` and `error_description` in printable ASCII, without a stack trace, SQL, a file path or a secret",
    source: "RFC 6749 §5.2",
  },
  "XC-05": {
    rule: "an unknown parameter, such as `foo=bar`",
    expected: "the server ignores the unknown parameter",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-06": {
    rule: "a parameter with an empty value",
    expected: "the parameter is treated as absent",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-07": {
    rule: "a known parameter that is sent twice in the query, twice in the body, or once in the query and once in the body",
    expected: "400 `invalid_request`; AZ-20 describes the authorization endpoint",
    source: "RFC 6749 §3.1, §3.2",
  },
  "XC-08": {
    rule: "bracketed or nested parameter names (`scope[]=a`), and JSON arrays or objects as values",
    expected:
      "400 `invalid_request`, or an error page with status 400 at the authorization endpoint; never status 500",
    source: "RFC 6749 §5.2; decision 0006",
  },
  "XC-09": {
    rule: "malformed percent-encoding (`%zz`), invalid UTF-8 (`%ff`), a lone surrogate, or U+0000 in a value",
    expected:
      "400 `invalid_request` from an OAuth endpoint; 401 for a malformed credential or token; the status is never 500",
    source: "RFC 6749 §5.2, Appendix B",
  },
  "XC-10": {
    rule: "a request body of more than 64 KiB",
    expected: "413 `invalid_request`; a browser gets a page with status 413",
    source: "RFC 9110 §15.5.14",
  },
  "XC-11": {
    rule: "the content type of a request body",
    expected:
      "the token endpoint accepts form, JSON and multipart bodies; `text/plain` and a missing content type cause 400 `invalid_request`",
    source: "RFC 6749 §3.2, Appendix B",
  },
  "XC-12": {
    rule: "a malformed JSON body",
    expected: "400 `invalid_request` in a JSON response",
    source: "RFC 6749 §5.2",
  },
  "XC-13": {
    rule: "forged `Host`, `X-Forwarded-Host` and `X-Forwarded-Proto` headers",
    expected: "the issuer, the metadata, `verification_uri` and redirects contain the configured base URL",
    source: "RFC 9700 §4.13",
  },
  "XC-14": {
    rule: "a trailing slash (`POST /oauth/token/`)",
    expected:
      "the endpoint without the trailing slash handles the request (400 without parameters), and never redirects",
    source: "goal of the product",
  },
  "XC-15": {
    rule: "the log after requests that contain known secrets",
    expected:
      "no log line contains a token, an authorization code, a device code, a client secret, a password or a code verifier",
    source: "RFC 6749 §10.3",
  },
  "XC-16": {
    rule: "stored tokens, codes, secrets and passwords",
    expected:
      "the database contains only digests: SHA-256 for tokens and client secrets, argon2id for passwords",
    source: "RFC 6819 §5.1.4.1.3",
  },
  "XC-17": {
    rule: "the entropy and the alphabet of issued tokens and codes",
    expected: "each value has 256 random bits and a prefix for its kind, in URL-safe ASCII",
    source: "RFC 6749 §10.10",
  },
  "XC-18": {
    rule: "any request while the database cannot be reached",
    expected:
      "503 with `Retry-After`; OAuth endpoints return `temporarily_unavailable`; the response contains no detail of the database",
    source: "RFC 7009 §2.2.1; RFC 9110 §15.6.4",
  },
};
