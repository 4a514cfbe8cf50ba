import type { Drop } from "@/error-tracking/tracked-errors/service";
import { isDroppedCategory, knownCategory } from "./item-types";

/** The reasons that an SDK can report for discarding an item instead of sending it. */
const REASONS: ReadonlySet<string> = new Set([
  "backpressure",
  "before_send",
  "buffer_overflow",
  "cache_overflow",
  "event_processor",
  "ignored",
  "insufficient_data",
  "internal_sdk_error",
  "invalid",
  "network_error",
  "no_parent_span",
  "queue_overflow",
  "ratelimit_backoff",
  "sample_rate",
  "send_error",
]);

const ENTRIES_MAX = 50;
const QUANTITY_MAX = 1_000_000;

/**
 * Parses the client report in which an SDK lists discarded items. The number of entries in the report and the
 * quantity of each entry are limited.
 */
export function reportedDrops(report: Readonly<Record<string, unknown>>): readonly Drop[] {
  const { discarded_events: entries } = report;
  return !Array.isArray(entries) ? [] : entries.slice(0, ENTRIES_MAX).flatMap(lossOf);
}

function lossOf(entry: unknown): readonly Drop[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { reason, category, quantity } = entry as Readonly<Record<string, unknown>>;
  if (typeof quantity !== "number" || !(quantity >= 1)) return [];
  // Only strings are accepted, because converting an untrusted object to a string may throw an exception.
  const countedCategory = typeof category === "string" ? knownCategory(category) : "other";
  const countedReason = typeof reason === "string" && REASONS.has(reason) ? reason : "other";
  // The server responds with rate limits for item categories that it never stores, so that SDKs stop sending
  // such items. An item that an SDK discarded because of the rate limit for its category counts as
  // `not_kept`.
  const outcome =
    countedReason === "ratelimit_backoff" && isDroppedCategory(countedCategory)
      ? "not_kept"
      : `client_${countedReason}`;
  return [{ outcome, category: countedCategory, count: Math.min(Math.floor(quantity), QUANTITY_MAX) }];
}
