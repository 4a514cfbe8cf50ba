/**
 * Beyond so many, the database looks for each row whether it is one of them. A statement on SQLite takes 998 values, and
 * may name projects, groups in three ways, and what a filter found.
 */
export const NAMED_MAX = 256;

/** These ids, of which up to one too many were read; null where they are too many to be named. */
export const named = (ids: readonly number[], most = NAMED_MAX): readonly number[] | null =>
  ids.length > most ? null : ids;

/**
 * The opposite of a condition: that a column, which must not be null, has one of some values, written as the opposite of
 * `notIn`, so that SQLite uses no index for it: where one of several conditions has none, SQLite goes through a list in its order instead of gathering by the
 * indexes of all of them what may be most of the list, and sorting that.
 */
export const unindexed = <Condition extends object>(opposite: Condition): Readonly<{ NOT: Condition }> => ({
  NOT: opposite,
});

/** The same ids, the last of them repeated: so that the database meets few lengths of a list, and prepares for each. */
export function padToPowerOfFour(ids: readonly number[]): number[] {
  const [last] = ids.slice(-1);
  if (last === undefined) return [];
  const length = 4 ** Math.ceil(Math.log(ids.length) / Math.log(4));
  return [...ids, ...new Array<number>(Math.max(0, length - ids.length)).fill(last)];
}

/** A condition on the id of a row. */
export type HasId = Readonly<{ id: { in: number[] } }>;

/**
 * One condition of several, each of which is either a list of ids or, where those were too many to be named, a
 * condition: the ids that are in every list are named once.
 */
export function allOf<Condition extends object>(
  parts: readonly (readonly number[] | Condition)[],
): readonly (Condition | HasId)[] {
  const lists = parts.filter((one): one is readonly number[] => Array.isArray(one));
  const conditions = parts.filter((one): one is Condition => !Array.isArray(one));
  const [first, ...others] = lists;
  if (first === undefined) return conditions;
  const sets = others.map((ids) => new Set(ids));
  const ids = first.filter((id) => sets.every((set) => set.has(id)));
  return [{ id: { in: padToPowerOfFour(ids) } }, ...conditions];
}

/** Any of these conditions; nothing where there are none: an empty `OR` beside other conditions would not count. */
export const anyOf = <Condition extends object>(
  conditions: readonly Condition[],
): HasId | Readonly<{ OR: Condition[] }> =>
  conditions.length === 0 ? { id: { in: [] } } : { OR: [...conditions] };

/** The condition on a column that lies between two values, each of which may be left out. */
export const between = <Value extends Date | number>(least: Value | undefined, most: Value | undefined) => ({
  ...(least === undefined ? {} : { gte: least }),
  ...(most === undefined ? {} : { lte: most }),
});
