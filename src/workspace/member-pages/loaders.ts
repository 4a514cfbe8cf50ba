import { notFound } from "next/navigation";
import type { Role } from "@/access/roles";
import type { Session } from "@/identity/sessions/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { GROUPS, requireGroup } from "../groups/loaders";
import { maySeeContents } from "../groups/rules";
import { placeOf as placeOfGroup } from "../groups/service";
import type { Place } from "../members/rules";
import { listMemberships } from "../members/service";
import { PROJECTS, requireProject } from "../projects/loaders";
import { placeOf as placeOfProject } from "../projects/service";

const MEMBERS_SHOWN = 50;
const SEARCH_CHARACTERS_MAX = 100;

/** A project or a group with the session and the role of the viewer, and the URL of its members page. */
export type MembersPlace = Readonly<{ place: Place; session: Session; held: Role | null; url: string }>;

/** Returns the project or group of a members page. Requires a session. */
export async function requirePlace(kind: Place["kind"], id: string): Promise<MembersPlace> {
  const path = (home: string) => `${home}/members`;
  if (kind === "group") {
    const { group, session } = await requireGroup(id, path);
    if (!maySeeContents(group)) notFound();
    const url = path(`${GROUPS}/${group.id}`);
    return { place: placeOfGroup(group), session, held: group.role, url: url };
  }
  const { project, session } = await requireProject(id, path);
  const url = path(`${PROJECTS}/${project.id}`);
  return { place: placeOfProject(project), session, held: project.role, url: url };
}

/** Loads a page of the members of a project or a group, inherited members included. */
export async function loadMembers(kind: Place["kind"], id: string, query: Query) {
  const { place, session, held, url } = await requirePlace(kind, id);
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const page = pageIn(query);
  const paging = { kind: "offset", page, perPage: MEMBERS_SHOWN } as const;
  const { rows, total } = await listMemberships(deps, place, search, paging);
  const list = { page, perPage: MEMBERS_SHOWN, shown: rows.length, total };
  return {
    place,
    held,
    self: session.user.id,
    members: rows,
    search,
    url: url,
    pager: pagesBeside(list, url, { search }),
    now: deps.clock(),
  };
}
