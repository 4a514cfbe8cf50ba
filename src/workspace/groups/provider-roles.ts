import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";
import type { Deps, Hooks } from "@/kernel/deps/deps";
import { addMember, changeMember, findMember, removeMember } from "../members/service";
import type { Group } from "./rules";
import { resourceOf } from "./service";
import * as store from "./store";

/**
 * Gives a user the group roles that a sign-in provider asserts. The function changes only memberships that an
 * earlier call of the function created and that no user has changed since.
 */
export const applyProviderRoles: Hooks["providerRoles"] = async (deps, user, rules, before) => {
  const groups = await store.findByPaths(
    deps.db,
    rules.map(({ group }) => group.toLowerCase()),
    Object.keys(before).map(Number),
  );
  const wanted = new Map<number, Role>();
  for (const { group: path, role } of rules) {
    const group = groups.find(({ fullPath }) => fullPath.toLowerCase() === path.toLowerCase());
    if (group === undefined) {
      deps.log.warn({ event: "provider_roles.unknown_group", group: path });
      continue;
    }
    const other = wanted.get(group.id) ?? null;
    if (other === null || reaches(role, other)) wanted.set(group.id, role);
  }
  const after: Record<string, Role> = {};
  // Each change locks a group until the end of the transaction. The order prevents deadlocks between simultaneous
  // sign-ins.
  for (const group of groups.toSorted((a, b) => a.id - b.id)) {
    const role = await apply(deps, user, group, {
      wanted: wanted.get(group.id) ?? null,
      before: before[group.id] ?? null,
    });
    if (role !== null) after[group.id] = role;
  }
  return after;
};

/**
 * Returns the role that the group mapping has given to the user in this group; null if the group mapping has
 * given no role.
 */
async function apply(
  deps: Deps,
  user: User,
  group: Group,
  { wanted, before }: Readonly<{ wanted: Role | null; before: Role | null }>,
): Promise<Role | null> {
  const change = { resource: resourceOf(group), by: user, held: "owner" } as const;
  const member = await findMember(deps, change.resource, user.id);
  if (before !== null && member !== null && member.role === before && member.expiresAt === null) {
    if (wanted === before) return before;
    const refused =
      wanted === null
        ? await removeMember(deps, change, user.id)
        : await changeMember(deps, change, user.id, { role: wanted });
    return typeof refused === "string" ? before : wanted;
  }
  if (wanted === null || member !== null) return null;
  const added = await addMember(deps, change, user, { role: wanted, expiresAt: null });
  return typeof added === "string" ? null : wanted;
}
