/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const APPLICATIONS = {
  "AP-01": {
    rule: "registration of an application",
    expected:
      "client id and secret; the secret is shown once and can be replaced; a public application has none",
    source: "RFC 6749 §2.2, §2.3.1; Gatehouse specification, Resources and their fields",
  },
  "AP-02": {
    rule: "`/user_settings/applications` and `/profile/applications`",
    expected: "both lead to the applications page",
    source: "Gatehouse specification, Resources and their fields",
  },
  "AP-03": {
    rule: "an application of another user",
    expected: "the same response as for an application that does not exist",
    source: "GitLab documentation, OAuth 2.0 provider",
  },
  "AP-04": {
    rule: "registration without a scope, or with an unknown one such as `sudo`",
    expected: "refused with an error at the field",
    source: "RFC 6749 §3.3",
  },
  "AP-05": {
    rule: "a name with HTML, of 10,000 characters, or with invisible direction characters",
    expected:
      "HTML is stored as entered and escaped on pages; names that are too long or change the text direction are refused",
    source: "RFC 6749 §10.14",
  },
  "AP-06": {
    rule: "a user who withdraws the consent for an application",
    expected: "all tokens, codes and device codes of that application and user are revoked",
    source: "RFC 7009 §2.1; RFC 6749 §10.4",
  },
  "AP-07": {
    rule: "the parameters `name`, `scopes` and `redirect_uri` of the forms for personal access tokens and applications",
    expected: "the form shows the values; nothing is created; unknown scopes are omitted",
    source: "GitLab documentation, Personal access tokens",
  },
  "AP-08": {
    rule: "an application that a group owns",
    expected: "every Owner of the group manages it; other users get the response for an unknown application",
    source: "decision 0081",
  },
  "AP-09": {
    rule: "a transfer of an application between a user and a group",
    expected: "allowed if the user has the right on both sides; tokens stay valid; trust ends",
    source: "decision 0081",
  },
  "AP-10": {
    rule: "the second maintainer of an application",
    expected: "may edit the application, but not delete or transfer it",
    source: "decision 0081",
  },
  "RU-01": {
    rule: "redirect URIs that are accepted: https, loopback http, private-use schemes, the out-of-band URN",
    expected: "registered",
    source: "RFC 6749 §3.1.2; RFC 8252 §7",
  },
  "RU-02": {
    rule: "redirect URIs that are relative, without a host, with a fragment, space or control character",
    expected: "refused at registration",
    source: "RFC 6749 §3.1.2",
  },
  "RU-03": {
    rule: "the schemes `javascript`, `data`, `vbscript`, `file`, `blob`, `about`, `filesystem`, `view-source` in any case",
    expected: "refused at registration",
    source: "RFC 6749 §10.14, §3.1.2",
  },
  "RU-04": {
    rule: "several redirect URIs, one of them invalid",
    expected: "the whole form is refused",
    source: "RFC 6749 §3.1.2.2",
  },
  "RU-05": {
    rule: "plain http to a host that is not loopback",
    expected: "refused if `BASE_URL` is https, allowed if it is http",
    source: "RFC 9700 §2.6; Gatehouse specification, Authentication",
  },
  "RU-06": {
    rule: "a redirect URI that differs in path, query, encoding, scheme, host, userinfo or fragment",
    expected: "an error page with status 400",
    source: "RFC 9700 §2.1, §4.1.3",
  },
  "RU-07": {
    rule: "a redirect URI with an upper-case host or `:443`",
    expected: "an error page with status 400",
    source: "RFC 9700 §4.1.3",
  },
  "RU-08": {
    rule: "a loopback redirect URI with another port",
    expected: "accepted for http",
    source: "RFC 8252 §7.3",
  },
  "RU-09": {
    rule: "URIs that only resemble loopback addresses",
    expected: "refused",
    source: "RFC 8252 §7.3; RFC 9700 §4.1.3",
  },
  "RU-10": { rule: "`http://localhost` with another port", expected: "accepted", source: "RFC 8252 §8.3" },
};
