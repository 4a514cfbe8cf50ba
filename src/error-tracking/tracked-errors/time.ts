/** Parses a time from an SDK: seconds since the Unix epoch, or ISO 8601 text (UTC if it names no zone); null if invalid. */
export function readTime(value: unknown): Date | null {
  const milliseconds =
    typeof value === "number"
      ? value * 1000
      : typeof value === "string" && value.length <= 40
        ? Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes("T") ? value : `${value}Z`)
        : Number.NaN;
  return Math.abs(milliseconds) < 8e15 ? new Date(milliseconds) : null;
}
