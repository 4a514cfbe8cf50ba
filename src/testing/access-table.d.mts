/** One method of one path, and who may call it: see the table. */
export type AccessRow = Readonly<{
  /** Method and path. */
  ask: string;
  in?: "project" | "group";
  least:
    | "everybody"
    | "token"
    | "person"
    | "seen"
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
  status: 200 | 201 | 202 | 204;
  others?: 401 | 404;
  also?: string;
  kind?: "personal" | "oauth";
  otherKinds?: 403;
}>;

export const ACCESS: readonly AccessRow[];
/** Null: every scope. */
export const SCOPE_LISTS: Readonly<Record<AccessRow["scopes"], readonly string[] | null>>;
