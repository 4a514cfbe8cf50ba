import type { ScopedPlace } from "@/http-api/places";
import { code, type OpenProject } from "@/workspace/api/places";

/** Endpoints under `/projects/:id/repository`, for users who may read the code, also with the scope `read_repository`. */
export const repository = (): ScopedPlace<OpenProject> => ({
  ...code(),
  scopes: ["api", "read_api", "read_repository"],
});
