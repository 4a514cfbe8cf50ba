import { type Bar, PERIODS, type Period } from "./rules";

/** Returns the label of each bar of a period, in UTC: the hour, or the day for the longest period. */
export const labelsOf = (period: Period, bars: readonly Bar[]): readonly string[] =>
  bars.map(({ from }) => {
    const text = from.toISOString();
    return PERIODS[period].hoursPerBar < 24
      ? `${text.slice(5, 10)} ${text.slice(11, 16)}`
      : text.slice(0, 16).replace("T", " ");
  });
