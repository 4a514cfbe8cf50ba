/** A time as SDKs send it: seconds since 1970, or ISO text, which is in UTC where it names no zone. Null for neither. */
export function readTime(value: unknown): Date | null {
  const milliseconds =
    typeof value === "number"
      ? value * 1000
      : typeof value === "string" && value.length <= 40
        ? Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes("T") ? value : `${value}Z`)
        : Number.NaN;
  return Math.abs(milliseconds) < 8e15 ? new Date(milliseconds) : null;
}
