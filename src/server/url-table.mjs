/**
 * The URL rules of both mounts that are not in the file tree below `app`. The server in this folder and
 * `next.config.mjs` read the same tables; the second cannot import TypeScript.
 */

/** @typedef {Readonly<{ from: string, to: string }>} Move */

/**
 * Another prefix for the same route files. `request.url` keeps the original URL.
 * @type {readonly Move[]}
 */
export const REWRITES = [{ from: "/api/v5/", to: "/api/v4/" }];

/**
 * Git requests URLs below the URL of a project, at any depth: `/group/project.git/info/refs`. The route
 * files below `/git` answer them, and the requests of Git LFS.
 * @type {Readonly<{ pattern: RegExp, prefix: string, rewrites: readonly Move[] }>}
 */
export const GIT_ADDRESS = {
  /** For the server, on the original path. */
  pattern:
    /^\/(?!api\/).+(?:\.git\/(?:info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/.+)|\/info\/lfs\/(?:objects|locks)(?:\/.+)?)$/,
  prefix: "/git",
  /** For Next. */
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
 * A client that received the URL of a project's page is redirected to its repository, as by GitLab: with
 * 301, because Git follows it with its first request and uses the new URL for the others.
 * @type {Move & Readonly<{ service: string }>}
 */
export const GIT_REDIRECT = {
  from: "/:project((?!api/).+(?<!\\.git))/info/refs",
  service: "git-upload-pack|git-receive-pack",
  to: "/:project.git/info/refs",
};

/** The probes of orchestrators and load balancers, which are answered before the database is open. */
export const PROBES = /^\/-\/(?:health|liveness|readiness)\/?$/;

/** Uploads of package files, which may be large and slow. */
export const UPLOAD_ADDRESS = /^\/api\/v[45]\/projects\/[^/]+\/packages\/generic\//;

/**
 * Former URLs of pages. With 303, the client fetches the page with GET after any method.
 * @type {readonly Move[]}
 */
export const REDIRECTS = [
  { from: "/profile/applications", to: "/user_settings/applications" },
  { from: "/-/user_settings/applications", to: "/user_settings/applications" },
  { from: "/-/profile/applications", to: "/user_settings/applications" },
];

/**
 * Pages of any origin may read the responses of the API, refusals included. Never with credentials: the API
 * ignores cookies.
 */
const API_CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, X-Gitlab-Commit-Id, X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-Execute-Filemode, X-Gitlab-File-Name, X-Gitlab-File-Path, X-Gitlab-Last-Commit-Id, X-Gitlab-Ref, X-Gitlab-Size, X-Request-Id, ETag, Retry-After, Deprecation",
};

/**
 * Headers of every response below a prefix, unless the route sets its own; a later row wins.
 * @type {readonly Readonly<{ below: string, headers: Readonly<Record<string, string>> }>[]}
 */
export const RESPONSE_HEADERS = [
  {
    below: "/",
    headers: {
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      // With `no-referrer` forms would send `Origin: null`, which the same-origin check refuses.
      "Referrer-Policy": "same-origin",
    },
  },
  { below: "/api/", headers: { "X-Frame-Options": "SAMEORIGIN" } },
  { below: "/api/v4/", headers: API_CORS },
  { below: "/api/v5/", headers: API_CORS },
  { below: "/api/graphql", headers: API_CORS },
];
