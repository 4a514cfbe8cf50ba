import type { Losses } from "../losses";
import type { Range } from "../rules";
import { rangeWords } from "./counts-plot";

const number = (count: number): string => count.toLocaleString("en");

/** What arrived lately, and what of it was not kept; nothing where nothing was lost. */
export function LossesLine({ losses, range }: { readonly losses: Losses; readonly range: Range }) {
  const { kept, lost } = losses;
  if (lost.length === 0) return null;
  return (
    <p className="text-muted text-small">
      In {rangeWords(range)}, {number(kept)} {kept === 1 ? "event was" : "events were"} kept. Not kept:{" "}
      {lost.map(({ why, count }) => `${number(count)} ${why}`).join("; ")}.
    </p>
  );
}
