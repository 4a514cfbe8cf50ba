const UNITS = [
  ["year", 365 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * Returns a duration in words, with its two largest units: "2 hours", "1 day and 12 hours". Returns an empty
 * text for 0, because 0 has a special meaning in each setting.
 */
export function formatDuration(seconds: number): string {
  const words: string[] = [];
  let rest = seconds;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
  }
  const [first = "", second = ""] = words;
  const all = [first, second].filter(Boolean).join(" and ");
  return words.length > 2 ? `about ${all}` : all;
}
