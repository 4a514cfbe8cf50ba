/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const JWT_ACCESS_TOKENS = {
  "JT-01": {
    rule: "an access token of a client whose access tokens have the format JWT",
    expected:
      "a JWT of the type `at+jwt` with `iss`, `sub`, `aud`, `client_id`, `scope`, `iat`, `exp` and `jti`, with a lifetime of at most 600 seconds",
    source: "RFC 9068 §2",
  },
  "JT-02": {
    rule: "a JWT access token after a refresh or a revocation",
    expected: "introspection reports the token as inactive, and the API refuses the token",
    source: "RFC 7009 §2; RFC 7662 §2.2",
  },
  "JT-03": {
    rule: "a JWT access token that is sent as `id_token_hint`",
    expected: "refused",
    source: "RFC 9068 §2.1; RFC 8725 §3.11",
  },
};
