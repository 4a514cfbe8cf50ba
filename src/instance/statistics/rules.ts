export const HOUR_MS = 3_600_000;

/** The periods of the charts, each with the number of bars and the length of a bar in hours. */
export const PERIODS = {
  "24h": { label: "24 hours", bars: 24, hoursPerBar: 1 },
  "7d": { label: "7 days", bars: 28, hoursPerBar: 6 },
  "30d": { label: "30 days", bars: 30, hoursPerBar: 24 },
} as const satisfies Record<string, { label: string; bars: number; hoursPerBar: number }>;

export type Period = keyof typeof PERIODS;

/**
 * Returns the period of a chart with this name. For any other text, the function returns the period of 24
 * hours.
 */
export const readPeriod = (text: string): Period => (Object.hasOwn(PERIODS, text) ? (text as Period) : "24h");

/** A bar of a chart: the time at which it begins and the number of events until the next bar. */
export type Bar = Readonly<{ from: Date; count: number }>;

/** Returns the beginning of the hour that contains a time. */
export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);

/** Returns the time at which the first bar of a period begins. The last bar ends with the current hour. */
export function startOf(period: Period, now: Date): Date {
  const { bars, hoursPerBar } = PERIODS[period];
  return new Date(hourOf(now).getTime() + HOUR_MS - bars * hoursPerBar * HOUR_MS);
}

/**
 * Returns the bars of a period, each with the sum of its hourly counts. Counts of hours outside the period are
 * ignored.
 */
export function barsOf(
  period: Period,
  now: Date,
  hours: readonly Readonly<{ hour: Date; count: number }>[],
): readonly Bar[] {
  const { bars, hoursPerBar } = PERIODS[period];
  const start = startOf(period, now).getTime();
  const counts = new Array<number>(bars).fill(0);
  for (const { hour, count } of hours) {
    const index = Math.floor((hour.getTime() - start) / (hoursPerBar * HOUR_MS));
    if (index >= 0 && index < bars) counts[index] = (counts[index] ?? 0) + count;
  }
  return counts.map((count, index) => ({ from: new Date(start + index * hoursPerBar * HOUR_MS), count }));
}
