import type { IngestSummary } from "../ingest-summary";
import type { Range } from "../rules";
import { rangeWords } from "./counts-plot";

const number = (count: number): string => count.toLocaleString("en");

/** Shows the numbers of recently stored and dropped events; renders nothing if no event was dropped. */
export function IngestSummaryLine({
  ingestSummary,
  range,
}: {
  readonly ingestSummary: IngestSummary;
  readonly range: Range;
}) {
  const { stored, dropped } = ingestSummary;
  if (dropped.length === 0) return null;
  return (
    <p className="text-muted text-small">
      In {rangeWords(range)}, {number(stored)} {stored === 1 ? "event was" : "events were"} stored. Dropped:{" "}
      {dropped.map(({ reason, count }) => `${number(count)} ${reason}`).join("; ")}.
    </p>
  );
}
