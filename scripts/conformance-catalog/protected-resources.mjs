/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const PROTECTED_RESOURCES = {
  "RI-01": {
    rule: "the parameter `resource` of a request",
    expected:
      "accepted for the instance, the API, the MCP server and the identifiers of resource servers; otherwise `invalid_target`",
    source: "RFC 8707 §2",
  },
  "RI-02": {
    rule: "a token that was issued for a protected resource",
    expected: "refused with 401 at every path outside the resource",
    source: "RFC 8707 §2.2",
  },
  "RI-03": {
    rule: "a token request with another `resource` than the authorization request",
    expected: "400 `invalid_target`",
    source: "RFC 8707 §2.2",
  },
  "RI-04": {
    rule: "the metadata of a protected resource",
    expected: "its URL, its authorization server and its scopes, also for pages of other origins",
    source: "RFC 9728 §2, §3",
  },
  "RI-05": {
    rule: "a token that was issued for the identifier of a resource server",
    expected:
      "only this resource server can introspect it; `aud` is the identifier; the API and userinfo refuse it; the consent page names the server",
    source: "RFC 8707 §2, §3; RFC 9068 §3; decision 0102",
  },
  "RI-06": {
    rule: "the identifiers of a resource server",
    expected:
      "absolute URIs outside this instance, each for one application; without effect unless the application is a resource server",
    source: "RFC 8707 §2; decision 0102",
  },
  "MC-01": {
    rule: "a request to the MCP server without a valid token",
    expected: "401 with a challenge that contains `resource_metadata`",
    source: "RFC 9728 §5.1; Model Context Protocol, Authorization",
  },
  "MC-02": {
    rule: "a token without the scope `mcp`",
    expected: "403 `insufficient_scope` with a challenge that contains the scope",
    source: "RFC 6750 §3.1; Model Context Protocol, Authorization",
  },
  "MC-03": {
    rule: "a tool of the MCP server",
    expected: "the same rights as the endpoint of the API with the same data",
    source: "goal of the product",
  },
};
