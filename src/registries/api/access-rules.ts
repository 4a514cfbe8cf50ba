import type { Role } from "@/access/roles";
import type { AccessRule } from "@/http-api/access-rules";
import { code, type InProject, type OpenProject, project } from "@/workspace/api/access-rules";

/** The package endpoints accept personal access tokens, in a header or as the password of HTTP Basic. */
const TOKENS = { tokens: "personal", basic: true } as const;

/** The access rule of the endpoints below `/projects/:id/packages` for users who may read the code. */
export const packages = (): AccessRule<OpenProject> => ({ ...code(), ...TOKENS });

/** The access rule of the endpoints below `/projects/:id/packages` for members with a minimum role. */
export const packagesOfMembers = (least: Readonly<{ atLeast: Role }>): AccessRule<InProject> => ({
  ...project(least),
  ...TOKENS,
});
