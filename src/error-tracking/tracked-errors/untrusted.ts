/** Reads what a stranger sent: whatever it is, what comes out has the right kind and a bounded size. */

/** PostgreSQL refuses U+0000, and half a character is none. Most texts have neither, which the first tells fast. */
const SUSPECT = /[\0\ud800-\udfff]/;
const BROKEN = /[\0\p{Surrogate}]/gu;

/** A text of at most `most` characters; empty for what is neither a text, a number nor a boolean. */
export function text(value: unknown, most: number): string {
  if (typeof value === "string") return clean(value.length > most ? `${value.slice(0, most - 1)}…` : value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

const clean = (value: string): string => (SUSPECT.test(value) ? value.replace(BROKEN, "\u{FFFD}") : value);

/** The members of an object; of anything else, none. */
export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** A list, or the list below `values`, or a single object as a list of one; of anything else, none. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const { values } = record(value);
  if (Array.isArray(values)) return values;
  return typeof value === "object" && value !== null && values === undefined ? [value] : [];
}

/** Names with values, as an object or as pairs, at most `most` of them. */
export function pairs(value: unknown, most: number): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return Object.entries(record(value)).slice(0, most);
  return value
    .slice(0, most)
    .flatMap((pair) => (Array.isArray(pair) ? [[text(pair[0], 200), pair[1]] as const] : []));
}

/** A whole number that is not negative; null for anything else. */
export const wholeNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
