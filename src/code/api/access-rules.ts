import type { ScopedAccessRule } from "@/http-api/access-rules";
import { code, type OpenProject } from "@/workspace/api/access-rules";

/**
 * The access rule of the endpoints under `/projects/:id/repository`, for users who may read the source code
 * of the project. Access tokens with the scope `read_repository` are also accepted.
 */
export const repository = (): ScopedAccessRule<OpenProject> => ({
  ...code(),
  scopes: ["api", "read_api", "read_repository"],
});
