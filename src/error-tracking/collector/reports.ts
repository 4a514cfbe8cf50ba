import { readEventId } from "@/error-tracking/tracked-errors/event";
import type { Drop } from "@/error-tracking/tracked-errors/service";
import { keyInDsn } from "./client-key";
import { reportedLosses } from "./client-report";
import { type Body, unpackLegacy } from "./content-encoding";
import { type Envelope, type EnvelopeReader, envelopeReader, parseEnvelope, parseObject } from "./envelope";
import { categoryOf, KEPT_TYPE, REPORT_TYPE } from "./item-types";
import { type CollectorRefusal, malformed, tooLarge } from "./refusals";

type Members = Readonly<Record<string, unknown>>;

/** What a request reports, whichever way it is written. */
export type Report = Readonly<{
  /** Of the request as a whole; null where it has none. */
  eventId: string | null;
  /** The client key that the body names; null where it names none. */
  key: string | null;
  events: readonly Members[];
  dropped: readonly Drop[];
  /** The answer when nothing of the report fits; its losses are in `dropped`. */
  refusal: CollectorRefusal | null;
}>;

/** How a body becomes a report. `onKey` learns the key that a body names before a large body is read to its end. */
export type ReadReport = (body: Body, onKey: (key: string | null) => Promise<void>) => Promise<Report>;

/** How many bytes of events and client reports are kept of an envelope that is too large to be held as a whole. */
const KEPT_BYTES_MAX = 2_097_152;

/** No attachment is kept; a larger one is counted as too large. */
const ATTACHMENT_BYTES_MAX = 1_048_576;

/** An envelope: its events are kept, all other items are counted. @throws CollectorRefusal 400 or 413 */
export const readEnvelope: ReadReport = async (body, onKey) => {
  if (body.kind === "whole") return reportOf(parseEnvelope(body.bytes));
  const isKept = (type: string) => type === KEPT_TYPE || type === REPORT_TYPE;
  const reader = envelopeReader({ isKept, bytesMax: KEPT_BYTES_MAX });
  let isKeyKnown = false;
  for await (const piece of body.pieces) {
    pushLarge(reader, piece);
    const header = isKeyKnown ? null : reader.header();
    if (header === null) continue;
    isKeyKnown = true;
    await onKey(keyInDsn(header["dsn"]));
  }
  return body.isCut() ? cutReportOf(reader.cut()) : reportOf(reader.end());
};

function pushLarge(reader: EnvelopeReader, piece: Uint8Array): void {
  try {
    reader.push(piece);
  } catch (cause) {
    // A large body without an envelope's header has nothing in it that could be kept.
    throw reader.header() === null ? tooLarge("The body is too large.") : cause;
  }
}

function reportOf({ header, items }: Envelope): Report {
  const events: Members[] = [];
  const dropped: Drop[] = [];
  for (const { type, bytes, payload } of items) {
    if (type === KEPT_TYPE && payload !== null) events.push(parseEvent(payload, "An event"));
    else if (type === REPORT_TYPE && payload !== null)
      dropped.push(...reportedLosses(parseObject(payload, "A client report")));
    else if (type === KEPT_TYPE) dropped.push({ outcome: "too_large", category: "error", count: 1 });
    else if (type === "attachment" && bytes > ATTACHMENT_BYTES_MAX)
      dropped.push({ outcome: "too_large", category: "attachment", count: 1 });
    else dropped.push(notKept(type));
  }
  const isLost = dropped.some(({ outcome, category }) => outcome === "too_large" && category === "error");
  const refusal = isLost && events.length === 0 ? tooLarge("The event is too large.", null) : null;
  return {
    eventId: readEventId(header["event_id"]),
    key: keyInDsn(header["dsn"]),
    events,
    dropped,
    refusal,
  };
}

/** Nobody has read how many events are in the rest: without any before it, one is counted as lost. */
function cutReportOf(envelope: Envelope): Report {
  const report = reportOf(envelope);
  if (report.events.length > 0 || report.refusal !== null) return report;
  const dropped = [...report.dropped, { outcome: "too_large", category: "error", count: 1 }];
  return { ...report, dropped, refusal: tooLarge("The envelope is too large.", null) };
}

/**
 * A single event as JSON, as older SDKs send it, or packed in the way of the oldest ones.
 * @throws CollectorRefusal 400 or 413
 */
export const readStored: ReadReport = async (body) => {
  if (body.kind !== "whole") throw tooLarge("The body is too large.");
  const event = parseEvent(await unpackLegacy(body.bytes), "The event");
  const isStored = event["type"] !== "transaction";
  return {
    eventId: readEventId(event["event_id"]),
    key: null,
    events: isStored ? [event] : [],
    dropped: isStored ? [] : [notKept("transaction")],
    refusal: null,
  };
};

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
