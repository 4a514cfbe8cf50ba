/**
 * The maximum number of ids in a statement. If the number of ids is larger, the statement contains a
 * condition that the database checks for each row. The limit is low because a statement on SQLite has at most
 * 998 parameters, and because a statement can contain five lists of ids. The five lists contain the ids of
 * projects, of groups (three lists), and of the rows that match a filter.
 */
export const NAMED_MAX = 256;

/**
 * Returns the given ids, or null when the number of ids exceeds the limit. Callers therefore need to query at
 * most one id more than the limit.
 */
export const named = (ids: readonly number[], most = NAMED_MAX): readonly number[] | null =>
  ids.length > most ? null : ids;

/**
 * Returns the negation of `opposite`, which is a `notIn` condition on a column that is never null. SQLite
 * uses no index for a negated condition. If one operand of an OR has no index, SQLite reads the table in the
 * order of the list. If each operand of an OR has an index, SQLite collects the rows from the indexes and
 * sorts the rows, which is slow when most rows of the list match.
 */
export const unindexed = <Condition extends object>(opposite: Condition): Readonly<{ NOT: Condition }> => ({
  NOT: opposite,
});

/**
 * Repeats the last id of a list until the length of the list is a power of four, so that the database
 * prepares only a few statements.
 */
export function padToPowerOfFour(ids: readonly number[]): number[] {
  const [last] = ids.slice(-1);
  if (last === undefined) return [];
  const length = 4 ** Math.ceil(Math.log(ids.length) / Math.log(4));
  return [...ids, ...new Array<number>(Math.max(0, length - ids.length)).fill(last)];
}

/** A query condition on the id of a row. */
export type HasId = Readonly<{ id: { in: number[] } }>;

/**
 * Combines query conditions. Each part is a list of ids, or a query condition that replaces a list with too
 * many ids. The result contains the intersection of all lists of ids.
 */
export function allOf<Condition extends object>(
  parts: readonly (readonly number[] | Condition)[],
): readonly (Condition | HasId)[] {
  const lists = parts.filter((part): part is readonly number[] => Array.isArray(part));
  const conditions = parts.filter((part): part is Condition => !Array.isArray(part));
  const [first, ...others] = lists;
  if (first === undefined) return conditions;
  const sets = others.map((ids) => new Set(ids));
  const ids = first.filter((id) => sets.every((set) => set.has(id)));
  return [{ id: { in: padToPowerOfFour(ids) } }, ...conditions];
}

/**
 * Returns a query condition that is true when any of the given conditions is true. For an empty list, the
 * returned condition matches no row, whereas Prisma ignores an empty `OR` among other conditions.
 */
export const anyOf = <Condition extends object>(
  conditions: readonly Condition[],
): HasId | Readonly<{ OR: Condition[] }> =>
  conditions.length === 0 ? { id: { in: [] } } : { OR: [...conditions] };

/** Returns the query condition that selects the values of a column between two optional limits. */
export const between = <Value extends Date | number>(least: Value | undefined, most: Value | undefined) => ({
  ...(least === undefined ? {} : { gte: least }),
  ...(most === undefined ? {} : { lte: most }),
});
