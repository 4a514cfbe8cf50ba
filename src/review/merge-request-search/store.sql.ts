import { integer, text } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type Statement, statement } from "@/kernel/db/statement";
import { COUNTED_MAX } from "@/kernel/paging/paging";
import { MERGE_REQUEST_ORDERS, type MergeRequestFilter, type MergeRequestOrder } from "./filter";

/**
 * A list of the merge requests of one project, in all states or in one state, ordered by one column of the
 * database table.
 */
export type ProjectList = Readonly<{
  projectId: number;
  state: string | undefined;
  order: MergeRequestOrder;
  descending: boolean;
}>;

/**
 * The filter fields that the prepared statements for the merge requests of one project support. The field
 * `readable` is supported only if it contains no query conditions.
 */
const FIELDS: ReadonlySet<string> = new Set(["projectId", "state", "order", "descending", "readable"]);

/**
 * Returns the prepared list of the merge requests of one project that corresponds to a filter; null if the
 * filter contains other fields. A list of all states in the order of the merge time needs two queries, so the
 * result is also null.
 */
export function projectListOf(filter: MergeRequestFilter): ProjectList | null {
  const { projectId, state, order, descending, readable } = filter;
  if (projectId === undefined || Object.keys(readable).length > 0) return null;
  if (order === "merged_at" && state === undefined) return null;
  const others = Object.entries(filter).filter(([name, value]) => !FIELDS.has(name) && value !== undefined);
  return others.length > 0 ? null : { projectId, state, order, descending };
}

type Parameters = Readonly<{ projectId: number; state: string; skip: number; take: number }>;

const DIRECTIONS = ["ASC", "DESC"] as const;
const CONDITIONS = {
  any: `r."projectId" = :projectId`,
  one: `r."projectId" = :projectId AND r."state" = :state`,
} as const;
const stateOf = (list: ProjectList): keyof typeof CONDITIONS => (list.state === undefined ? "any" : "one");

/**
 * The prepared statements, with the order, the direction and the state in the key. Each order has its own
 * statement, because a parameter cannot be the name of a column.
 */
const PARTS: ReadonlyMap<string, Statement<Parameters, Readonly<{ id: number }>>> = new Map(
  Object.entries(MERGE_REQUEST_ORDERS).flatMap(([order, column]) =>
    DIRECTIONS.flatMap((direction) =>
      Object.entries(CONDITIONS).map(([state, condition]) => {
        const name = `${order} ${direction} ${state}`;
        return [
          name,
          statement({
            name: `merge_requests_of_project_${name.replaceAll(" ", "_").toLowerCase()}`,
            parameters: { projectId: integer, state: text, skip: integer, take: integer },
            columns: { id: [`r."id"`, integer] },
            sql: (columns) => `SELECT ${columns} FROM "MergeRequest" r WHERE ${condition}
              ORDER BY r."${column}" ${direction}, r."id" ${direction} LIMIT :take OFFSET :skip`,
          }),
        ];
      }),
    ),
  ),
);

/**
 * Returns the ids of some of the merge requests of one project: `take` rows of the list after the first
 * `skip` rows.
 */
export function listIds(
  reads: Reads,
  list: ProjectList,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Eventually<readonly Readonly<{ id: number }>[]> {
  const name = `${list.order} ${list.descending ? "DESC" : "ASC"} ${stateOf(list)}`;
  const part = PARTS.get(name);
  if (part === undefined) throw new Error(`No statement lists merge requests in the order ${name}.`);
  return reads.all(part, { projectId: list.projectId, state: list.state ?? "", skip, take });
}

const countOf = (state: keyof typeof CONDITIONS) =>
  statement({
    name: `count_merge_requests_of_project_${state}`,
    parameters: { projectId: integer, state: text },
    columns: { count: [`CAST(count(*) AS INTEGER)`, integer] },
    sql: (columns) => `SELECT ${columns} FROM (
      SELECT r."id" FROM "MergeRequest" r WHERE ${CONDITIONS[state]} LIMIT ${COUNTED_MAX + 1}) r`,
  });
const COUNTS = { any: countOf("any"), one: countOf("one") };

/** Counts the merge requests in a list of one project, up to `COUNTED_MAX + 1`. */
export async function countList(reads: Reads, list: ProjectList): Promise<number> {
  const counted = COUNTS[stateOf(list)];
  const row = await reads.first(counted, { projectId: list.projectId, state: list.state ?? "" });
  return row?.count ?? 0;
}
