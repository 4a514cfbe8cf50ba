/**
 * The functions of this file read untrusted values. The results of these functions always have the expected
 * type and a limited size.
 */

/**
 * PostgreSQL rejects U+0000 and lone surrogates. `SUSPECT` is a fast check for both, because most texts
 * contain neither U+0000 nor surrogates.
 */
const SUSPECT = /[\0\ud800-\udfff]/;
const BROKEN = /[\0\p{Surrogate}]/gu;

/**
 * Returns a value as a text of at most `most` characters. If the value is not a string, number or boolean,
 * the function returns an empty string.
 */
export function text(value: unknown, most: number): string {
  if (typeof value === "string") return clean(value.length > most ? `${value.slice(0, most - 1)}…` : value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

const clean = (value: string): string => (SUSPECT.test(value) ? value.replace(BROKEN, "\u{FFFD}") : value);

/** Returns the value if it is an object; otherwise an empty object. */
export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/**
 * Returns the list that an untrusted value contains. The list is the value itself if it is an array, the
 * array in the member `values`, or an array with the value if it is another object. For any other value, the
 * function returns an empty array.
 */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const { values } = record(value);
  if (Array.isArray(values)) return values;
  return typeof value === "object" && value !== null && values === undefined ? [value] : [];
}

/** Returns at most `most` name-value pairs. The untrusted value may be an object, or an array of pairs. */
export function pairs(value: unknown, most: number): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return Object.entries(record(value)).slice(0, most);
  return value
    .slice(0, most)
    .flatMap((pair) => (Array.isArray(pair) ? [[text(pair[0], 200), pair[1]] as const] : []));
}

/** Returns the value if it is a non-negative integer; otherwise null. */
export const wholeNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
