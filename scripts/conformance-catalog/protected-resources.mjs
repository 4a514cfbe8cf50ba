/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const PROTECTED_RESOURCES = {
  "RI-01": {
    rule: "the parameter `resource` in a request",
    expected:
      "the URLs of the instance, the API and the MCP server, and the identifiers of resource servers are accepted; other values get `invalid_target`",
    source: "RFC 8707 §2",
  },
  "RI-02": {
    rule: "a token that was issued for a protected resource",
    expected: "every path outside the protected resource refuses the token with 401",
    source: "RFC 8707 §2.2",
  },
  "RI-03": {
    rule: "a token request whose `resource` differs from the `resource` of the authorization request",
    expected: "400 `invalid_target`",
    source: "RFC 8707 §2.2",
  },
  "RI-04": {
    rule: "the metadata of a protected resource",
    expected:
      "the metadata contain the URL of the resource, its authorization server and its scopes; pages of other origins can read the metadata",
    source: "RFC 9728 §2, §3",
  },
  "RI-05": {
    rule: "a token that was issued for the identifier of a resource server",
    expected:
      "only the resource server with this identifier can introspect the token; `aud` is the identifier; the API and userinfo refuse the token; the consent page names the resource server",
    source: "RFC 8707 §2, §3; RFC 9068 §3; decision 0102",
  },
  "RI-06": {
    rule: "the identifiers of a resource server",
    expected:
      "the identifiers are absolute URIs outside this instance; each identifier belongs to one application, and has no effect unless the application is a resource server",
    source: "RFC 8707 §2; decision 0102",
  },
  "RI-07": {
    rule: "consent for a resource server",
    expected:
      "the user is asked for consent for each request; with `prompt=none`, the response is `consent_required`; the consent is not valid for the API, and consent for the API is not valid for a resource server; users of trusted applications skip consent",
    source: "RFC 8707 §3; RFC 9700 §2.3; decision 0102",
  },
  "RI-08": {
    rule: "the consent to access to the MCP server or to the API only",
    expected:
      "the consent is not valid for a request without a resource, except for the scope `mcp`; a consent without a resource is valid for a request that is limited to the MCP server, and the API refuses the issued token",
    source: "RFC 8707 §3; decision 0102",
  },
  "MC-01": {
    rule: "a request to the MCP server without a valid token",
    expected: "401 with a challenge that contains `resource_metadata`",
    source: "RFC 9728 §5.1; Model Context Protocol, Authorization",
  },
  "MC-02": {
    rule: "a request to the MCP server with a token that does not have the scope `mcp`",
    expected: "403 `insufficient_scope` with a challenge that contains the required scope",
    source: "RFC 6750 §3.1; Model Context Protocol, Authorization",
  },
  "MC-03": {
    rule: "a tool of the MCP server",
    expected: "the tool requires the rights that the API endpoint for the same data requires",
    source: "goal of the product",
  },
};
