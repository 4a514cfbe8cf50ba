/** The only item type whose payload is stored in the database. */
export const KEPT_TYPE = "event";

/** The item type in which SDKs report discarded items. The discarded items are counted. */
export const REPORT_TYPE = "client_report";

/** The item types that the server accepts from SDKs but does not store, with their rate limit categories. */
const DROPPED_TYPES: ReadonlyMap<string, string> = new Map([
  ["transaction", "transaction"],
  ["span", "span"],
  ["session", "session"],
  ["sessions", "session"],
  ["attachment", "attachment"],
  ["user_report", "feedback"],
  ["feedback", "feedback"],
  ["log", "log_item"],
  ["profile", "profile"],
  ["profile_chunk", "profile_chunk"],
  ["replay_event", "replay"],
  ["replay_recording", "replay"],
  ["replay_video", "replay"],
  ["check_in", "monitor"],
  ["statsd", "metric_bucket"],
  ["metric_buckets", "metric_bucket"],
  ["trace_metric", "trace_metric"],
]);

const CATEGORIES = [...new Set(DROPPED_TYPES.values())];
const REPORTED_CATEGORIES: ReadonlySet<string> = new Set(["error", "log_byte", "default", ...CATEGORIES]);

/** Returns the category in which a dropped item is counted. */
export const categoryOf = (type: string): string => DROPPED_TYPES.get(type) ?? "other";

/** Returns the category that an SDK sent if the category is known, otherwise `other`. */
export const knownCategory = (name: string): string => (REPORTED_CATEGORIES.has(name) ? name : "other");

/** Returns whether items of this category are never stored. */
export const isDroppedCategory = (category: string): boolean => CATEGORIES.includes(category);

/**
 * The rate limit header in each successful response. Because of this rate limit, SDKs stop sending items of
 * dropped types for a day.
 */
export const DROPPED_RATE_LIMITS = `86400:${CATEGORIES.join(";")}:organization`;
