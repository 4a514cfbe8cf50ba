import type { Role } from "@/access/roles";
import type { AccessRule } from "@/http-api/access-rules";
import { notFound } from "@/http-api/errors";
import { code, type InProject, type OpenProject, project } from "@/workspace/api/access-rules";
import { reachesProject } from "@/workspace/deploy-tokens/service";

/**
 * The package endpoints accept personal access tokens and deploy tokens, in a header or as the password of HTTP Basic.
 */
const TOKENS = { tokens: "personal", basic: true } as const;

/** The access rule of the endpoints below `/projects/:id/packages` for users who may read the code. */
export const packages = (): AccessRule<OpenProject> => ({
  ...withinReach(code()),
  ...TOKENS,
  deployScope: "read_package_registry",
});

/** The access rule of the endpoints below `/projects/:id/packages` for members with a minimum role. */
export const packagesOfMembers = (least: Readonly<{ atLeast: Role }>): AccessRule<InProject> => ({
  ...project(least),
  ...TOKENS,
});

/** The access rule of the publication of packages, for developers and deploy tokens. */
export const publishedPackages = (): AccessRule<InProject> => ({
  ...withinReach(project({ atLeast: "developer" })),
  ...TOKENS,
  deployScope: "write_package_registry",
});

/**
 * Returns the access rule with the limits of deploy tokens added. A request with a deploy token gets the
 * status 404 for a project outside of the limits of the token.
 */
const withinReach = <Who extends OpenProject>(rule: AccessRule<Who>): AccessRule<Who> => ({
  ...rule,
  admit: async (call) => {
    const who = await rule.admit(call);
    const token = call.caller?.token;
    if (token?.kind === "deploy" && !(await reachesProject(call.deps, token.reach, who.project)))
      throw notFound("Project");
    return who;
  },
});
