import { readEventId } from "@/features/errors/event";
import type { Drop } from "@/features/errors/service";
import { keyInDsn } from "./client-key";
import { reportedLosses } from "./client-report";
import { parseEnvelope, parseObject } from "./envelope";
import { categoryOf, KEPT_TYPE } from "./item-types";
import { malformed } from "./refusals";

type Members = Readonly<Record<string, unknown>>;

/** What a request reports, whichever way it is written. */
export type Report = Readonly<{
  /** Of the request as a whole; null where it has none. */
  eventId: string | null;
  /** The client key that the body names; null where it names none. */
  key: string | null;
  events: readonly Members[];
  dropped: readonly Drop[];
}>;

/** An envelope: its events are kept, all else is counted. @throws CollectorRefusal 400 or 413 */
export function readEnvelope(bytes: Uint8Array): Report {
  const { header, items } = parseEnvelope(bytes);
  const events: Members[] = [];
  const dropped: Drop[] = [];
  for (const { type, payload } of items) {
    if (type === KEPT_TYPE) events.push(parseEvent(payload, "An event"));
    else if (type === "client_report")
      dropped.push(...reportedLosses(parseObject(payload, "A client report")));
    else dropped.push(notKept(type));
  }
  return { eventId: readEventId(header["event_id"]), key: keyInDsn(header["dsn"]), events, dropped };
}

/** A single event as JSON, as older SDKs send it. @throws CollectorRefusal 400 */
export function readStored(bytes: Uint8Array): Report {
  const event = parseEvent(bytes, "The event");
  const kept = event["type"] !== "transaction";
  return {
    eventId: readEventId(event["event_id"]),
    key: null,
    events: kept ? [event] : [],
    dropped: kept ? [] : [notKept("transaction")],
  };
}

const PLATFORM_CHARACTERS_MAX = 255;

/** Whatever else is too long is shortened; by its platform errors are told apart. */
function parseEvent(bytes: Uint8Array, what: string): Members {
  const event = parseObject(bytes, what);
  const { platform } = event as Readonly<{ platform?: unknown }>;
  if (typeof platform === "string" && platform.length > PLATFORM_CHARACTERS_MAX)
    throw malformed(`${what} has a platform of more than ${PLATFORM_CHARACTERS_MAX} characters.`);
  return event;
}

const notKept = (type: string): Drop => ({ outcome: "not_kept", category: categoryOf(type), count: 1 });
