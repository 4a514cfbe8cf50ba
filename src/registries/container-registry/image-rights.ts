import type { Principal, User } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Project } from "@/workspace/projects/rules";
import { projectsByPath, rolesInProjects } from "@/workspace/projects/service";
import { signForRegistry } from "./registry-key";
import { type ImageAccess, type ImageAction, mayUseImages, projectPathsOf } from "./rules";
import * as store from "./store";

/** Whoever asks for a token of the registry. */
export type Bearer = Readonly<{ user: User; scopes: Principal["scopes"] }>;

/** A token of the registry with its times, for the program that has to show it. */
export type RegistryToken = Readonly<{ token: string; expiresInSeconds: number; issuedAt: Date }>;

/**
 * A token for the registry, for as much of what is asked as its bearer may do; the rest is left out, so that the
 * registry refuses it (Docker Registry v2, token authentication).
 * @param bearer null: somebody without credentials.
 */
export async function issueRegistryToken(
  deps: Deps,
  bearer: Bearer | null,
  requested: readonly ImageAccess[],
): Promise<RegistryToken> {
  const { container_registry_token_expire_delay: minutes } = await readSettings(deps);
  const access = await grantedAccess(deps, bearer, requested);
  return sign(deps, { subject: bearer?.user.username ?? "", access, expiresInSeconds: minutes * 60 });
}

/** How the instance calls itself: no person can have this name. */
export const OWN_SUBJECT = ":gatehouse";

const OWN_SECONDS = 300;

/** A token by which the instance itself reads and removes the images of one name. */
export const ownRegistryToken = async (deps: Deps, path: string): Promise<string> => {
  const access = [{ path, actions: ["pull", "push", "delete"] as const }];
  return (await sign(deps, { subject: OWN_SUBJECT, access, expiresInSeconds: OWN_SECONDS })).token;
};

/** The registry's clock may be behind. */
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
  const now = Math.floor(issuedAt.getTime() / 1000);
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
  const roles = await rolesInProjects(deps, [...new Set(projects.values())], bearer?.user ?? null);
  const owner = new Map(owners.map((row) => [row.path, row]));
  const scopes = bearer?.scopes ?? null;
  return requested.flatMap(({ path, actions }) => {
    const project = projects.get(path);
    if (project === undefined || !belongsToProject(project, owner.get(path))) return [];
    const may = (action: ImageAction): boolean =>
      mayUseImages(action, project.visibility, { role: roles.get(project.id) ?? null, scopes });
    const granted = actions.filter(may);
    return granted.length === 0 ? [] : [{ path, actions: granted }];
  });
}

type Owner = Readonly<{ projectId: number | null; removedAt: Date | null }>;

/**
 * What a project has left behind, or another one has pushed, is not for whoever has a project of that name now: it
 * may have been private. Nor is what is being removed.
 */
const belongsToProject = (project: Project, owner: Owner | undefined): boolean =>
  owner === undefined || (owner.projectId === project.id && owner.removedAt === null);

/** The project that images of each of these names belong to: the innermost that is there. */
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
