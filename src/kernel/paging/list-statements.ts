import { integer, type WriteType } from "../db/column-types.ts";
import type { Reads } from "../db/prepared.ts";
import { type IsIn, type Statement, statement, withList } from "../db/statement.ts";
import { COUNTED_MAX, type OffsetPaging, type Page, pageById } from "./paging.ts";

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
