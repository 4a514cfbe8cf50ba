import { z } from "zod";
import type { Principal, User } from "@/access/principal";
import { ROLES } from "@/access/roles";
import { VISIBILITIES } from "@/access/visibility";
import { forbidden, invalidParameters, notFound, unacceptable } from "@/http-api/errors";
import { accessLevel, flag, id, ids, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { EMPTY_PAGE, type Page, type Paging } from "@/kernel/paging/paging";
import type { Group } from "@/workspace/groups/rules";
import * as groups from "@/workspace/groups/service";
import type { InGroup, OpenGroup } from "./access-rules";

/** The parameters that filter and sort a list of groups. */
export const groupSearch = z.object({
  search: text(255).optional(),
  owned: flag.optional(),
  min_access_level: accessLevel.optional(),
  top_level_only: flag.optional(),
  all_available: flag
    .optional()
    .describe("If false, the list contains only groups in which the caller is a member."),
  skip_groups: ids.optional().describe("The ids of groups to exclude."),
  visibility: z.enum(VISIBILITIES).optional(),
  archived: flag
    .optional()
    .describe("Gatehouse does not archive groups, so the value true matches no group."),
  active: flag.optional().describe("Gatehouse does not archive groups, so the value false matches no group."),
  order_by: z.enum(["id", "created_at"]).default("id"),
  sort: z.enum(["asc", "desc"]).default("asc"),
});

type Search = z.infer<typeof groupSearch>;

const searchFrom = ({ search, owned, min_access_level, top_level_only, sort, ...input }: Search) => ({
  search: search ?? "",
  memberOnly: owned === true || min_access_level !== undefined || input.all_available === false,
  minLevel: Math.max(min_access_level ?? 0, owned === true ? ROLES.owner.level : 0),
  parentId: top_level_only === true ? null : undefined,
  visibility: input.visibility,
  skippedIds: input.skip_groups ?? [],
  descending: sort === "desc",
});

/** Returns whether a filter requires a property that no group of Gatehouse has. */
const matchesNoGroup = ({ archived, active }: Search): boolean => archived === true || active === false;

/** Returns a page of the groups that the caller can see. Callers without a token see public groups. */
export const listGroups = async (
  deps: Deps,
  caller: Principal | null,
  input: Search,
  paging: Paging,
): Promise<Page<Group>> =>
  matchesNoGroup(input)
    ? EMPTY_PAGE
    : groups.listGroups(deps, caller?.user ?? null, searchFrom(input), paging);

/** Returns a page of the direct subgroups of a group. */
export const listSubgroups = async (
  deps: Deps,
  { group, caller }: OpenGroup,
  input: Search,
  paging: Paging,
): Promise<Page<Group>> =>
  matchesNoGroup(input)
    ? EMPTY_PAGE
    : groups.listSubgroups(deps, caller?.user ?? null, group, searchFrom(input), paging);

export const groupDraft = z.object({
  name: text(255),
  path: text(255),
  description: z.string().max(2_000).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  parent_id: id.optional(),
});

/**
 * Creates a group.
 * @throws ApiError 400 if fields are invalid, 404 if the parent group is unknown, 403 if the caller may not create the
 * group.
 */
export async function createGroup(
  deps: Deps,
  { user }: Principal,
  { parent_id, ...draft }: z.infer<typeof groupDraft>,
): Promise<Group> {
  return requireGroup(await groups.createGroup(deps, user, draft, await parentOf(deps, parent_id, user)));
}

async function parentOf(deps: Deps, parentId: number | undefined, user: User) {
  if (parentId === undefined) return null;
  const parent = await groups.findGroup(deps, String(parentId), user);
  if (parent === null) throw notFound("Group");
  return parent;
}

export const groupChanges = groupDraft.pick({ name: true, description: true, visibility: true }).partial();

/**
 * Edits a group. @throws ApiError 400 if the request has no parameters, or if the value of a parameter is
 * invalid.
 */
export async function updateGroup(
  deps: Deps,
  { group, user }: InGroup,
  input: z.infer<typeof groupChanges>,
): Promise<Group> {
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length === 0)
    throw invalidParameters([
      "name, description, visibility are missing, at least one parameter must be provided",
    ]);
  return requireGroup(await groups.updateGroup(deps, group, changes, user));
}

function requireGroup(outcome: groups.GroupOutcome): Group {
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "gone") throw notFound("Group");
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome.group;
}

/**
 * Deletes a group.
 * @throws ApiError 403 if the caller is not an owner, 404 if another request has deleted the group.
 */
export async function deleteGroup(deps: Deps, { group, user }: InGroup): Promise<null> {
  const outcome = await groups.deleteGroup(deps, group, user);
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "gone") throw notFound("Group");
  return null;
}
