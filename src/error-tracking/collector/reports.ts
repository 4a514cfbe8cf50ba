import { readEventId } from "@/error-tracking/tracked-errors/event";
import type { Drop } from "@/error-tracking/tracked-errors/service";
import { keyInDsn } from "./client-key";
import { reportedDrops } from "./client-report";
import { type Body, unpackLegacy } from "./content-encoding";
import { type Envelope, type EnvelopeReader, envelopeReader, parseEnvelope, parseObject } from "./envelope";
import { categoryOf, KEPT_TYPE, REPORT_TYPE } from "./item-types";
import { type CollectorRefusal, malformed, tooLarge } from "./refusals";

type Members = Readonly<Record<string, unknown>>;

/** A parsed report, from an envelope or from plain JSON. */
export type Report = Readonly<{
  /** The event ID of the request; null for a request without an event ID. */
  eventId: string | null;
  /** The client key in the body; null for a body without a client key. */
  key: string | null;
  events: readonly Members[];
  dropped: readonly Drop[];
  /**
   * The error response if no event of the report could be read. If `refusal` is not null, `dropped` contains
   * the counts of the dropped items.
   */
  refusal: CollectorRefusal | null;
}>;

/**
 * Parses a body into a report. The function `onKey` receives the client key that the body contains, before a
 * large body is read to its end.
 */
export type ReadReport = (body: Body, onKey: (key: string | null) => Promise<void>) => Promise<Report>;

/** The maximum size of the events and client reports in an envelope that does not fit in memory. */
const KEPT_BYTES_MAX = 2_097_152;

/**
 * The maximum size of an attachment. Attachments are never stored, but an attachment above this size is
 * counted as too large.
 */
const ATTACHMENT_BYTES_MAX = 1_048_576;

/**
 * Reads the items of an envelope. Events are stored, and all other items are counted.
 * @throws CollectorRefusal 400 or 413
 */
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
    // If a large body has no envelope header, the body contains nothing that is stored.
    throw reader.header() === null ? tooLarge("The body is too large.") : cause;
  }
}

function reportOf({ header, items }: Envelope): Report {
  const events: Members[] = [];
  const dropped: Drop[] = [];
  for (const { type, bytes, payload } of items) {
    if (type === KEPT_TYPE && payload !== null) events.push(parseEvent(payload, "An event"));
    else if (type === REPORT_TYPE && payload !== null)
      dropped.push(...reportedDrops(parseObject(payload, "A client report")));
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

/**
 * Returns the report of an envelope of which only the beginning was read. The number of events in the unread
 * part of the envelope is unknown. If the part that was read contains no event, one dropped event is counted.
 */
function cutReportOf(envelope: Envelope): Report {
  const report = reportOf(envelope);
  if (report.events.length > 0 || report.refusal !== null) return report;
  const dropped = [...report.dropped, { outcome: "too_large", category: "error", count: 1 }];
  return { ...report, dropped, refusal: tooLarge("The envelope is too large.", null) };
}

/**
 * Reads a single event. Older SDKs send the event as JSON, and the legacy `raven` SDKs send the event in an
 * encoded format (`unpackLegacy`).
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

/**
 * Parses the JSON of an event. Long fields of an event are truncated, but an event with a long platform is
 * rejected. If the platform was truncated, different errors could be grouped together.
 */
function parseEvent(bytes: Uint8Array, subject: string): Members {
  const event = parseObject(bytes, subject);
  const { platform } = event as Readonly<{ platform?: unknown }>;
  if (typeof platform === "string" && platform.length > PLATFORM_CHARACTERS_MAX)
    throw malformed(`${subject} has a platform of more than ${PLATFORM_CHARACTERS_MAX} characters.`);
  return event;
}

const notKept = (type: string): Drop => ({ outcome: "not_kept", category: categoryOf(type), count: 1 });
