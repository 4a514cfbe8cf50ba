/** The one kind of item that is kept. */
export const KEPT_TYPE = "event";

/** What SDKs discarded by themselves: it is counted. */
export const REPORT_TYPE = "client_report";

/** What else SDKs send, and the category that they count it in. All of it is accepted and dropped. */
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

/** In which category an item is counted that is not kept. */
export const categoryOf = (type: string): string => DROPPED_TYPES.get(type) ?? "other";

/** A category that an SDK names, out of a bounded number. */
export const knownCategory = (name: string): string => (REPORTED_CATEGORIES.has(name) ? name : "other");

/** Whether items of this category are never kept. */
export const isDroppedCategory = (category: string): boolean => CATEGORIES.includes(category);

/** On every good answer: SDKs stop to send for a day what is not kept anyway. */
export const DROPPED_RATE_LIMITS = `86400:${CATEGORIES.join(";")}:organization`;
