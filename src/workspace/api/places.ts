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

/** A project that the caller may see, and who that is. */
export type InProject = Readonly<{ project: AuthorizedProject; user: User; caller: Principal }>;
/** The same where somebody without a token may ask, too. */
export type OpenProject = Readonly<{ project: AuthorizedProject; caller: Principal | null }>;
export type InGroup = Readonly<{ group: AuthorizedGroup; user: User; caller: Principal }>;
export type OpenGroup = Readonly<{ group: AuthorizedGroup; caller: Principal | null }>;

/** A project or group for members with at least a role; without one, for all who see it. */
type Least = Readonly<{ atLeast?: Role }>;

const audienceOf = ({ atLeast }: Least): string =>
  atLeast === undefined
    ? "anybody who sees it"
    : `members who are ${ROLES[atLeast].label.toLowerCase()} or more`;

/** Below `/projects/:id`, for everybody with a token who sees the project and has at least a role in it. */
export const project = (least: Least = {}): Place<InProject> => ({
  audience: audienceOf(least),
  admit: async (call) => {
    const seen = await visibleProject(call);
    await requireRole(seen.project.role, least, () => visibleProject(call));
    return byUser(call, seen);
  },
});

/** Below `/projects/:id`, for everybody who sees the project. */
export const openProject = (): Place<OpenProject> => ({
  audience: "everybody",
  anonymous: true,
  admit: visibleProject,
});

/** Below `/projects/:id`, for everybody who may read the code of the project; no token for Git alone opens it. */
export const code = (): Place<OpenProject> => ({
  audience: "anybody who may read its code",
  anonymous: true,
  admit: async (call) => {
    const seen = await visibleProject(call);
    if (!mayFetch(seen.project.visibility, seen.project.role)) throw forbidden();
    return seen;
  },
});

/** Below `/groups/:id`, for everybody with a token who sees inside the group, or has at least a role in it. */
export const group = (least: Least = {}): Place<InGroup> => ({
  audience: audienceOf(least),
  admit: async (call) => {
    const seen = await visibleGroup(call);
    await requireRole(seen.group.role, least, () => visibleGroup(call));
    if (least.atLeast === undefined && !maySeeContents(seen.group)) throw forbidden();
    return byUser(call, seen);
  },
});

/** Below `/groups/:id`, for everybody who sees the group. */
export const openGroup = (): Place<OpenGroup> => ({
  audience: "everybody",
  anonymous: true,
  admit: visibleGroup,
});

/** The same for a caller who has been authenticated. */
export function byUser<Seen extends object>(call: Call, seen: Seen) {
  const caller = authenticated(call);
  return { ...seen, caller, user: caller.user };
}

type Finder<Found> = (deps: Deps, reference: string, user: User | null) => Promise<Found | null>;

/** @throws ApiError 404 for what the caller may not see, as for what is not there. */
async function visible<Found>(
  { deps, caller, path }: Call,
  find: Finder<Found>,
  thing: string,
): Promise<Found> {
  const seen = await find(deps, String(path["id"] ?? ""), caller?.user ?? null);
  if (seen === null) throw notFound(thing);
  return seen;
}

async function visibleProject(call: Call): Promise<OpenProject> {
  return { project: await visible(call, findProject, "Project"), caller: call.caller };
}

async function visibleGroup(call: Call): Promise<OpenGroup> {
  return { group: await visible(call, findGroup, "Group"), caller: call.caller };
}

/**
 * Requires a role in a project or group that the caller sees.
 * @param look finds it again. A removal by another caller deletes the members first: the answer is 404 then, not 403.
 */
async function requireRole(held: Role | null, { atLeast }: Least, look: () => unknown): Promise<void> {
  if (atLeast === undefined || reaches(held, atLeast)) return;
  await look();
  throw forbidden();
}
