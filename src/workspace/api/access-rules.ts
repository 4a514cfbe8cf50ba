import { mayFetch } from "@/access/code";
import type { Principal, User } from "@/access/principal";
import { ROLES, type Role, reaches } from "@/access/roles";
import { type AccessRule, authenticated, type Call } from "@/http-api/access-rules";
import { forbidden, notFound } from "@/http-api/errors";
import type { Deps } from "@/kernel/deps/deps";
import { type AuthorizedGroup, maySeeContents } from "@/workspace/groups/rules";
import { findGroup } from "@/workspace/groups/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { findProject } from "@/workspace/projects/service";

/** A project that the caller can see, and the caller, who has authenticated. */
export type InProject = Readonly<{ project: AuthorizedProject; user: User; caller: Principal }>;
/** A project that the caller can see, and the caller. The caller is null for a request without a token. */
export type OpenProject = Readonly<{ project: AuthorizedProject; caller: Principal | null }>;
export type InGroup = Readonly<{ group: AuthorizedGroup; user: User; caller: Principal }>;
export type OpenGroup = Readonly<{ group: AuthorizedGroup; caller: Principal | null }>;

/**
 * The minimum role that an endpoint requires. Without a minimum role, all users who can see the project or
 * group may call the endpoint.
 */
type Least = Readonly<{ atLeast?: Role }>;

const audienceOf = ({ atLeast }: Least, kind: "project" | "group"): string =>
  atLeast === undefined
    ? `users who can see the ${kind}`
    : `members with at least the ${ROLES[atLeast].label.toLowerCase()} role`;

/**
 * The access rule of endpoints under `/projects/:id` that require a token. The caller must be able to see the project
 * and have the minimum role.
 */
export const project = (least: Least = {}): AccessRule<InProject> => ({
  audience: audienceOf(least, "project"),
  admit: async (call) => {
    const visible = await visibleProject(call);
    await requireRole(visible.project.role, least, () => visibleProject(call));
    return byUser(call, visible);
  },
});

/**
 * The access rule of endpoints under `/projects/:id` that also work without a token. The caller must be able to see the
 * project.
 */
export const openProject = (): AccessRule<OpenProject> => ({
  audience: "everybody",
  anonymous: true,
  admit: visibleProject,
});

/**
 * The access rule of endpoints under `/projects/:id` that return source code and also work without a token.
 * The caller must be allowed to read the source code. The endpoints reject tokens that have only scopes for
 * Git.
 */
export const code = (): AccessRule<OpenProject> => ({
  audience: "everyone who can read the code",
  anonymous: true,
  admit: async (call) => {
    const visible = await visibleProject(call);
    if (!mayFetch(visible.project.visibility, visible.project.role)) throw forbidden();
    return visible;
  },
});

/**
 * The access rule of endpoints under `/groups/:id` that require a token. The caller must be able to see the contents of
 * the group, or have the minimum role.
 */
export const group = (least: Least = {}): AccessRule<InGroup> => ({
  audience: audienceOf(least, "group"),
  admit: async (call) => {
    const visible = await visibleGroup(call);
    await requireRole(visible.group.role, least, () => visibleGroup(call));
    if (least.atLeast === undefined && !maySeeContents(visible.group)) throw forbidden();
    return byUser(call, visible);
  },
});

/**
 * The access rule of endpoints under `/groups/:id` that also work without a token. The caller must be able to see the
 * group.
 */
export const openGroup = (): AccessRule<OpenGroup> => ({
  audience: "everybody",
  anonymous: true,
  admit: visibleGroup,
});

/** Returns an object that contains the given project or group, and the authenticated caller. */
export function byUser<Resource extends object>(call: Call, resource: Resource) {
  const caller = authenticated(call);
  return { ...resource, caller, user: caller.user };
}

type Finder<Resource> = (deps: Deps, reference: string, user: User | null) => Promise<Resource | null>;

/**
 * Returns a project or a group.
 * @throws ApiError 404 if the project or group does not exist or is hidden from the caller.
 */
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
 * Checks that the caller has a minimum role in a project or a group that the caller can see.
 * @param findAgain queries the project or group again, and throws a 404 error if the project or group no
 * longer exists. A concurrent deletion removes the members first, so a missing role can mean that the project
 * or group no longer exists. The repeated lookup then causes 404 instead of 403.
 */
async function requireRole(held: Role | null, { atLeast }: Least, findAgain: () => unknown): Promise<void> {
  if (atLeast === undefined || reaches(held, atLeast)) return;
  await findAgain();
  throw forbidden();
}
