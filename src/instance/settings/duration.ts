const UNITS = [
  ["year", 365 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** The units in which durations of settings are stored, each with its length in seconds. */
const STORED_IN = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const satisfies Record<
  string,
  number
>;

/** The unit in which the value of a setting is stored. */
export type DurationUnit = keyof typeof STORED_IN;

/** The words for units that the parser accepts, each with the length of the unit in seconds. */
const WORDS: ReadonlyMap<string, number> = new Map(
  (
    [
      ["s sec secs second seconds", 1],
      ["m min mins minute minutes", 60],
      ["h hr hrs hour hours", 3600],
      ["d day days", 86_400],
      ["w week weeks", 7 * 86_400],
      ["month months", 30 * 86_400],
      ["y yr yrs year years", 365 * 86_400],
    ] as const
  ).flatMap(([words, size]) => words.split(" ").map((word) => [word, size] as const)),
);

const PART = /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]+)(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*)/;

/**
 * Returns the exact duration in words, with all its units: "2 hours", "1 day, 12 hours and 5 seconds". The
 * text for the value 0 is "0", because 0 has a special meaning in each setting.
 * @param value the value in the unit of its setting.
 */
export function durationText(value: number, unit: DurationUnit): string {
  const words: string[] = [];
  let rest = value * STORED_IN[unit];
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  }
  const last = words.pop();
  if (last === undefined) return "0";
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`;
}

/**
 * Parses a duration such as "2 hours", "1h 30m", "1 day, 12 hours and 5 seconds" or "1.5 days". A number
 * without a unit is in the unit of the setting. Weeks have 7 days, months 30 days and years 365 days.
 * @returns the value in the unit of the setting; null if the text is not a duration, or if the value is not a
 * whole number of this unit.
 */
export function parseDuration(text: string, unit: DurationUnit): number | null {
  let rest = text.trim().toLowerCase();
  if (/^\d{1,12}$/.test(rest)) return Number(rest);
  if (rest === "") return null;
  let seconds = 0;
  while (rest !== "") {
    const part = PART.exec(rest);
    const size = WORDS.get(part?.[2] ?? "");
    if (part === null || size === undefined) return null;
    seconds += Number(part[1]) * size;
    rest = rest.slice(part[0].length);
  }
  // The sum of the parts of a duration is rounded, because a sum of decimal fractions may differ from a whole
  // number by a rounding error.
  const rounded = Math.round(seconds);
  const value = rounded / STORED_IN[unit];
  return Math.abs(seconds - rounded) < 1e-6 && Number.isSafeInteger(value) ? value : null;
}
