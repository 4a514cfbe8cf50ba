/**
 * The URL rules that do not follow from the file tree of `app`. The server in this folder and
 * `next.config.mjs` read the same tables; `next.config.mjs` cannot import TypeScript.
 */

/** @typedef {Readonly<{ from: string, to: string }>} Move */

/**
 * The rewrites that serve the same route files below another URL prefix. The property `request.url` keeps the
 * original URL.
 * @type {readonly Move[]}
 */
export const REWRITES = [{ from: "/api/v5/", to: "/api/v4/" }];

/**
 * Matches paths of the API that only Next serves: the endpoints of next-auth, and paths for which Next applies
 * `REWRITES`, because Next ignores the case of their prefix.
 */
export const ONLY_NEXT = /^\/api\/(?:auth|V5)\//;

/**
 * Git sends requests to URLs below the URL of a project, at any depth, such as
 * `/group/project.git/info/refs`. The route files in the folder `git` handle these requests, and the requests
 * of Git LFS.
 * @type {Readonly<{ pattern: RegExp, prefix: string, rewrites: readonly Move[] }>}
 */
export const GIT_ADDRESS = {
  /**
   * The path pattern of Git requests. The server matches the path of a request with the pattern before any
   * URL rewrite.
   */
  pattern:
    /^\/(?!api\/).+(?:\.git\/(?:info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/.+)|\/info\/lfs\/(?:objects|locks)(?:\/.+)?)$/,
  prefix: "/git",
  /** The URL rewrites that Next applies. */
  rewrites: [
    {
      from: "/:project((?!api/).+\\.git)/:service(info/refs|git-upload-pack|git-receive-pack|info/lfs/.+)",
      to: "/git/:project/:service",
    },
    {
      from: "/:project((?!api/).+)/info/lfs/:kind(objects|locks)/:rest*",
      to: "/git/:project/info/lfs/:kind/:rest*",
    },
  ],
};

/**
 * The redirect from the page URL of a project to its repository. GitLab sends the same redirect. The status
 * is 301, because Git follows the redirect in its first request and then uses the new URL.
 * @type {Move & Readonly<{ service: string }>}
 */
export const GIT_REDIRECT = {
  from: "/:project((?!api/).+(?<!\\.git))/info/refs",
  service: "git-upload-pack|git-receive-pack",
  to: "/:project.git/info/refs",
};

/**
 * Matches the probes of orchestrators and load balancers. The server responds to probes even before the
 * database is open.
 */
export const PROBES = /^\/-\/(?:health|liveness|readiness)\/?$/;

/** Matches the uploads of package files. Uploads of package files may be large and slow. */
export const UPLOAD_ADDRESS = /^\/api\/v[45]\/projects\/[^/]+\/packages\/generic\//;

/**
 * Former URLs of pages, with the URLs to which they are redirected. After the status 303, a client fetches
 * the page with GET regardless of the original method.
 * @type {readonly Move[]}
 */
export const REDIRECTS = [
  { from: "/profile/applications", to: "/user_settings/applications" },
  { from: "/-/user_settings/applications", to: "/user_settings/applications" },
  { from: "/-/profile/applications", to: "/user_settings/applications" },
  { from: "/-/user_settings/personal_access_tokens", to: "/user_settings/personal_access_tokens" },
  { from: "/-/profile/personal_access_tokens", to: "/user_settings/personal_access_tokens" },
  { from: "/profile/personal_access_tokens", to: "/user_settings/personal_access_tokens" },
];

/**
 * The CORS headers of the API. Pages of any origin may read the responses of the API, including error
 * responses. Credentials are never allowed, because the API ignores cookies.
 */
const API_CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, X-Gitlab-Commit-Id, X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-Execute-Filemode, X-Gitlab-File-Name, X-Gitlab-File-Path, X-Gitlab-Last-Commit-Id, X-Gitlab-Ref, X-Gitlab-Size, X-Request-Id, ETag, Retry-After, Deprecation, DPoP-Nonce, WWW-Authenticate",
};

/**
 * The headers of every response below a URL prefix, unless the route sets the header. Later rows of the table
 * take precedence over earlier rows.
 * @type {readonly Readonly<{ below: string, headers: Readonly<Record<string, string>> }>[]}
 */
export const RESPONSE_HEADERS = [
  {
    below: "/",
    headers: {
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      // With `no-referrer`, forms would send `Origin: null`, which the same-origin check refuses.
      "Referrer-Policy": "same-origin",
    },
  },
  { below: "/api/", headers: { "X-Frame-Options": "SAMEORIGIN" } },
  { below: "/api/v4/", headers: API_CORS },
  { below: "/api/v5/", headers: API_CORS },
  { below: "/api/graphql", headers: API_CORS },
];
