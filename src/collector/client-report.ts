import type { Drop } from "@/features/errors/service";
import { isNotKept, knownCategory } from "./item-types";

/** Why SDKs discard what they do not even send. */
const REASONS: ReadonlySet<unknown> = new Set([
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

/** The losses that an SDK reports: of a bounded number of kinds, each bounded. */
export function reportedLosses(report: Readonly<Record<string, unknown>>): readonly Drop[] {
  const { discarded_events: entries } = report;
  return !Array.isArray(entries) ? [] : entries.slice(0, ENTRIES_MAX).flatMap(lossOf);
}

function lossOf(entry: unknown): readonly Drop[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { reason, category, quantity } = entry as Readonly<Record<string, unknown>>;
  if (typeof quantity !== "number" || !(quantity >= 1)) return [];
  const known = knownCategory(String(category));
  // It was we who told it not to send these.
  const obeyed = reason === "ratelimit_backoff" && isNotKept(known);
  const outcome = obeyed ? "not_kept" : `client_${REASONS.has(reason) ? String(reason) : "other"}`;
  return [{ outcome, category: known, count: Math.min(Math.floor(quantity), QUANTITY_MAX) }];
}
