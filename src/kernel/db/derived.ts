const DERIVED = Symbol("derived");

/**
 * Returns the value that `derive` creates from the rows of a lookup. The function stores the derived value
 * for the array of rows. `lookup-cache.ts` returns the same array for an unchanged result, so the value is
 * created only once. Each array of rows must have only one kind of derived value.
 */
export function derivedFrom<Row, Value>(
  rows: readonly Row[],
  derive: (rows: readonly Row[]) => Value,
): Value {
  const cached = rows as readonly Row[] & { [DERIVED]?: { readonly value: Value } };
  cached[DERIVED] ??= { value: derive(rows) };
  return cached[DERIVED].value;
}
