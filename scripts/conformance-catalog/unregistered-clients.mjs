/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const UNREGISTERED_CLIENTS = {
  "CD-01": {
    rule: "a `client_id` that is the URL of a client metadata document",
    expected: "the client of the document, with consent for each authorization",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Information Discovery",
  },
  "CD-02": {
    rule: "a document with another `client_id`, a secret, or an authentication by secret",
    expected: "a page 400 without a redirect",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Metadata",
  },
  "CD-03": {
    rule: "unknown members of a document",
    expected: "ignored",
    source: "RFC 7591 §2",
  },
  "CD-04": {
    rule: "redirect URIs of a document on other origins",
    expected: "ignored; only loopback URIs and URIs of the origin of the document are used",
    source: "draft-ietf-oauth-client-id-metadata-document, Redirect URI",
  },
  "CD-05": {
    rule: "the time for which a document is used without another request",
    expected: "the time in its headers, at least 5 minutes and at most a day; one request per minute",
    source: "draft-ietf-oauth-client-id-metadata-document, Metadata Caching",
  },
  "CD-06": {
    rule: "a document on a host that is not public, behind a redirect to another origin, or larger than 5 KB",
    expected: "a page 400 without a redirect; the request does not reach other hosts",
    source: "draft-ietf-oauth-client-id-metadata-document, Server Side Request Forgery",
  },
  "CD-07": {
    rule: "a document client without a session",
    expected: "sign-in first: no document is requested for visitors",
    source: "decision 0087",
  },
  "CD-08": {
    rule: "a document with `private_key_jwt` and `jwks` or `jwks_uri`",
    expected:
      "the client must sign an assertion with its key; a stale document is fetched again before its keys are used",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Authentication",
  },
  "CR-01": {
    rule: "a client that registers itself",
    expected:
      "201 with a public client, the granted scopes and a registration access token, which is stored as a digest",
    source: "RFC 7591 §3.2.1",
  },
  "CR-02": {
    rule: "client metadata without a usable redirect URI",
    expected: "400 `invalid_redirect_uri` or `invalid_client_metadata`",
    source: "RFC 7591 §3.2.2",
  },
  "CR-03": {
    rule: "registration while the setting is off",
    expected: "403, no `registration_endpoint` in the metadata, and no authorization of registered clients",
    source: "decision 0088",
  },
  "CR-04": {
    rule: "many registrations from one source",
    expected: "429 with `Retry-After`",
    source: "RFC 7591 §5",
  },
  "CR-05": {
    rule: "reading, changing and deleting a registration",
    expected: "only with the registration access token of the client; otherwise 401",
    source: "RFC 7592 §2",
  },
  "CR-06": {
    rule: "a client that no user authorizes for 7 days",
    expected: "its registration is removed, unless an administrator has blocked it",
    source: "decision 0088",
  },
};
