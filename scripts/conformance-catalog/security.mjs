/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const SECURITY = {
  "SC-01": {
    rule: "Git references: `refs/replace/*`, pushes to references that are neither branches nor tags, and names that look like object ids",
    expected:
      "the server ignores `refs/replace/*`, and refuses pushes to other references and names that look like object ids",
    source: "decision 0021",
  },
  "SC-02": {
    rule: "changes to protected branches by the API, the settings page and pushes",
    expected:
      "a change requires the access level that the branch protection defines; the default branch is protected when a project is created",
    source: "GitLab documentation, Protected branches; decision 0024",
  },
  "SC-03": {
    rule: "a user without a recent authentication changes an administration setting or an application",
    expected: "303 to the page for re-authentication; idle sessions of administrators end",
    source: "decision 0028",
  },
  "SC-04": {
    rule: "creation and rotation of personal access tokens with an OAuth token",
    expected: "403 `insufficient_scope`",
    source: "RFC 6750 §3.1",
  },
  "SC-05": {
    rule: "OAuth requests of an application whose owner is blocked",
    expected:
      "the server refuses the requests as if the application were blocked, unless the application is trusted or belongs to an administrator",
    source: "decision 0030",
  },
  "SC-06": {
    rule: "a password change, a password reset, and the blocking of a user",
    expected:
      "the OAuth grants and personal access tokens of the user are revoked; a user who changes the password can choose to keep the grants and tokens",
    source: "decision 0029",
  },
  "SC-07": {
    rule: "another person enters wrong passwords for an account",
    expected:
      "the person who enters the wrong passwords gets 429; the owner of the account can still sign in on a device on which the owner has signed in before",
    source: "decision 0031",
  },
  "SC-08": {
    rule: "a revision name that matches a branch, a tag and an object id",
    expected:
      "a full object id is resolved to the object; any other name is resolved first to the branch, then to the tag, and then to the commit whose id begins with the name",
    source: "decision 0021",
  },
  "SC-09": {
    rule: "large numbers of tracked errors, and the disk space that tracked errors occupy",
    expected:
      "the number of new tracked errors is limited for each client key, and the number of stored bytes for each project; the readiness probe has the status warning when little disk space is free, and fails when writes are about to fail",
    source: "decision 0050; decision 0023",
  },
  "SC-10": {
    rule: "common passwords, and passwords that contain the username",
    expected: "refused",
    source: "NIST SP 800-63B §5.1.1.2; decision 0032",
  },
  "SC-11": {
    rule: "an e-mail address that is not confirmed",
    expected: "clients receive only the confirmed e-mail address",
    source: "OpenID Connect Core §5.1; decision 0033",
  },
  "SC-12": {
    rule: "a sign-out request with `post_logout_redirect_uri`",
    expected:
      "the server redirects only after the sign-out has ended a session, or after the user has confirmed the sign-out",
    source: "OpenID Connect RP-Initiated Logout §2, §3",
  },
  "SC-13": {
    rule: "approvals by users who push commits to the merge request",
    expected: "users who push commits count as committers, and cannot approve the merge request",
    source: "decision 0025",
  },
  "SC-14": {
    rule: "the command `project create` creates a group and a project",
    expected: "the group gets the visibility of the project; a project is never more visible than its group",
    source: "decision 0014",
  },
  "SC-15": {
    rule: "names that are reserved, or that contain invisible characters or look-alikes of other characters",
    expected: "refused",
    source: "decision 0034",
  },
  "SC-16": {
    rule: "requests that search for e-mail addresses, private projects and removed Git objects of other users",
    expected: "the same response as for an object that does not exist; TOTP attempts are delayed",
    source: "decision 0033; RFC 4226 §7.3",
  },
  "SC-17": {
    rule: "audit events and cookies",
    expected:
      "the audit events contain pushes, merges, approvals and commands; cookies have the prefix `__Host-` if the base URL is https",
    source: "decision 0048; decision 0027",
  },
  "SC-18": {
    rule: "the version of Node.js that runs the server",
    expected:
      "the server starts with a supported version; with another version, it refuses to start or prints a warning with the reason",
    source: "decision 0052",
  },
  "SC-19": {
    rule: "requests with the header `Upgrade`, and HTTP/1.0 requests without the header `Host`",
    expected: "the requests are handled as plain HTTP; an HTTP/1.1 request without `Host` gets 400",
    source: "RFC 9110 §7.8; RFC 9112 §3.2",
  },
  "SC-20": {
    rule: "the parameter `iss` in authorization responses",
    expected:
      "by default, successful responses with `openid` contain `iss`; with the setting `always`, each response contains `iss`, and the metadata announce the parameter; with the setting `never`, no response contains `iss`",
    source: "RFC 9207 §2, §3; decision 0035",
  },
  "SC-21": {
    rule: "session cookies on a host name that several services share",
    expected:
      "the names of the cookies begin with `gatehouse_`; cookies with the default names of libraries are not read",
    source: "decision 0027",
  },
  "SC-22": {
    rule: "Git clients that use `web_url`, push options or Git LFS",
    expected:
      "`web_url` can be cloned; push options create merge requests; Git LFS clients get an error message",
    source: "GitLab documentation, Push options",
  },
  "SC-23": {
    rule: "repeated slashes in paths, and request targets in absolute form",
    expected:
      "repeated slashes count as one slash; for a request target in absolute form, the server uses the path of the target",
    source: "RFC 9112 §3.2.2; RFC 9110 §4.2.4",
  },
  "SC-24": {
    rule: "the header `Sudo`, and filters that are not implemented",
    expected:
      "a request with `Sudo` gets 403 `insufficient_scope`; a request with a filter that is not implemented gets 400 with the name of the filter",
    source: "decision 0045",
  },
  "SC-25": {
    rule: "unusual client authentication, and unusual request bodies, that other servers accept",
    expected:
      "a Basic header with empty credentials does not count as authentication; identical credentials in two places and multipart bodies are accepted",
    source: "RFC 6749 §2.3.1; decision 0036",
  },
  "SC-26": {
    rule: "the scope `offline_access`",
    expected:
      "the scope has no effect together with other scopes; a request for only this scope gets `invalid_scope`",
    source: "OpenID Connect Core §11; decision 0037",
  },
  "SC-27": {
    rule: "namespaces, file headers, bodies of 405 responses, `/version` and the samples on the help pages",
    expected: "the responses are the same as the responses of GitLab; each sample on a help page succeeds",
    source: "GitLab documentation, REST API; decision 0046; decision 0047",
  },
  "SC-28": {
    rule: "event bodies of older SDKs, and envelopes with oversized attachments",
    expected: "the event is stored; an oversized attachment is dropped and counted",
    source: "decision 0049",
  },
  "SC-29": {
    rule: "`form_post` responses, and requests with only the scope `openid`",
    expected:
      "the posted form has the `Origin` of the instance; the ID token and userinfo contain the name of the user",
    source: "OAuth 2.0 Form Post Response Mode §2; decision 0038",
  },
  "SC-30": {
    rule: "code snippets on the pages of Gatehouse",
    expected: "each snippet runs without changes",
    source: "decision 0051",
  },
  "SC-31": {
    rule: "pages that mention git-credential-oauth",
    expected: "the pages name the minimum version 0.10",
    source: "decision 0051",
  },
  "SC-32": {
    rule: "registered redirect URIs with plain http after `BASE_URL` has become an https URL",
    expected:
      "the authorization endpoint and the code exchange refuse these redirect URIs; loopback URIs stay allowed; the command `doctor` lists the refused URIs",
    source: "RFC 9700 §2.6; Gatehouse specification, Authentication",
  },
  "SC-33": {
    rule: "a user removes scopes from an application",
    expected:
      "new authorization requests cannot exceed the new scopes; existing grants keep their scopes unless the user who removed the scopes also revokes the grants; authorization codes that are not yet exchanged get `invalid_grant`",
    source: "decision 0039",
  },
  "SC-34": {
    rule: "API responses with links to pages, and pages that the user may not open",
    expected:
      "each link opens a page; for a page that the user may not open, the error page states the reason",
    source: "GitLab documentation, REST API",
  },
  "SC-35": {
    rule: "a power cut after acknowledged writes of Git data, packages and backups",
    expected:
      "neither file contents nor file names are lost, because the server synchronizes the disk before it responds",
    source: "decision 0022",
  },
  "SC-36": {
    rule: "a power cut during the first start",
    expected: "the next start continues with the secret and the password that are on the disk",
    source: "decision 0022",
  },
  "SC-37": {
    rule: "a secret file that is too short, or that is missing although a database exists",
    expected: "the start fails with an error that names the secret file; no new secret is created",
    source: "goal of the product",
  },
  "SC-38": {
    rule: "a network partition between the server and PostgreSQL",
    expected: "503 during the partition; all requests succeed within 5 s after the end of the partition",
    source: "RFC 9110 §15.6.4; decision 0041",
  },
  "SC-39": {
    rule: "failures of the database",
    expected: "503 with `Retry-After`; errors that a request causes do not count as failures of the database",
    source: "RFC 9110 §10.2.3, §15.6.4",
  },
  "SC-40": {
    rule: "a full or read-only disk",
    expected: "507 or 503 with the reason; the readiness probe fails",
    source: "RFC 4918 §11.5; decision 0023",
  },
  "SC-41": {
    rule: "a migration that waits for a lock",
    expected:
      "probes get a response; signals stop the migration; a message names the process that holds the lock",
    source: "decision 0040",
  },
  "SC-42": {
    rule: "pushes whose clients stop sending data",
    expected:
      "a stalled push does not count toward the limit of simultaneous Git processes; one user can use at most half of this limit",
    source: "decision 0053",
  },
  "SC-43": {
    rule: "simultaneous deletions of a project",
    expected: "exactly one request gets 202; later requests get 404",
    source: "RFC 9110 §15.5.5",
  },
  "SC-44": {
    rule: "a server start while PostgreSQL is not reachable",
    expected: "the server retries for 30 seconds; a signal ends the wait",
    source: "decision 0040",
  },
  "SC-45": {
    rule: "malformed bodies, large headers, pipelined requests, silent and half-closed connections, few file descriptors, a small heap, clock jumps, and a log that is not read",
    expected:
      "400 for malformed bodies and 431 for large headers; the process continues to serve other clients, and its memory is bounded",
    source: "RFC 9110 §15.5.1",
  },
  "SC-60": {
    rule: "the hash chain of audit events",
    expected:
      "changed, removed, inserted and reordered events are detected; simultaneous writers and pruning do not break the chain",
    source: "decision 0082",
  },
  "SC-61": {
    rule: "the HTTP requests of webhooks",
    expected:
      "the requests are signed as Standard Webhooks requires, and contain the webhook headers of GitLab; secrets are stored encrypted; no request is sent to local addresses",
    source: "decision 0083",
  },
  "SC-62": {
    rule: "the delivery of webhooks",
    expected:
      "failed webhook requests are repeated for up to a day; failing webhooks are paused; only one server process sends each message; a user can resend a message from the delivery log",
    source: "decision 0083",
  },
  "SC-70": {
    rule: "a rotation of the instance secret while servers run",
    expected:
      "no stored value, session or passkey is lost; after the rotation, the previous secret decrypts nothing",
    source: "decision 0084",
  },
  "SC-71": {
    rule: "the access of a push ends, or a branch becomes protected, while the body of the push arrives",
    expected: "the push changes no branch, and the client gets the reason",
    source: "decision 0021",
  },
  "SC-72": {
    rule: "requests to the image optimizer of Next",
    expected: "404; the server scales no picture and stores no copy",
    source: "decision 0065",
  },
};
