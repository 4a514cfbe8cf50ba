import type { ScopedPlace } from "@/http-api/places";
import { code, type OpenProject } from "@/workspace/api/places";

/** Below `/projects/:id/repository`, for everybody who may read the code; tokens that may only fetch open it, too. */
export const repository = (): ScopedPlace<OpenProject> => ({
  ...code(),
  scopes: ["api", "read_api", "read_repository"],
});
