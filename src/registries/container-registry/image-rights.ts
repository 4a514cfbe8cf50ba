import type { DeployReach, Principal, User } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { unixSeconds } from "@/kernel/http/unix-time";
import { reachesProject } from "@/workspace/deploy-tokens/service";
import type { Project } from "@/workspace/projects/rules";
import { projectsByPath, rolesInProjects } from "@/workspace/projects/service";
import { signForRegistry } from "./registry-key";
import { type ImageAccess, type ImageAction, mayUseImages, projectPathsOf } from "./rules";
import * as store from "./store";

/** The user who requests a registry token, and the scopes of the token with which the user authenticated. */
export type Bearer = Readonly<{
  user: User;
  scopes: Principal["scopes"];
  /** The username of a deploy token, and the project or group to which the access of the token is limited. */
  subject?: string;
  reach?: DeployReach;
}>;

/** A registry token, its lifetime, and the time at which it was issued. */
export type RegistryToken = Readonly<{ token: string; expiresInSeconds: number; issuedAt: Date }>;

/**
 * Issues a registry token that grants those of the requested permissions that the user has. The registry
 * refuses all actions for which the token grants no permission (Docker Registry v2, token authentication).
 * @param bearer the authenticated user or deploy token; null for a request without credentials.
 */
export async function issueRegistryToken(
  deps: Deps,
  bearer: Bearer | null,
  requested: readonly ImageAccess[],
): Promise<RegistryToken> {
  const { container_registry_token_expire_delay: minutes } = await readSettings(deps);
  const access = await grantedAccess(deps, bearer, requested);
  return sign(deps, {
    subject: bearer?.subject ?? bearer?.user.username ?? "",
    access,
    expiresInSeconds: minutes * 60,
  });
}

/** The subject of the registry tokens that the instance issues to itself. No user can have this username. */
export const OWN_SUBJECT = ":gatehouse";

const OWN_SECONDS = 300;

/** Issues a registry token with which the instance itself reads and deletes the images of one repository. */
export const ownRegistryToken = async (deps: Deps, path: string): Promise<string> => {
  const access = [{ path, actions: ["pull", "push", "delete"] as const }];
  return (await sign(deps, { subject: OWN_SUBJECT, access, expiresInSeconds: OWN_SECONDS })).token;
};

/** The time by which the start of a token's validity is backdated, because the clock of the registry may be slow. */
const BACKDATED_SECONDS = 5;

async function sign(
  deps: Deps,
  {
    subject,
    access,
    expiresInSeconds,
  }: Readonly<{ subject: string; access: readonly ImageAccess[]; expiresInSeconds: number }>,
): Promise<RegistryToken> {
  const issuedAt = deps.clock();
  const now = unixSeconds(issuedAt);
  const token = await signForRegistry(deps, {
    iss: deps.config.issuer,
    sub: subject,
    aud: deps.config.registry?.service,
    exp: now + expiresInSeconds,
    nbf: now - BACKDATED_SECONDS,
    iat: now,
    jti: Buffer.from(deps.randomBytes(16)).toString("hex"),
    access: access.map(({ path, actions }) => ({ type: "repository", name: path, actions })),
  });
  return { token, expiresInSeconds, issuedAt };
}

async function grantedAccess(
  deps: Deps,
  bearer: Bearer | null,
  requested: readonly ImageAccess[],
): Promise<readonly ImageAccess[]> {
  if (requested.length === 0) return [];
  const paths = requested.map(({ path }) => path);
  const [projects, owners] = await Promise.all([projectsOf(deps, paths), store.findOwners(deps.db, paths)]);
  const inReach = await projectsInReach(deps, bearer, [...new Set(projects.values())]);
  const roles = await rolesInProjects(deps, inReach, bearer?.user ?? null);
  const owner = new Map(owners.map((row) => [row.path, row]));
  const scopes = bearer?.scopes ?? null;
  return requested.flatMap(({ path, actions }) => {
    const project = projects.get(path);
    if (project === undefined || !inReach.includes(project)) return [];
    if (!belongsToProject(project, owner.get(path))) return [];
    const may = (action: ImageAction): boolean =>
      mayUseImages(action, project.visibility, { role: roles.get(project.id) ?? null, scopes });
    const granted = actions.filter(may);
    return granted.length === 0 ? [] : [{ path, actions: granted }];
  });
}

/**
 * Returns those of the projects to which the token of the bearer gives access. Only deploy tokens are limited
 * to one project or to the projects of one group.
 */
async function projectsInReach(
  deps: Deps,
  bearer: Bearer | null,
  projects: readonly Project[],
): Promise<readonly Project[]> {
  const reach = bearer?.reach;
  if (reach === undefined) return projects;
  const inReach = await Promise.all(projects.map((project) => reachesProject(deps, reach, project)));
  return projects.filter((_, at) => inReach[at]);
}

type Owner = Readonly<{ projectId: number | null; removedAt: Date | null }>;

/**
 * Returns whether the images under a path belong to this project and are not being deleted. The images of a
 * deleted project do not belong to a new project with the same path, because these images may have been
 * private.
 */
const belongsToProject = (project: Project, owner: Owner | undefined): boolean =>
  owner === undefined || (owner.projectId === project.id && owner.removedAt === null);

/**
 * Returns the project of each image path. If the paths of several projects match, the result contains the
 * project with the longest path.
 */
export async function projectsOf(
  deps: Pick<Deps, "db">,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Project>> {
  const candidates = new Set(paths.flatMap(projectPathsOf));
  const projects = await projectsByPath(deps, [...candidates]);
  const byPath = new Map(projects.map((project) => [project.fullPath.toLowerCase(), project]));
  return new Map(
    paths.flatMap((path) => {
      const project = projectPathsOf(path).flatMap((candidate) => byPath.get(candidate) ?? [])[0];
      return project === undefined ? [] : [[path, project] as const];
    }),
  );
}
