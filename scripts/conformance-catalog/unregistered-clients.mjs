/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const UNREGISTERED_CLIENTS = {
  "CD-01": {
    rule: "a `client_id` that is the URL of a client metadata document",
    expected:
      "the server uses the metadata in the document for the client; each authorization request requires consent",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Information Discovery",
  },
  "CD-02": {
    rule: "a metadata document whose `client_id` is not the URL of the document, a metadata document with a client secret, or with an authentication method that uses a secret",
    expected: "an error page with status 400 and no redirect",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Metadata",
  },
  "CD-03": {
    rule: "unknown members of a metadata document",
    expected: "the server ignores the unknown members",
    source: "RFC 7591 §2",
  },
  "CD-04": {
    rule: "redirect URIs with another origin than the client metadata document that contains the redirect URIs",
    expected:
      "the server ignores redirect URIs with another origin, and uses only loopback URIs and URIs with the origin of the document",
    source: "draft-ietf-oauth-client-id-metadata-document, Redirect URI",
  },
  "CD-05": {
    rule: "the time for which the server uses a metadata document without downloading it again",
    expected:
      "the headers of the response with the document (`s-maxage`, `max-age` or `Expires`) determine the time, which is at least 5 minutes and at most a day; the server sends at most one request per minute",
    source: "draft-ietf-oauth-client-id-metadata-document, Metadata Caching",
  },
  "CD-06": {
    rule: "a metadata document on a host that is not public, behind a redirect to another origin, or larger than 5 KB",
    expected: "an error page with status 400 and no redirect; the server sends no request to other hosts",
    source: "draft-ietf-oauth-client-id-metadata-document, Server Side Request Forgery",
  },
  "CD-07": {
    rule: "a client with a metadata document, and a user without a session",
    expected: "the user must sign in first, because the server requests no document for anonymous users",
    source: "decision 0087",
  },
  "CD-08": {
    rule: "a metadata document with `private_key_jwt`, and `jwks` or `jwks_uri`",
    expected:
      "the client must sign a client assertion with its private key; the server requests a stale metadata document again before it uses the keys in the document",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Authentication",
  },
  "CD-09": {
    rule: "a metadata document with a media type other than `application/json` and `application/*+json`",
    expected: "an error page with status 400 and no redirect",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Information Discovery",
  },
  "CD-10": {
    rule: "a `client_id` that is not an https URL with a path, has a query, is not in canonical form, or is a URL of this instance",
    expected: "the client is unknown",
    source: "draft-ietf-oauth-client-id-metadata-document, Client Identifier; decision 0087",
  },
  "CD-11": {
    rule: "a stored metadata document whose URL now has another status than 200, or contains a document that the server refuses",
    expected:
      "the server removes the stored document, and refuses the client until it reads a valid document; after 429, 5xx or no response, the server uses the stored document for up to a day",
    source: "draft-ietf-oauth-client-id-metadata-document, Metadata Caching; decision 0087",
  },
  "CD-12": {
    rule: "a stored client whose metadata document has changed, for example its redirect URIs, its keys or its name",
    expected: "an audit event names the changed members",
    source: "decision 0087",
  },
  "CD-13": {
    rule: "the setting `client_id_metadata_documents` is turned off, or narrowed to `mcp`",
    expected:
      "the next request of each process refuses the tokens of the clients, or all tokens with other scopes than `mcp`",
    source: "decision 0087",
  },
  "CR-01": {
    rule: "a dynamic client registration request",
    expected:
      "201 with the public client, the granted scopes and a registration access token; only the digest of the token is stored",
    source: "RFC 7591 §3.2.1",
  },
  "CR-02": {
    rule: "client metadata without a usable redirect URI",
    expected: "400 `invalid_redirect_uri` or `invalid_client_metadata`",
    source: "RFC 7591 §3.2.2",
  },
  "CR-03": {
    rule: "a dynamic client registration request while the setting `dynamic_client_registration` is off",
    expected:
      "403; the metadata contain no `registration_endpoint`; dynamically registered clients cannot be authorized",
    source: "decision 0088",
  },
  "CR-04": {
    rule: "many client registrations from one IP address or network",
    expected: "429 with `Retry-After`",
    source: "RFC 7591 §5",
  },
  "CR-05": {
    rule: "a client reads, changes or deletes its registration",
    expected:
      "the request is allowed only with the registration access token of the client in the header `Authorization`; other requests get 401",
    source: "RFC 7592 §2",
  },
  "CR-06": {
    rule: "no user authorizes a dynamically registered client within 7 days of its registration",
    expected: "the client registration is deleted, unless an administrator has blocked the client",
    source: "decision 0088",
  },
  "CR-07": {
    rule: "a client replaces its registration with metadata that contain another `client_id`",
    expected: "400 `invalid_client_metadata`",
    source: "RFC 7592 §2.2",
  },
  "CR-08": {
    rule: "a client changes or deletes its registration",
    expected: "an audit event records the change or the deletion",
    source: "decision 0088",
  },
  "CR-09": {
    rule: "the setting `dynamic_client_registration` is turned off, or narrowed to `mcp`",
    expected:
      "the next request of each process refuses the tokens of the clients, or all tokens with other scopes than `mcp`",
    source: "decision 0088",
  },
};
