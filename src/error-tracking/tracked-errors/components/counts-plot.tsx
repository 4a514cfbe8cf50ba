import { Plot } from "@/ui/plot";
import type { Range } from "../rules";
import type { Point } from "../service";

const RANGE_WORDS: Readonly<Record<Range, string>> = { "24h": "24 hours", "14d": "14 days" };

/** Returns the time range in words, such as "the last 24 hours". */
export const rangeWords = (range: Range): string => `the last ${RANGE_WORDS[range]}`;

/** A bar chart of the events of a tracked error over time. */
export function CountsPlot(props: { readonly points: readonly Point[]; readonly range: Range }) {
  const { points, range } = props;
  const total = points.reduce((sum, { count }) => sum + count, 0);
  const bars = points.map(({ from, count }) => ({ label: labelOf(from, range), count }));
  const sentence = `${total} ${total === 1 ? "event" : "events"} in ${rangeWords(range)}`;
  return <Plot sentence={sentence} bars={bars} />;
}

/**
 * The labels of a small chart: the number of events in the time range, and the highest number of events in an
 * hour or a day.
 */
export function CountsScale({ points, range }: { readonly points: readonly Point[]; readonly range: Range }) {
  const counts = points.map(({ count }) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <p aria-hidden="true" className="text-micro text-muted tabular-nums md:leading-4 md:whitespace-nowrap">
      {total.toLocaleString("en")}, at most {Math.max(0, ...counts).toLocaleString("en")} in{" "}
      {range === "24h" ? "an hour" : "a day"}
    </p>
  );
}

/** The hour or day that a bar represents, in UTC. */
export const labelOf = (from: Date, range: Range): string =>
  range === "24h"
    ? `${from.toISOString().slice(0, 16).replace("T", " ")} UTC`
    : from.toISOString().slice(0, 10);
