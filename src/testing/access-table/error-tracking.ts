import type { AccessRow } from "./row.ts";

export const ERROR_TRACKING: readonly AccessRow[] = [
  {
    endpoint: "GET /projects/:id/error_tracking/settings",
    in: "project",
    least: "maintainer",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "PUT /projects/:id/error_tracking/settings",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    endpoint: "PATCH /projects/:id/error_tracking/settings",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    endpoint: "GET /projects/:id/error_tracking/client_keys",
    in: "project",
    least: "maintainer",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "POST /projects/:id/error_tracking/client_keys",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 201,
  },
  {
    endpoint: "DELETE /projects/:id/error_tracking/client_keys/:key_id",
    in: "project",
    least: "maintainer",
    scopes: "writing",
    status: 200,
  },
  {
    endpoint: "GET /projects/:id/error_tracking/errors",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "GET /projects/:id/error_tracking/errors/:error_id",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "PUT /projects/:id/error_tracking/errors/:error_id",
    in: "project",
    least: "developer",
    scopes: "writing",
    status: 200,
  },
  {
    endpoint: "GET /projects/:id/error_tracking/errors/:error_id/events",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "GET /projects/:id/error_tracking/errors/:error_id/notes",
    in: "project",
    least: "reporter",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "POST /projects/:id/error_tracking/errors/:error_id/notes",
    in: "project",
    least: "developer",
    scopes: "writing",
    status: 201,
  },
  {
    endpoint: "DELETE /projects/:id/error_tracking/errors/:error_id/notes/:note_id",
    in: "project",
    // In the tests, another user has written the requested comment. For the author of a comment, the role
    // developer is sufficient.
    least: "maintainer",
    scopes: "writing",
    status: 204,
  },
];
