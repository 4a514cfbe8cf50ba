/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const SECURITY = {
  "SC-01": {
    rule: "Git references: `refs/replace/*`, pushes to references that are neither branches nor tags, names that look like object ids",
    expected: "`refs/replace/*` is ignored; such pushes and names are refused",
    source: "decision 0021",
  },
  "SC-02": {
    rule: "protected branches in the API, on the settings page and in pushes",
    expected:
      "changes below the access level are refused; the default branch is protected when a project is created",
    source: "GitLab documentation, Protected branches; decision 0024",
  },
  "SC-03": {
    rule: "changes in the administration and of applications without a recent authentication",
    expected: "303 to re-authentication; idle sessions of administrators end",
    source: "decision 0028",
  },
  "SC-04": {
    rule: "creation and rotation of personal access tokens with an OAuth token",
    expected: "403 `insufficient_scope`",
    source: "RFC 6750 §3.1",
  },
  "SC-05": {
    rule: "an application whose owner is blocked",
    expected: "refused like a blocked application, unless it is trusted or owned by the instance",
    source: "decision 0030",
  },
  "SC-06": {
    rule: "a password change or reset, and blocking",
    expected:
      "OAuth grants and personal access tokens are revoked; a user who changes the password can keep them",
    source: "decision 0029",
  },
  "SC-07": {
    rule: "failed password attempts by a stranger",
    expected: "429 for the stranger; a device from which the user has signed in is not locked out",
    source: "decision 0031",
  },
  "SC-08": {
    rule: "a revision name that matches a branch, a tag and an object id",
    expected: "resolves to the branch, then the tag, then a full object id",
    source: "decision 0021",
  },
  "SC-09": {
    rule: "floods of tracked errors, and disk space",
    expected:
      "new fingerprints and bytes are limited for each key and project; readiness warns when little disk space is free",
    source: "decision 0050; decision 0023",
  },
  "SC-10": {
    rule: "common passwords, and passwords that contain the username",
    expected: "refused",
    source: "NIST SP 800-63B §5.1.1.2; decision 0032",
  },
  "SC-11": {
    rule: "an e-mail address that is not confirmed",
    expected: "clients see the confirmed address only",
    source: "OpenID Connect Core §5.1; decision 0033",
  },
  "SC-12": {
    rule: "sign-out with `post_logout_redirect_uri`",
    expected: "redirects only after sign-out has ended a session or the user has clicked",
    source: "OpenID Connect RP-Initiated Logout §2, §3",
  },
  "SC-13": {
    rule: "approvals by users who push commits to the merge request",
    expected: "these users count as committers and cannot approve",
    source: "decision 0025",
  },
  "SC-14": {
    rule: "groups that `project create` creates",
    expected:
      "the groups get the visibility of the project; the visibility of a project never exceeds that of its group",
    source: "decision 0014",
  },
  "SC-15": {
    rule: "reserved names, invisible characters and look-alikes in names",
    expected: "refused",
    source: "decision 0034",
  },
  "SC-16": {
    rule: "requests that probe for e-mail addresses, private projects and removed Git objects",
    expected: "the same response as for an absent object; TOTP attempts are delayed",
    source: "decision 0033; RFC 4226 §7.3",
  },
  "SC-17": {
    rule: "audit events and cookies",
    expected:
      "pushes, merges, approvals and commands are recorded; cookies have the prefix `__Host-` under https",
    source: "decision 0048; decision 0027",
  },
  "SC-18": {
    rule: "the version of Node.js",
    expected: "supported versions start; others are refused or warned about with a reason",
    source: "decision 0052",
  },
  "SC-19": {
    rule: "requests with `Upgrade`, and HTTP/1.0 without `Host`",
    expected: "handled as plain HTTP; a request in HTTP/1.1 without `Host` gets 400",
    source: "RFC 9110 §7.8; RFC 9112 §3.2",
  },
  "SC-20": {
    rule: "`iss` in authorization responses",
    expected:
      "by default, on successful responses with `openid`; with `always`, on each response and in the metadata; with `never`, on no response",
    source: "RFC 9207 §2, §3; decision 0035",
  },
  "SC-21": {
    rule: "session cookies on a shared host",
    expected: "named `gatehouse_…`; the cookies that libraries set by default are not read",
    source: "decision 0027",
  },
  "SC-22": {
    rule: "Git clients with `web_url`, push options and LFS",
    expected:
      "`web_url` can be cloned; push options create merge requests; Git LFS clients get an error message",
    source: "GitLab documentation, Push options",
  },
  "SC-23": {
    rule: "repeated slashes and absolute-form request targets",
    expected: "repeated slashes count as one; the path of an absolute-form target is served",
    source: "RFC 9112 §3.2.2; RFC 9110 §4.2.4",
  },
  "SC-24": {
    rule: "`Sudo` and filters that are not implemented",
    expected: "403 `insufficient_scope` for `Sudo`; 400 that names the filter",
    source: "decision 0045",
  },
  "SC-25": {
    rule: "client authentication and bodies that other servers accept",
    expected:
      "an empty Basic pair is not an authentication; the same credentials twice and multipart bodies are accepted",
    source: "RFC 6749 §2.3.1; decision 0036",
  },
  "SC-26": {
    rule: "the scope `offline_access`",
    expected: "accepted without effect together with other scopes; `invalid_scope` if it is the only scope",
    source: "OpenID Connect Core §11; decision 0037",
  },
  "SC-27": {
    rule: "namespaces, file headers, 405 bodies, `/version` and the samples of the help pages",
    expected: "the same responses as GitLab; each printed sample succeeds",
    source: "GitLab documentation, REST API; decision 0046; decision 0047",
  },
  "SC-28": {
    rule: "bodies of legacy SDKs and envelopes with oversized attachments",
    expected: "the event is stored; the attachment is dropped and counted",
    source: "decision 0049",
  },
  "SC-29": {
    rule: "`form_post` and the scope `openid` alone",
    expected:
      "the post has the `Origin` of the instance; the ID token and userinfo have the name of the user",
    source: "OAuth 2.0 Form Post Response Mode §2; decision 0038",
  },
  "SC-30": {
    rule: "snippets on the pages of the product",
    expected: "each snippet runs without changes",
    source: "decision 0051",
  },
  "SC-31": {
    rule: "pages that mention git-credential-oauth",
    expected: "the pages name the minimum version 0.10",
    source: "decision 0051",
  },
  "SC-32": {
    rule: "registered plain http redirect URIs after `BASE_URL` became https",
    expected:
      "refused at the authorization endpoint and the exchange; loopback stays allowed; `doctor` lists them",
    source: "RFC 9700 §2.6; Gatehouse specification, Authentication",
  },
  "SC-33": {
    rule: "an application whose scopes are narrowed",
    expected:
      "new requests are limited; grants keep their scopes unless the editor revokes them; pending codes fail with `invalid_grant`",
    source: "decision 0039",
  },
  "SC-34": {
    rule: "links in API responses, and pages without permission",
    expected: "links lead to pages; error pages give the reason",
    source: "GitLab documentation, REST API",
  },
  "SC-35": {
    rule: "a power cut after acknowledged writes of Git data, packages and backups",
    expected: "neither content nor names are lost: everything is synchronized before the response",
    source: "decision 0022",
  },
  "SC-36": {
    rule: "a power cut during the first start",
    expected: "the next start continues with the secret and password on the disk",
    source: "decision 0022",
  },
  "SC-37": {
    rule: "a secret file that is short, or missing next to a database",
    expected: "an error that names the file; no new secret is created",
    source: "goal of the product",
  },
  "SC-38": {
    rule: "a network partition between server and PostgreSQL",
    expected: "503 during the partition; all requests work within 5 s after it",
    source: "RFC 9110 §15.6.4; decision 0041",
  },
  "SC-39": {
    rule: "failures of the database",
    expected: "503 with `Retry-After`; errors of the request do not count as failures of the database",
    source: "RFC 9110 §10.2.3, §15.6.4",
  },
  "SC-40": {
    rule: "a full or read-only disk",
    expected: "507 or 503 with the reason; readiness fails",
    source: "RFC 4918 §11.5; decision 0023",
  },
  "SC-41": {
    rule: "a migration that waits for a lock",
    expected:
      "probes get a response, signals stop the migration, and a message names the process that holds the lock",
    source: "decision 0040",
  },
  "SC-42": {
    rule: "stalled pushes",
    expected: "stalled pushes do not occupy a slot for Git; a user can occupy at most half of the slots",
    source: "decision 0053",
  },
  "SC-43": {
    rule: "simultaneous deletes of a project",
    expected: "one 202, then 404",
    source: "RFC 9110 §15.5.5",
  },
  "SC-44": {
    rule: "a start while PostgreSQL is not reachable",
    expected: "the server retries for 30 seconds; a signal stops the wait",
    source: "decision 0040",
  },
  "SC-45": {
    rule: "malformed bodies, large headers, pipelined requests, silent and half-closed connections, few file descriptors, a small heap, clock jumps, an unread log",
    expected:
      "400, and 431 for headers; the process continues to serve other clients, and its memory stays bounded",
    source: "RFC 9110 §15.5.1",
  },
  "SC-60": {
    rule: "the hash chain of audit events",
    expected:
      "changed, removed, inserted and reordered events are found; simultaneous writers and pruning keep the chain",
    source: "decision 0082",
  },
  "SC-61": {
    rule: "the requests of webhooks",
    expected:
      "signed by Standard Webhooks, with the headers of GitLab; secrets are encrypted; no local addresses",
    source: "decision 0083",
  },
  "SC-62": {
    rule: "the delivery of webhooks",
    expected: "retries for a day, a pause of failing webhooks, one sender, and a log with redelivery",
    source: "decision 0083",
  },
  "SC-70": {
    rule: "a rotation of the instance secret while servers run",
    expected: "no stored value, session or passkey is lost; the previous secret then decrypts nothing",
    source: "decision 0084",
  },
};
