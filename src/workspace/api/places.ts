import { mayFetch } from "@/access/code";
import type { Principal, User } from "@/access/principal";
import { ROLES, type Role, reaches } from "@/access/roles";
import { forbidden, notFound } from "@/http-api/errors";
import { authenticated, type Call, type Place } from "@/http-api/places";
import type { Deps } from "@/kernel/deps/deps";
import { type AuthorizedGroup, maySeeContents } from "@/workspace/groups/rules";
import { findGroup } from "@/workspace/groups/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { findProject } from "@/workspace/projects/service";

/** A project that the caller may see, and the authenticated caller. */
export type InProject = Readonly<{ project: AuthorizedProject; user: User; caller: Principal }>;
/** A project that the caller may see, and the caller; null without a token. */
export type OpenProject = Readonly<{ project: AuthorizedProject; caller: Principal | null }>;
export type InGroup = Readonly<{ group: AuthorizedGroup; user: User; caller: Principal }>;
export type OpenGroup = Readonly<{ group: AuthorizedGroup; caller: Principal | null }>;

/** The lowest role that may call an endpoint; absent where visibility is enough. */
type Least = Readonly<{ atLeast?: Role }>;

const audienceOf = ({ atLeast }: Least): string =>
  atLeast === undefined
    ? "users who can see it"
    : `members with at least the ${ROLES[atLeast].label.toLowerCase()} role`;

/** `/projects/:id` with a token, for callers who can see the project and have the required role. */
export const project = (least: Least = {}): Place<InProject> => ({
  audience: audienceOf(least),
  admit: async (call) => {
    const visible = await visibleProject(call);
    await requireRole(visible.project.role, least, () => visibleProject(call));
    return byUser(call, visible);
  },
});

/** `/projects/:id` with or without a token, for callers who can see the project. */
export const openProject = (): Place<OpenProject> => ({
  audience: "everybody",
  anonymous: true,
  admit: visibleProject,
});

/** `/projects/:id` with or without a token, for callers who may read the code. Scopes for Git alone are not enough. */
export const code = (): Place<OpenProject> => ({
  audience: "everybody who can read its code",
  anonymous: true,
  admit: async (call) => {
    const visible = await visibleProject(call);
    if (!mayFetch(visible.project.visibility, visible.project.role)) throw forbidden();
    return visible;
  },
});

/** `/groups/:id` with a token, for callers who can see the contents of the group or have the required role. */
export const group = (least: Least = {}): Place<InGroup> => ({
  audience: audienceOf(least),
  admit: async (call) => {
    const visible = await visibleGroup(call);
    await requireRole(visible.group.role, least, () => visibleGroup(call));
    if (least.atLeast === undefined && !maySeeContents(visible.group)) throw forbidden();
    return byUser(call, visible);
  },
});

/** `/groups/:id` with or without a token, for callers who can see the group. */
export const openGroup = (): Place<OpenGroup> => ({
  audience: "everybody",
  anonymous: true,
  admit: visibleGroup,
});

/** Adds the authenticated caller to an open project or group. */
export function byUser<Resource extends object>(call: Call, resource: Resource) {
  const caller = authenticated(call);
  return { ...resource, caller, user: caller.user };
}

type Finder<Resource> = (deps: Deps, reference: string, user: User | null) => Promise<Resource | null>;

/** Returns a project or group. @throws ApiError 404 for unknown and for hidden ones. */
async function findVisible<Resource>(
  { deps, caller, path }: Call,
  find: Finder<Resource>,
  kind: string,
): Promise<Resource> {
  const resource = await find(deps, String(path["id"] ?? ""), caller?.user ?? null);
  if (resource === null) throw notFound(kind);
  return resource;
}

async function visibleProject(call: Call): Promise<OpenProject> {
  return { project: await findVisible(call, findProject, "Project"), caller: call.caller };
}

async function visibleGroup(call: Call): Promise<OpenGroup> {
  return { group: await findVisible(call, findGroup, "Group"), caller: call.caller };
}

/**
 * Requires a role in a project or group that the caller can see.
 * @param look finds the resource again: while another caller deletes it, its members disappear first, which must lead to
 *   a 404, not a 403.
 */
async function requireRole(held: Role | null, { atLeast }: Least, look: () => unknown): Promise<void> {
  if (atLeast === undefined || reaches(held, atLeast)) return;
  await look();
  throw forbidden();
}
