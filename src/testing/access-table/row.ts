/**
 * The access rule of one endpoint.
 *
 * `in`: set when the path contains a project or a group. The visibility of the project or group then affects
 * the access. `least`: the lowest role that may call the endpoint. `anyone` requires no token, and `token`
 * requires any token. `visible` requires a project or a group that the user can see. `self` is the owner of
 * the resource. `code` requires permission to read the code: in a public or internal project, every user who
 * can see the project has this permission; in a private project, the role reporter is required. `scopes`: the
 * name of a list in `SCOPE_LISTS`; a token must have one scope of the list. `status`: the status of a
 * successful response, or 405 when only a bot may call the endpoint. `others`: the status for users with a
 * lower role; 403 by default. `also`: additional users who may call the endpoint, depending on the request or
 * the resource. Separate tests cover the additional users. `kind`: the only accepted kind of token. The
 * server responds with 401 to any other kind of token, regardless of its scopes. `otherKinds`: the status for
 * another kind of token, with `insufficient_scope`, if the status is not 401.
 */
export type AccessRow = Readonly<{
  /** The method and the path, with parameters as `:name`. */
  endpoint: string;
  in?: "project" | "group";
  least:
    | "anyone"
    | "token"
    | "self"
    | "visible"
    | "code"
    | "guest"
    | "reporter"
    | "developer"
    | "maintainer"
    | "owner"
    | "administrator";
  scopes:
    | "writing"
    | "reading"
    | "profile"
    | "code"
    | "create_runner"
    | "manage_runner"
    | "read_runner"
    | "any";
  status: 200 | 201 | 202 | 204 | 405;
  others?: 401 | 404;
  also?: string;
  kind?: "personal" | "oauth";
  otherKinds?: 403;
}>;

/** Lists of scopes by name. A token must have one scope of the list; the list `any` accepts every scope. */
export const SCOPE_LISTS: Readonly<Record<AccessRow["scopes"], readonly string[] | null>> = {
  writing: ["api"],
  reading: ["api", "read_api", "read"],
  profile: ["api", "read_api", "read", "read_user"],
  code: ["api", "read_api", "read", "read_repository", "write_repository"],
  create_runner: ["api", "create_runner"],
  manage_runner: ["api", "manage_runner"],
  read_runner: ["api", "read_api", "read", "manage_runner"],
  any: null,
};
