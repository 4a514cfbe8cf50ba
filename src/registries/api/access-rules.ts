import type { Role } from "@/access/roles";
import type { AccessRule } from "@/http-api/access-rules";
import { notFound } from "@/http-api/errors";
import { code, type InProject, type OpenProject, project } from "@/workspace/api/access-rules";
import { reachesProject } from "@/workspace/deploy-tokens/service";

/**
 * The package endpoints accept personal access tokens and deploy tokens, in a header or as the password of HTTP Basic.
 */
const TOKENS = { tokens: "personal", basic: true } as const;

/**
 * The access rule of the endpoints that read packages, below `/projects/:id/packages`: users who may read the
 * source code of the project have access.
 */
export const packages = (): AccessRule<OpenProject> => ({
  ...withinReach(code()),
  ...TOKENS,
  deployScope: "read_package_registry",
});

/**
 * The access rule of the endpoints below `/projects/:id/packages` that require a minimum role in the project.
 */
export const packagesOfMembers = (least: Readonly<{ atLeast: Role }>): AccessRule<InProject> => ({
  ...project(least),
  ...TOKENS,
});

/** The access rule of the endpoint that publishes packages: developers and deploy tokens have access. */
export const publishedPackages = (): AccessRule<InProject> => ({
  ...withinReach(project({ atLeast: "developer" })),
  ...TOKENS,
  deployScope: "write_package_registry",
});

/**
 * Adds a rule for deploy tokens to an access rule: a request with a deploy token gets the status 404 if the
 * token gives no access to the project.
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
