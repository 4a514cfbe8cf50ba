import type { ScopedAccessRule } from "@/http-api/access-rules";
import { code, type OpenProject } from "@/workspace/api/access-rules";

/**
 * The access rule of the endpoints under `/projects/:id/repository`: the user may read the code of the project, and
 * tokens with the scope `read_repository` are accepted too.
 */
export const repository = (): ScopedAccessRule<OpenProject> => ({
  ...code(),
  scopes: ["api", "read_api", "read_repository"],
});
