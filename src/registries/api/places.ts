import type { Role } from "@/access/roles";
import type { Place } from "@/http-api/places";
import { code, type InProject, type OpenProject, project } from "@/workspace/api/places";

/** Personal access tokens alone, as a header or as clients of registries send a password. */
const TOKENS = { tokens: "personal", basic: true } as const;

/** Below `/projects/:id/packages`, for everybody who may read the code. */
export const packages = (): Place<OpenProject> => ({ ...code(), ...TOKENS });

/** Below `/projects/:id/packages`, for members with at least a role. */
export const packagesOfMembers = (least: Readonly<{ atLeast: Role }>): Place<InProject> => ({
  ...project(least),
  ...TOKENS,
});
