import type { ScopedAccessRule } from "@/http-api/access-rules";
import { code, type OpenProject } from "@/workspace/api/access-rules";

/**
 * The access rule of the endpoints under `/projects/:id/repository`: the user must be allowed to read the code of the
 * project. Tokens with the scope `read_repository` are accepted too.
 */
export const repository = (): ScopedAccessRule<OpenProject> => ({
  ...code(),
  scopes: ["api", "read_api", "read_repository"],
});
