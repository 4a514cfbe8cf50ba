import type { Losses } from "../losses";
import type { Range } from "../rules";
import { rangeWords } from "./counts-plot";

const number = (count: number): string => count.toLocaleString("en");

/** The recently stored and dropped events; nothing if none was dropped. */
export function LossesLine({ losses, range }: { readonly losses: Losses; readonly range: Range }) {
  const { stored, dropped } = losses;
  if (dropped.length === 0) return null;
  return (
    <p className="text-muted text-small">
      In {rangeWords(range)}, {number(stored)} {stored === 1 ? "event was" : "events were"} stored. Dropped:{" "}
      {dropped.map(({ reason, count }) => `${number(count)} ${reason}`).join("; ")}.
    </p>
  );
}
