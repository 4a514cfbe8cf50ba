/**
 * Who may call which endpoint of the API, written down by hand: the tests call every endpoint as everybody and compare,
 * and docs/api-access.md is made from it. What it says is what was decided, not what the route files declare.
 *
 * `in`: where a project or a group is meant by the path, so that its visibility counts.
 * `least`: the least that somebody has to be; `seen` is whoever sees the project or the group, `person` whoever the
 * thing belongs to, `code` whoever may read the code: who sees an open project, and from reporters on in a private one,
 * `token` everybody who has one, `everybody` those without one, too.
 * `scopes`: which scopes open it, by the name of a list below.
 * `status`: of the answer when all is well.
 * `others`: what those get who are less; 403 unless it says otherwise.
 * `kind`: where one kind of token alone will do.
 * @type {readonly import("./access-table.d.mts").AccessRow[]}
 */
export const ACCESS = [
  { ask: "GET /openapi.json", least: "everybody", scopes: "any", status: 200 },
  { ask: "GET /version", least: "token", scopes: "profile", status: 200 },
  { ask: "GET /metadata", least: "token", scopes: "profile", status: 200 },

  { ask: "GET /application/settings", least: "administrator", scopes: "reading", status: 200 },
  { ask: "PUT /application/settings", least: "administrator", scopes: "writing", status: 200 },
  { ask: "GET /features", least: "administrator", scopes: "reading", status: 200 },
  { ask: "GET /features/definitions", least: "administrator", scopes: "reading", status: 200 },
  { ask: "POST /features/:name", least: "administrator", scopes: "writing", status: 201 },
  { ask: "DELETE /features/:name", least: "administrator", scopes: "writing", status: 204 },

  { ask: "GET /applications", least: "administrator", scopes: "reading", status: 200 },
  { ask: "POST /applications", least: "administrator", scopes: "writing", status: 201 },
  { ask: "DELETE /applications/:id", least: "administrator", scopes: "writing", status: 204 },
  { ask: "POST /applications/:id/renew-secret", least: "administrator", scopes: "writing", status: 201 },

  { ask: "GET /user", least: "token", scopes: "profile", status: 200 },
  { ask: "GET /users", least: "token", scopes: "profile", status: 200 },
  { ask: "POST /users", least: "administrator", scopes: "writing", status: 201 },
  { ask: "GET /users/:id", least: "token", scopes: "profile", status: 200 },
  { ask: "PUT /users/:id", least: "administrator", scopes: "writing", status: 200 },
  { ask: "POST /users/:id/block", least: "administrator", scopes: "writing", status: 201 },
  { ask: "POST /users/:id/unblock", least: "administrator", scopes: "writing", status: 201 },
  { ask: "POST /users/:id/personal_access_tokens", least: "administrator", scopes: "writing", status: 201 },

  { ask: "GET /deprecated_uses", least: "token", scopes: "reading", status: 200 },
  { ask: "GET /personal_access_tokens", least: "token", scopes: "reading", status: 200 },
  { ask: "GET /personal_access_tokens/:id", least: "person", scopes: "reading", status: 200, others: 401 },
  { ask: "DELETE /personal_access_tokens/:id", least: "person", scopes: "writing", status: 204, others: 401 },
  {
    ask: "POST /personal_access_tokens/:id/rotate",
    least: "person",
    scopes: "writing",
    status: 200,
    others: 401,
  },
  { ask: "GET /personal_access_tokens/self", least: "token", scopes: "any", status: 200, kind: "personal" },
  {
    ask: "DELETE /personal_access_tokens/self",
    least: "token",
    scopes: "any",
    status: 204,
    kind: "personal",
  },
  {
    ask: "POST /personal_access_tokens/self/rotate",
    least: "token",
    scopes: "writing",
    status: 200,
    kind: "personal",
  },

  { ask: "GET /projects", least: "everybody", scopes: "reading", status: 200 },
  { ask: "POST /projects", least: "token", scopes: "writing", status: 201 },
  { ask: "GET /projects/:id", in: "project", least: "everybody", scopes: "reading", status: 200 },
  { ask: "PUT /projects/:id", in: "project", least: "maintainer", scopes: "writing", status: 200 },
  { ask: "DELETE /projects/:id", in: "project", least: "owner", scopes: "writing", status: 202 },
  { ask: "GET /projects/:id/members", in: "project", least: "seen", scopes: "reading", status: 200 },
  { ask: "POST /projects/:id/members", in: "project", least: "maintainer", scopes: "writing", status: 201 },
  { ask: "GET /projects/:id/members/:user_id", in: "project", least: "seen", scopes: "reading", status: 200 },
  {
    ask: "PUT /projects/:id/members/:user_id",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    ask: "DELETE /projects/:id/members/:user_id",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 204,
  },
  { ask: "GET /projects/:id/members/all", in: "project", least: "seen", scopes: "reading", status: 200 },
  {
    ask: "GET /projects/:id/members/all/:user_id",
    in: "project",
    least: "seen",
    scopes: "reading",
    status: 200,
  },
  {
    ask: "GET /projects/:id/error_tracking/settings",
    in: "project",
    least: "maintainer",
    scopes: "reading",
    status: 200,
  },
  {
    ask: "PUT /projects/:id/error_tracking/settings",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    ask: "PATCH /projects/:id/error_tracking/settings",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    ask: "GET /projects/:id/error_tracking/client_keys",
    in: "project",
    least: "maintainer",
    scopes: "reading",
    status: 200,
  },
  {
    ask: "POST /projects/:id/error_tracking/client_keys",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 201,
  },
  {
    ask: "DELETE /projects/:id/error_tracking/client_keys/:key_id",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    ask: "GET /projects/:id/error_tracking/errors",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },
  {
    ask: "GET /projects/:id/error_tracking/errors/:error_id",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },
  {
    ask: "PUT /projects/:id/error_tracking/errors/:error_id",
    in: "project",
    least: "developer",
    scopes: "writing",
    status: 200,
  },
  {
    ask: "GET /projects/:id/error_tracking/errors/:error_id/events",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },

  { ask: "GET /projects/:id/repository/tree", in: "project", least: "code", scopes: "code", status: 200 },
  {
    ask: "GET /projects/:id/repository/files/:file_path",
    in: "project",
    least: "code",
    scopes: "code",
    status: 200,
  },
  {
    ask: "GET /projects/:id/repository/files/:file_path/raw",
    in: "project",
    least: "code",
    scopes: "code",
    status: 200,
  },
  { ask: "GET /projects/:id/repository/commits", in: "project", least: "code", scopes: "code", status: 200 },
  {
    ask: "GET /projects/:id/repository/commits/:sha",
    in: "project",
    least: "code",
    scopes: "code",
    status: 200,
  },
  {
    ask: "GET /projects/:id/repository/commits/:sha/diff",
    in: "project",
    least: "code",
    scopes: "code",
    status: 200,
  },
  { ask: "GET /projects/:id/repository/branches", in: "project", least: "code", scopes: "code", status: 200 },
  {
    ask: "GET /projects/:id/repository/branches/:branch",
    in: "project",
    least: "code",
    scopes: "code",
    status: 200,
  },
  { ask: "GET /projects/:id/repository/tags", in: "project", least: "code", scopes: "code", status: 200 },
  { ask: "GET /projects/:id/repository/compare", in: "project", least: "code", scopes: "code", status: 200 },
  {
    ask: "POST /projects/:id/repository/branches",
    in: "project",
    least: "developer",
    scopes: "writing",
    status: 201,
  },
  {
    ask: "DELETE /projects/:id/repository/branches/:branch",
    in: "project",
    least: "developer",
    scopes: "writing",
    status: 204,
  },

  { ask: "GET /groups", least: "everybody", scopes: "reading", status: 200 },
  { ask: "POST /groups", least: "token", scopes: "writing", status: 201 },
  { ask: "GET /groups/:id", in: "group", least: "everybody", scopes: "reading", status: 200 },
  { ask: "PUT /groups/:id", in: "group", least: "owner", scopes: "writing", status: 200 },
  { ask: "DELETE /groups/:id", in: "group", least: "owner", scopes: "writing", status: 202 },
  { ask: "GET /groups/:id/projects", in: "group", least: "everybody", scopes: "reading", status: 200 },
  { ask: "GET /groups/:id/subgroups", in: "group", least: "everybody", scopes: "reading", status: 200 },
  { ask: "GET /groups/:id/members", in: "group", least: "seen", scopes: "reading", status: 200 },
  { ask: "POST /groups/:id/members", in: "group", least: "owner", scopes: "writing", status: 201 },
  { ask: "GET /groups/:id/members/:user_id", in: "group", least: "seen", scopes: "reading", status: 200 },
  { ask: "PUT /groups/:id/members/:user_id", in: "group", least: "owner", scopes: "writing", status: 200 },
  { ask: "DELETE /groups/:id/members/:user_id", in: "group", least: "owner", scopes: "writing", status: 204 },
  { ask: "GET /groups/:id/members/all", in: "group", least: "seen", scopes: "reading", status: 200 },
  { ask: "GET /groups/:id/members/all/:user_id", in: "group", least: "seen", scopes: "reading", status: 200 },
];

/**
 * Lists of scopes, each of which opens what names the list; `any` is every scope there is.
 * @type {Readonly<Record<string, readonly string[] | null>>}
 */
export const SCOPE_LISTS = {
  writing: ["api"],
  reading: ["api", "read_api", "read"],
  profile: ["api", "read_api", "read", "read_user"],
  code: ["api", "read_api", "read", "read_repository", "write_repository"],
  any: null,
};
