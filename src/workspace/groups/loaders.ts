import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Role, reaches } from "@/access/roles";
import { currentSession, requireSession, sessionIfAny } from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { rolesIn } from "../members/service";
import type { AuthorizedGroup, Group } from "./rules";
import { findGroup, listGroups, placeOf } from "./service";

export const GROUPS = "/groups";

const ROWS_SHOWN = 20;
const SEARCH_CHARACTERS_MAX = 100;

/** One page of the groups that somebody sees: those where they are a member, or all. */
export async function loadGroups(query: Query) {
  const user = (await sessionIfAny(GROUPS))?.user ?? null;
  const scope = user === null || textOf(query, "scope") === "all" ? "all" : "yours";
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const page = pageIn(query);
  const found = await listGroups(
    systemDeps(),
    user,
    { search, memberOnly: scope === "yours" },
    { kind: "offset", page, perPage: ROWS_SHOWN },
  );
  const roles = await rolesIn(systemDeps(), found.rows.map(placeOf), user);
  const kept = { scope: scope === "all" && user !== null ? "all" : "", search };
  const shown = found.rows.length;
  const pager = pagesBeside({ page, perPage: ROWS_SHOWN, shown, total: found.total }, GROUPS, kept);
  return { groups: found.rows, roles, scope, search, pager, user } as const;
}

/** A group, and who looks; null: signed out. */
export type VisibleGroup = Readonly<{ group: AuthorizedGroup; session: Session | null }>;

/** The group of a page for whoever may see it, looked up once however many components ask; else null. */
export const visibleGroup = cache(async (id: string): Promise<VisibleGroup | null> => {
  const session = await currentSession();
  const group = readId(id) === null ? null : await findGroup(systemDeps(), id, session?.user ?? null);
  return group && { group, session };
});

/**
 * The group of a page that everybody may look at who sees the group. For what somebody may not see there is no page,
 * whether or not it exists; who is signed out goes to sign in first, and comes back to the page.
 * @param path of the page, from the group's own address.
 * @param least what they must be in the group; null: it is enough to see it.
 */
export async function openGroup(
  id: string,
  path: (home: string) => string,
  least: Role | null = null,
): Promise<VisibleGroup> {
  const address = path(`${GROUPS}/${encodeURIComponent(id)}`);
  const session = await sessionIfAny(address);
  const seen = await visibleGroup(id);
  if (seen !== null && (least === null || reaches(seen.group.role, least))) return seen;
  await redirectByPath(id, session, path);
  await requireSession(address);
  return notFound();
}

/** An address by the group's path, as the API tells it, leads to the one by its id. */
async function redirectByPath(
  reference: string,
  session: Session | null,
  path: (home: string) => string,
): Promise<void> {
  if (!/^[\w.-]{1,255}$/.test(reference) || readId(reference) !== null) return;
  const group = await findGroup(systemDeps(), reference, session?.user ?? null);
  if (group !== null) redirect(path(`${GROUPS}/${group.id}`));
}

/** The same for pages that only signed-in people have. */
export async function requireGroup(
  id: string,
  path: (home: string) => string,
  least: Role | null = null,
): Promise<VisibleGroup & Readonly<{ session: Session }>> {
  const { group } = await openGroup(id, path, least);
  return { group, session: await requireSession(path(`${GROUPS}/${encodeURIComponent(id)}`)) };
}

/** The group below which a new one is made; null: below none. */
export async function loadNewGroup(query: Query): Promise<Group | null> {
  const parent = textOf(query, "parent");
  if (parent === "") {
    await requireSession(`${GROUPS}/new`);
    return null;
  }
  const back = () => `${GROUPS}/new?parent=${encodeURIComponent(parent)}`;
  return (await requireGroup(parent, back, "maintainer")).group;
}
