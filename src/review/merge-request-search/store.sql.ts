import { integer, text } from "@/kernel/db/column-types";
import type { IsIn } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";
import type { Descendants } from "@/workspace/hierarchy/descendants";
import { VISIBLE_IDS, type VisibleIds, visibleRows } from "@/workspace/members/visibility-filter";
import { MERGE_REQUEST_ORDERS, type MergeRequestFilter, type MergeRequestOrder } from "./filter";

/** The parameters of the prepared lists. Each statement uses only some of the parameters. */
const PARAMETERS = {
  projectId: integer,
  topGroupId: integer,
  authorId: integer,
  state: text,
  ...VISIBLE_IDS,
};

/**
 * The sets of merge requests that have prepared lists: the merge requests of a project, of a top-level group, of
 * an author, and of an author in the projects that the viewer can see. An index contains the rows of each set in
 * each of its orders.
 */
const SETS = {
  project: {
    orders: ["created_at", "updated_at", "merged_at", "title"],
    condition: () => `r."projectId" = :projectId`,
  },
  group: { orders: ["created_at"], condition: () => `r."topGroupId" = :topGroupId` },
  author: { orders: ["created_at"], condition: () => `r."authorId" = :authorId` },
  visible: {
    orders: ["created_at"],
    condition: (isIn: IsIn) => `r."authorId" = :authorId AND ${visibleRows(`r."projectId"`, isIn)}`,
    sufficient: (isIn: IsIn) => `r."authorId" = :authorId AND ${isIn(`r."topGroupId"`, ":topGroupIds")}`,
  },
} as const satisfies Record<
  string,
  Readonly<{
    orders: readonly MergeRequestOrder[];
    condition: (isIn: IsIn) => string;
    sufficient?: (isIn: IsIn) => string;
  }>
>;
type SetName = keyof typeof SETS;

const STATES = { any: "", one: ` AND r."state" = :state` } as const;
const DIRECTIONS = ["ASC", "DESC"] as const;

type List = Readonly<{
  set: SetName;
  order: MergeRequestOrder;
  direction: (typeof DIRECTIONS)[number];
  state: keyof typeof STATES;
}>;

const keyOf = ({ set, order, direction, state }: List): string =>
  `${set}_${order}_${direction.toLowerCase()}_${state}`;

function preparedList(list: List) {
  const { condition, ...more } = SETS[list.set];
  const rowsWhere = (conditions: string) => `"MergeRequest" r WHERE ${conditions}${STATES[list.state]}`;
  return listStatements({
    name: `merge_requests_of_${keyOf(list)}`,
    parameters: PARAMETERS,
    from: (isIn) => rowsWhere(condition(isIn)),
    order: `r."${MERGE_REQUEST_ORDERS[list.order]}" ${list.direction}, r."id" ${list.direction}`,
    ...("sufficient" in more ? { sufficient: (isIn: IsIn) => rowsWhere(more.sufficient(isIn)) } : {}),
  });
}

/**
 * The prepared lists by set, order, direction and state. Each order has its own statements, because a parameter
 * cannot be the name of a column.
 */
const LISTS: ReadonlyMap<string, ReturnType<typeof preparedList>> = new Map(
  (["project", "group", "author", "visible"] as const).flatMap((set) =>
    SETS[set].orders.flatMap((order) =>
      DIRECTIONS.flatMap((direction) =>
        (["any", "one"] as const).map((state) => {
          const list = { set, order, direction, state };
          return [keyOf(list), preparedList(list)] as const;
        }),
      ),
    ),
  ),
);

/** The fields of a filter that the prepared lists support. All other fields must be undefined. */
const FIELDS: ReadonlySet<string> = new Set([
  ...["projectId", "groupId", "authorId", "state", "order", "descending", "readable"],
]);

/** The parameters of a prepared list whose statements do not use these parameters. */
const UNUSED = { projectId: 0, topGroupId: 0, authorId: 0, projectIds: [], groupIds: [], topGroupIds: [] };

/**
 * Returns the prepared list that corresponds to a filter; null if there is no such list. A list of all states in
 * the order of the merge time needs two queries, so the result is also null.
 * @param descendants the descendants of the group of the filter; null for a filter without a group.
 */
export function preparedListOf(filter: MergeRequestFilter, descendants: Descendants | null) {
  const { state, order } = filter;
  if (order === "merged_at" && state === undefined) return null;
  const restrictions = { ...filter, search: filter.search || undefined };
  if (Object.entries(restrictions).some(([name, value]) => !FIELDS.has(name) && value !== undefined))
    return null;
  const chosen = setOf(filter, descendants);
  if (chosen === null) return null;
  const { set, ...parameters } = chosen;
  const direction = filter.descending ? "DESC" : "ASC";
  const statements = LISTS.get(keyOf({ set, order, direction, state: state === undefined ? "any" : "one" }));
  return statements === undefined
    ? null
    : { statements, parameters: { ...UNUSED, state: state ?? "", ...parameters } };
}

type Chosen = Readonly<{ set: SetName }> &
  Partial<VisibleIds & Readonly<Record<"projectId" | "topGroupId" | "authorId", number>>>;

function setOf(
  { projectId, groupId, authorId, readable: { condition, ids } }: MergeRequestFilter,
  descendants: Descendants | null,
): Chosen | null {
  const seesAll = Object.keys(condition).length === 0;
  if (authorId !== undefined) {
    if (projectId !== undefined || groupId !== undefined) return null;
    if (seesAll) return { set: "author", authorId };
    return ids === null ? null : { set: "visible", authorId, ...ids };
  }
  if (!seesAll) return null;
  if (projectId !== undefined) return groupId === undefined ? { set: "project", projectId } : null;
  // A group with few descendants is selected by the ids of its descendants.
  const [topGroupId] = descendants?.topIds ?? [];
  return topGroupId === undefined ? null : { set: "group", topGroupId };
}
