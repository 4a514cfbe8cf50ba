/** The access rule of one endpoint. */
export type AccessRow = Readonly<{
  /** The method and the path, with parameters as `:name`. */
  endpoint: string;
  /**
   * Set when the path contains a project or a group. The visibility of the project or group affects the
   * access to the endpoint.
   */
  in?: "project" | "group";
  /**
   * The lowest role that may call the endpoint. The value `anyone` requires no token, and `token` requires
   * any token. The value `self` means the owner of the resource. The value `visible` requires a project or a
   * group that the user can see. The value `code` requires permission to read the source code. In a public or
   * internal project, every user who can see the project may read the source code. In a private project,
   * permission to read the source code requires the role reporter.
   */
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
  /** The name of a list in `SCOPE_LISTS`. A token must have one scope of the list. */
  scopes:
    | "writing"
    | "reading"
    | "profile"
    | "code"
    | "create_runner"
    | "manage_runner"
    | "read_runner"
    | "any";
  /** The status of a successful response, or 405 when only a bot may call the endpoint. */
  status: 200 | 201 | 202 | 204 | 405;
  /** The status for users with a lower role; by default 403. */
  others?: 401 | 404;
  /**
   * The additional users who may call the endpoint, depending on the request or the resource. Separate tests
   * cover the additional users.
   */
  also?: string;
  /**
   * The only accepted kind of token. By default, the server responds with 401 to any other kind of token,
   * regardless of the scopes of the token.
   */
  kind?: "personal" | "oauth";
  /**
   * The status of the response to another kind of token, if the status is not 401. The response has the error
   * `insufficient_scope`.
   */
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
