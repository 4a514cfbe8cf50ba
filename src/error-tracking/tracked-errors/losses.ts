import type { Drop } from "./service";

/** What arrived and was kept, and what was lost, by why. */
export type Losses = Readonly<{ kept: number; lost: readonly Readonly<{ why: string; count: number }>[] }>;

/** Why something was lost, in the order in which it is told; what begins so is of that kind. */
const REASONS = [
  ["quota", "over the limit of a client key"],
  ["new_errors", "of new errors, over the hourly limit of a client key"],
  ["storage", "removed because the project's event storage was full"],
  ["malformed", "not readable"],
  ["too_large", "too large"],
  ["not_kept", "of kinds that are not kept"],
  ["client_", "given up by the programs themselves"],
] as const;

/** Reasons that are followed by the kinds of what was lost. */
const NAMES_KINDS: ReadonlySet<string> = new Set(["not_kept", "too_large"]);

/** Sums up what arrived for a project, in words. */
export function lossesIn(arrived: readonly Drop[]): Losses {
  const sum = (drops: readonly Drop[]) => drops.reduce((total, { count }) => total + count, 0);
  const lost = REASONS.map(([outcome, why]) => {
    const drops = arrived.filter((drop) => drop.outcome.startsWith(outcome));
    const kinds = NAMES_KINDS.has(outcome) ? kindsOf(drops) : "";
    return { why: kinds === "" ? why : `${why} (${kinds})`, count: sum(drops) };
  });
  return {
    kept: sum(arrived.filter(({ outcome }) => outcome === "accepted")),
    lost: lost.filter(({ count }) => count > 0),
  };
}

/** `transaction` and `log_item` as people say them, each once; events need no name. */
const kindsOf = (drops: readonly Drop[]): string =>
  [...new Set(drops.map(({ category }) => category.replaceAll("_", " ")))]
    .filter((kind) => kind !== "error")
    .join(", ");
