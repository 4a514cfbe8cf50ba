import { notFound } from "next/navigation";
import type { Role } from "@/access/roles";
import type { Session } from "@/identity/sessions/service";
import { mailIsOn } from "@/instance/mail/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { GROUPS, requireGroup } from "../groups/loaders";
import { maySeeContents } from "../groups/rules";
import { resourceOf as resourceOfGroup } from "../groups/service";
import { inviterProblem, listInvitations } from "../invitations/service";
import type { ProjectOrGroup } from "../members/rules";
import { listMemberships } from "../members/service";
import { PROJECTS, requireProject } from "../projects/loaders";
import { resourceOf as resourceOfProject } from "../projects/service";

const MEMBERS_SHOWN = 25;
const SEARCH_CHARACTERS_MAX = 100;

/**
 * The data of a members page: the project or group, the session and the role of the viewer, and the URL path of the
 * page.
 */
export type MembersPageContext = Readonly<{
  resource: ProjectOrGroup;
  session: Session;
  held: Role | null;
  url: string;
}>;

/** Returns the project or group of a members page. The viewer must be signed in. */
export async function requireResource(kind: ProjectOrGroup["kind"], id: string): Promise<MembersPageContext> {
  const path = (home: string) => `${home}/members`;
  if (kind === "group") {
    const { group, session } = await requireGroup(id, path);
    if (!maySeeContents(group)) notFound();
    const url = path(`${GROUPS}/${group.id}`);
    return { resource: resourceOfGroup(group), session, held: group.role, url: url };
  }
  const { project, session } = await requireProject(id, path);
  const url = path(`${PROJECTS}/${project.id}`);
  return { resource: resourceOfProject(project), session, held: project.role, url: url };
}

/** Loads a page of the direct and inherited members of a project or a group. */
export async function loadMembers(kind: ProjectOrGroup["kind"], id: string, query: Query) {
  const { resource, session, held, url } = await requireResource(kind, id);
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const paging = offsetPagingIn(query, MEMBERS_SHOWN);
  const { rows, total } = await listMemberships(deps, resource, search, paging);
  const inviter = { target: resource, by: session.user, held };
  const mayInvite = (await inviterProblem(deps, inviter)) === null;
  return {
    resource,
    held,
    self: session.user.id,
    members: rows,
    search,
    invitations: mayInvite ? await listInvitations(deps, resource) : null,
    mailIsOn: mailIsOn(deps),
    url: url,
    pager: offsetLinks(paging, { rows, total }, url, { search }),
    now: deps.clock(),
  };
}
