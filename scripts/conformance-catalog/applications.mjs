/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const APPLICATIONS = {
  "AP-01": {
    rule: "registration of an application",
    expected:
      "the application gets a client id and a client secret; the secret is shown once and can be replaced; a public application gets no secret",
    source: "RFC 6749 §2.2, §2.3.1; Gatehouse specification, Resources and their fields",
  },
  "AP-02": {
    rule: "`/user_settings/applications` and `/profile/applications`",
    expected: "both URL paths open the page with the applications of the user",
    source: "Gatehouse specification, Resources and their fields",
  },
  "AP-03": {
    rule: "a request for an application of another user",
    expected: "the same response as for an application that does not exist",
    source: "GitLab documentation, OAuth 2.0 provider",
  },
  "AP-04": {
    rule: "registration without a scope, or with an unknown scope such as `sudo`",
    expected: "the registration is refused, and the form shows an error message at the field for the scopes",
    source: "RFC 6749 §3.3",
  },
  "AP-05": {
    rule: "an application name that contains HTML, 10,000 characters, or invisible characters that change the text direction",
    expected:
      "HTML is stored unchanged and escaped on pages; a name is refused if it is too long or changes the text direction",
    source: "RFC 6749 §10.14",
  },
  "AP-06": {
    rule: "a user withdraws the consent for an application",
    expected: "all tokens, authorization codes and device codes of the application for this user are revoked",
    source: "RFC 7009 §2.1; RFC 6749 §10.4",
  },
  "AP-07": {
    rule: "the query parameters `name`, `scopes` and `redirect_uri` of the forms for personal access tokens and applications",
    expected:
      "the form shows the values of the query parameters; no token or application is created; unknown scopes are omitted",
    source: "GitLab documentation, Personal access tokens",
  },
  "AP-08": {
    rule: "an application that a group owns",
    expected:
      "every Owner of the group can manage the application; other users get the same response as for an unknown application",
    source: "decision 0081",
  },
  "AP-09": {
    rule: "a transfer of an application between a user and a group",
    expected:
      "the transfer is allowed if the user may manage the applications of both owners; tokens stay valid; the application is no longer trusted, unless an administrator transfers it",
    source: "decision 0081",
  },
  "AP-10": {
    rule: "the second maintainer of an application",
    expected: "the second maintainer may edit the application, but not delete or transfer the application",
    source: "decision 0081",
  },
  "RU-01": {
    rule: "redirect URIs with https, with http on a loopback address, with a private-use scheme, or with the out-of-band URN",
    expected: "the server accepts these redirect URIs at registration",
    source: "RFC 6749 §3.1.2; RFC 8252 §7",
  },
  "RU-02": {
    rule: "redirect URIs that are relative, have no host, or contain a fragment, a space or a control character",
    expected: "the server refuses these redirect URIs at registration",
    source: "RFC 6749 §3.1.2",
  },
  "RU-03": {
    rule: "redirect URIs with the scheme `javascript`, `data`, `vbscript`, `file`, `blob`, `about`, `filesystem` or `view-source`, in upper or lower case",
    expected: "the server refuses these redirect URIs at registration",
    source: "RFC 6749 §10.14, §3.1.2",
  },
  "RU-04": {
    rule: "several redirect URIs, of which one is invalid",
    expected: "the server refuses the form and stores none of the redirect URIs",
    source: "RFC 6749 §3.1.2.2",
  },
  "RU-05": {
    rule: "a redirect URI with plain http and a host that is not a loopback address",
    expected:
      "the redirect URI is refused if `BASE_URL` is an https URL, and accepted if `BASE_URL` is an http URL",
    source: "RFC 9700 §2.6; Gatehouse specification, Authentication",
  },
  "RU-06": {
    rule: "a redirect URI that differs from the registered URI in path, query, encoding, scheme, host, userinfo or fragment",
    expected: "an error page with status 400",
    source: "RFC 9700 §2.1, §4.1.3",
  },
  "RU-07": {
    rule: "a redirect URI with an upper-case host or with `:443`, unlike the registered URI",
    expected: "an error page with status 400",
    source: "RFC 9700 §4.1.3",
  },
  "RU-08": {
    rule: "a loopback redirect URI whose port differs from the registered port",
    expected: "the redirect URI is accepted if its scheme is http",
    source: "RFC 8252 §7.3",
  },
  "RU-09": {
    rule: "redirect URIs with a host that only resembles a loopback address",
    expected: "refused",
    source: "RFC 8252 §7.3; RFC 9700 §4.1.3",
  },
  "RU-10": {
    rule: "an http redirect URI with the host `localhost` whose port differs from the registered port",
    expected: "accepted",
    source: "RFC 8252 §8.3",
  },
};
