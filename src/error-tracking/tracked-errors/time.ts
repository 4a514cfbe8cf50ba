/**
 * Parses a time from an SDK. The time is the number of seconds since the Unix epoch, or an ISO 8601 string. A
 * string without a time zone is parsed as UTC. Returns null for an invalid time.
 */
export function readTime(value: unknown): Date | null {
  const milliseconds =
    typeof value === "number"
      ? value * 1000
      : typeof value === "string" && value.length <= 40
        ? Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes("T") ? value : `${value}Z`)
        : Number.NaN;
  return Math.abs(milliseconds) < 8e15 ? new Date(milliseconds) : null;
}
