import { integer, type WriteType } from "../db/column-types.ts";
import type { Reads } from "../db/prepared.ts";
import { type Columns, type IsIn, type Statement, statement, withList } from "../db/statement.ts";
import {
  COUNTED_MAX,
  isAscending,
  type KeysetPaging,
  type OffsetPaging,
  type Page,
  pageById,
  windowOf,
} from "./paging.ts";

/** The rows of a page: `take` rows of the list after the first `skip` rows. */
type Window = Readonly<{ skip: number; take: number }>;

/** The prepared statements of a list: the ids of a page, and the number of rows up to `COUNTED_MAX + 1`. */
type ListStatements<Parameters> = Readonly<{
  ids: Statement<Parameters & Window, Readonly<{ id: number }>>;
  count: Statement<Parameters, Readonly<{ count: number }>>;
}>;

type Part = (isIn: IsIn) => string;

const COUNT = `CAST(count(*) AS INTEGER)`;
const countedPart = (from: string): string => `(SELECT 1 FROM ${from} LIMIT ${COUNTED_MAX + 1})`;

/**
 * Defines the statements of a list. Prisma would count the rows in the order of their ids, so the database
 * would sort all rows if no index has this order.
 * @param list.from the part of the statements that follows FROM, with the alias `r` for the listed table.
 * @param list.order the part of the statement that follows ORDER BY.
 * @param list.sufficient the part after FROM of a statement that selects only some rows of the list, by one
 * index. If there are more than `COUNTED_MAX` of these rows, no other rows need to be counted.
 */
export const listStatements = <const Types extends Readonly<Record<string, WriteType<never>>>>({
  name,
  parameters,
  from,
  order,
  sufficient,
}: Readonly<{
  name: string;
  parameters: Types;
  from: Part;
  order: string;
  sufficient?: Part;
}>) => ({
  ids: statement({
    name: `${name}_ids`,
    isScan: true,
    parameters: { ...parameters, skip: integer, take: integer },
    columns: { id: [`r."id"`, integer] },
    sql: withList(
      (columns, isIn) => `SELECT ${columns} FROM ${from(isIn)} ORDER BY ${order} LIMIT :take OFFSET :skip`,
    ),
  }),
  count: statement({
    name: `${name}_count`,
    // The count of a long list takes longer than all other statements of a request together. Clients often read many
    // pages of a list, one after the other. With the current time as a parameter, no two counts are the same.
    isCached: !("now" in parameters),
    isScan: true,
    parameters,
    columns: { count: [COUNT, integer] },
    sql: withList((columns, isIn) => {
      if (sufficient === undefined) return `SELECT ${columns} FROM ${countedPart(from(isIn))} r`;
      // The databases evaluate the second subquery only if the first subquery counts too few rows.
      return `SELECT CASE WHEN r."some" > ${COUNTED_MAX} THEN r."some"
        ELSE (SELECT ${COUNT} FROM ${countedPart(from(isIn))} r) END AS "c0"
        FROM (SELECT ${COUNT} AS "some" FROM ${countedPart(sufficient(isIn))} r) r`;
    }),
  }),
});

/** Counts the rows of a list, up to `COUNTED_MAX + 1`. */
export const countListed = async <Parameters>(
  reads: Reads,
  { count }: ListStatements<Parameters>,
  parameters: NoInfer<Parameters>,
): Promise<number> => (await reads.first(count, parameters))?.count ?? 0;

/**
 * Returns a page of a list without a search.
 * @param read returns the rows with the given ids, in any order.
 */
export const pageOfList = <Parameters, Row extends Readonly<{ id: number }>>(
  reads: Reads,
  list: ListStatements<Parameters>,
  parameters: NoInfer<Parameters>,
  paging: OffsetPaging,
  read: (ids: number[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> =>
  pageById(paging, {
    isSearch: false,
    find: async (window) => reads.all(list.ids, { ...parameters, ...window }),
    read,
    count: () => countListed(reads, list, parameters),
  });

/** The cursor of a keyset page, and the maximum number of rows. */
type KeysetWindow = Readonly<{ cursor: number; most: number }>;

/** The prepared statements of a list in the order of ids: the rows before a cursor, and the rows after a cursor. */
type KeysetStatements<Parameters, Row> = Readonly<Record<"older" | "newer", Statement<Parameters, Row>>>;

/**
 * Defines the statements of a list that is ordered by id and divided into keyset pages.
 * @param list.from the part of the statements that follows FROM, including a condition with WHERE.
 * @param list.id the SQL expression for the id of a row.
 */
export const keysetStatements = <
  const Types extends Readonly<Record<string, WriteType<never>>>,
  const Of extends Columns,
>({
  name,
  id,
  from,
  ...list
}: Readonly<{ name: string; parameters: Types; columns: Of; from: Part; id: string }>) => {
  const page = (side: "older" | "newer", isBeyond: "<" | ">", order: "ASC" | "DESC") =>
    statement({
      name: `${name}_${side}`,
      isScan: true,
      parameters: { ...list.parameters, cursor: integer, most: integer },
      columns: list.columns,
      sql: withList(
        (columns, isIn) => `
        SELECT ${columns} FROM ${from(isIn)} AND ${id} ${isBeyond} :cursor ORDER BY ${id} ${order} LIMIT :most`,
      ),
    });
  return { older: page("older", "<", "DESC"), newer: page("newer", ">", "ASC") };
};

/** The limits of the ids of rows, as the cursor of a first page. */
const BEFORE_ALL_IDS = 0;
const AFTER_ALL_IDS = 2_147_483_647;

/**
 * Returns the rows from which `keysetPageFrom` builds a page.
 * @param parametersFor returns the parameters of the statements for a page.
 */
export const keysetRows = async <Parameters, Row>(
  reads: Reads,
  { older, newer }: KeysetStatements<Parameters, Row>,
  paging: KeysetPaging,
  parametersFor: (window: KeysetWindow) => NoInfer<Parameters>,
): Promise<readonly Row[]> => {
  const [page, start] = isAscending(paging) ? [newer, BEFORE_ALL_IDS] : [older, AFTER_ALL_IDS];
  const cursor = paging.cursor?.key ?? start;
  return reads.all(page, parametersFor({ cursor, most: windowOf(paging).take }));
};
