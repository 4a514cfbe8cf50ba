/** A range of bytes, which includes the first and the last byte. */
export type ByteRange = Readonly<{ begin: number; end: number }>;

/**
 * Parses a `Range` header with one range (RFC 9110 §14.2).
 * @returns null if the response must contain the whole representation, because the request has no `Range`
 * header, asks for several ranges, or uses an unknown syntax. The result is `unsatisfiable` for a range after
 * the end of the representation.
 */
export function rangeOf(header: string | null, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { begin: sizeBytes - length, end: sizeBytes - 1 };
  }
  const begin = Number(first);
  if (last !== "" && Number(last) < begin) return null;
  if (begin >= sizeBytes) return "unsatisfiable";
  return { begin, end: last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
