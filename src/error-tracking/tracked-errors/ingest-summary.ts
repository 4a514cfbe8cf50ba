import type { Drop } from "./service";

/** The number of stored events of a project, and the number of dropped items by reason. */
export type IngestSummary = Readonly<{
  stored: number;
  dropped: readonly Readonly<{ reason: string; count: number }>[];
}>;

/** The prefixes of the outcomes with their descriptions, in the order in which the page shows them. */
const REASONS = [
  ["quota", "over the rate limit of a client key"],
  ["new_errors", "over the hourly limit of new errors of a client key"],
  ["storage", "removed because the event storage of the project was full"],
  ["malformed", "malformed"],
  ["too_large", "too large"],
  ["not_kept", "of types that are not stored"],
  ["client_", "discarded by SDKs"],
] as const;

/** The drop reasons for which the summary also lists the types of the dropped items. */
const WITH_CATEGORIES: ReadonlySet<string> = new Set(["not_kept", "too_large"]);

/** Returns a summary of the ingest counts of a project in words. */
export function ingestSummaryOf(counts: readonly Drop[]): IngestSummary {
  const sum = (drops: readonly Drop[]) => drops.reduce((total, { count }) => total + count, 0);
  const dropped = REASONS.map(([outcome, reason]) => {
    const drops = counts.filter((drop) => drop.outcome.startsWith(outcome));
    const categories = WITH_CATEGORIES.has(outcome) ? categoriesOf(drops) : "";
    return { reason: categories === "" ? reason : `${reason} (${categories})`, count: sum(drops) };
  });
  return {
    stored: sum(counts.filter(({ outcome }) => outcome === "accepted")),
    dropped: dropped.filter(({ count }) => count > 0),
  };
}

/**
 * Returns the distinct types of the dropped items in words, such as `transaction` and `log item`. The type
 * `event` is omitted.
 */
const categoriesOf = (drops: readonly Drop[]): string =>
  [...new Set(drops.map(({ category }) => category.replaceAll("_", " ")))]
    .filter((category) => category !== "error")
    .join(", ");
