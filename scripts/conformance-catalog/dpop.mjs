/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const DPOP = {
  "DP-01": {
    rule: "a token request with a DPoP proof, followed by requests that contain the issued token with the scheme `DPoP` and a DPoP proof",
    expected:
      "`token_type: DPoP`; the API, userinfo and token info accept the token; introspection returns `cnf.jkt`",
    source: "RFC 9449 §5, §6.2, §7.1",
  },
  "DP-02": {
    rule: "a DPoP-bound token that is sent as a bearer token, in a parameter or by Git, and a bearer token that is sent with the scheme `DPoP`",
    expected: "401 with a `DPoP` challenge that lists the supported algorithms",
    source: "RFC 9449 §7.1, §7.2",
  },
  "DP-03": {
    rule: "a DPoP proof with a wrong `htm`, `htu`, `iat`, `ath`, `jti`, `typ`, algorithm, key or signature, or a DPoP proof that contains a private key",
    expected: "`invalid_dpop_proof`",
    source: "RFC 9449 §4.3",
  },
  "DP-04": {
    rule: "a DPoP proof without a current nonce",
    expected: "`use_dpop_nonce` with the header `DPoP-Nonce`; every process accepts the nonce",
    source: "RFC 9449 §8, §9",
  },
  "DP-05": {
    rule: "a DPoP proof that is sent twice, even simultaneously to several processes",
    expected: "exactly one request with the DPoP proof succeeds",
    source: "RFC 9449 §11.1",
  },
  "DP-06": {
    rule: "a token refresh for a grant that is bound to a DPoP key",
    expected:
      "a public client must use the same key; a confidential client may use another key; a refresh without a DPoP proof is refused",
    source: "RFC 9449 §5",
  },
  "DP-07": {
    rule: "`dpop_jkt` at `/oauth/authorize`, or a DPoP proof at `/oauth/par`",
    expected: "the authorization code can be exchanged only with a DPoP proof that the same key signs",
    source: "RFC 9449 §10",
  },
  "DP-08": {
    rule: "an application that requires DPoP sends a token request without a DPoP proof",
    expected: "`invalid_request`",
    source: "RFC 9449 §5.2",
  },
};
