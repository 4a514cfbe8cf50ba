import { malformed, tooLarge } from "./refusals";

/** The maximum number of items in an envelope, which is the same as in Sentry. */
const ITEMS_MAX = 100;

const HEADER_BYTES_MAX = 16_384;
const NEWLINE = 0x0a;

type Members = Readonly<Record<string, unknown>>;

/**
 * An item of an envelope. `payload` is null if the payload was not retained; `bytes` is the number of payload
 * bytes that were read.
 */
export type EnvelopeItem = Readonly<{ type: string; bytes: number; payload: Uint8Array | null }>;

/** A parsed envelope: a header and items with binary payloads. */
export type Envelope = Readonly<{ header: Members; items: readonly EnvelopeItem[] }>;

/** The item types whose payloads the parser stores, and the maximum total size of these payloads. */
export type PayloadRetention = Readonly<{ isKept: (type: string) => boolean; bytesMax: number }>;

export type EnvelopeReader = Readonly<{
  /**
   * Parses the next bytes of the envelope.
   * @throws CollectorRefusal 400 if the bytes are not an envelope, 413 if the envelope has too many items.
   */
  push: (bytes: Uint8Array) => void;
  /** The header of the envelope; null until the complete header line has been read. */
  header: () => Members | null;
  /**
   * Ends the input and returns the complete envelope.
   * @throws CollectorRefusal 400 if the envelope is incomplete.
   */
  end: () => Envelope;
  /**
   * Returns the part of the envelope that was read. An item that was not read completely is returned without
   * its payload.
   */
  cut: () => Envelope;
}>;

const KEEP_ALL: PayloadRetention = { isKept: () => true, bytesMax: Number.POSITIVE_INFINITY };

/**
 * Parses an envelope that is completely in memory.
 * @throws CollectorRefusal 400 or 413
 */
export function parseEnvelope(bytes: Uint8Array): Envelope {
  const reader = envelopeReader(KEEP_ALL);
  reader.push(bytes);
  return reader.end();
}

type OpenItem = {
  readonly type: string;
  /** The number of remaining payload bytes; null if the payload ends at the next newline. */
  left: number | null;
  bytes: number;
  /** The bytes of the item payload; null if the payload is not retained. */
  pieces: Uint8Array[] | null;
};

/**
 * Creates an incremental parser of envelopes. An envelope begins with a line that contains its header. After
 * the envelope header, each item consists of a line with the item header, and of the payload. The item header
 * contains the length of the payload; if the length is missing, the payload ends at the next newline. The
 * newline at the end of the envelope is optional. The parser retains at most `bytesMax` of payloads, even if
 * the envelope is longer.
 */
export function envelopeReader({ isKept, bytesMax }: PayloadRetention): EnvelopeReader {
  const items: EnvelopeItem[] = [];
  let header: Members | null = null;
  let state: "header" | "newlines" | "item header" | "payload" | "payload's end" = "header";
  let line: Uint8Array[] = [];
  let lineBytes = 0;
  let open: OpenItem | null = null;
  let bytesLeft = bytesMax;

  /**
   * Appends bytes to the current line. Returns the offset after the newline, or null if the line does not end
   * within these bytes.
   */
  function readLine(bytes: Uint8Array, from: number): number | null {
    const newlineAt = bytes.indexOf(NEWLINE, from);
    const end = newlineAt === -1 ? bytes.length : newlineAt;
    lineBytes += end - from;
    if (lineBytes > HEADER_BYTES_MAX) throw malformed(`${nameOfLine()} is too long.`);
    line.push(bytes.subarray(from, end));
    return newlineAt === -1 ? null : newlineAt + 1;
  }

  const nameOfLine = () => (state === "header" ? "The envelope header" : "An item header");

  function endLine(): void {
    const members = parseObject(joined(line, lineBytes), nameOfLine());
    line = [];
    lineBytes = 0;
    if (state === "header") {
      header = members;
      state = "newlines";
      return;
    }
    const { type } = members;
    if (typeof type !== "string") throw malformed("An item header has no type.");
    const left = lengthIn(members);
    open = { type, left, bytes: 0, pieces: isKept(type) ? [] : null };
    state = "payload";
    if (left === 0) endItem("payload's end");
  }

  function readPayload(item: OpenItem, bytes: Uint8Array, from: number): number {
    const newlineAt = item.left === null ? bytes.indexOf(NEWLINE, from) : from + item.left;
    const isComplete = newlineAt !== -1 && newlineAt <= bytes.length;
    const end = isComplete ? newlineAt : bytes.length;
    const length = end - from;
    item.bytes += length;
    if (item.left !== null) item.left -= length;
    if (item.pieces !== null) keep(item, item.pieces, bytes.subarray(from, end));
    if (isComplete) endItem(item.left === null ? "newlines" : "payload's end");
    return end;
  }

  function keep(item: OpenItem, pieces: Uint8Array[], piece: Uint8Array): void {
    bytesLeft -= piece.length;
    if (bytesLeft >= 0) {
      pieces.push(piece);
      return;
    }
    bytesLeft += item.bytes;
    item.pieces = null;
  }

  function endItem(next: typeof state): void {
    if (open === null) return;
    const { type, bytes, pieces } = open;
    items.push({ type, bytes, payload: pieces && joined(pieces, bytes) });
    open = null;
    state = next;
  }

  function push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length)
      if (state === "payload" && open !== null) at = readPayload(open, bytes, at);
      else if (state === "newlines") {
        while (bytes[at] === NEWLINE) at += 1;
        if (at === bytes.length) return;
        if (items.length === ITEMS_MAX) throw tooLarge(`The envelope has more than ${ITEMS_MAX} items.`);
        state = "item header";
      } else if (state === "payload's end") {
        if (bytes[at] !== NEWLINE) throw malformed("An item is longer than its header says.");
        state = "newlines";
      } else {
        const end = readLine(bytes, at);
        if (end === null) return;
        at = end;
        endLine();
      }
  }

  function end(): Envelope {
    if (state === "header" && lineBytes === 0 && line.length === 0)
      throw malformed("The request has no body.");
    if (state === "header" || state === "item header") endLine();
    if (open !== null && open.left !== null && open.left > 0)
      throw malformed("An item is shorter than its header says.");
    endItem("newlines");
    return { header: header ?? {}, items };
  }

  function cut(): Envelope {
    if (open !== null) open.pieces = null;
    endItem("newlines");
    return { header: header ?? {}, items };
  }

  return { push, header: () => header, end, cut };
}

const joined = (pieces: readonly Uint8Array[], bytes: number): Uint8Array =>
  pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces, bytes);

/** The length in an item header; null for a header without a length. */
function lengthIn({ length }: Members): number | null {
  if (length === undefined) return null;
  if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0)
    throw malformed("The length in an item header is not a number of bytes.");
  return length;
}

/**
 * Parses a JSON object.
 * @throws CollectorRefusal 400 with a message that begins with `subject`
 */
export function parseObject(bytes: Uint8Array, subject: string): Members {
  const value = parseJson(bytes, subject);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed(`${subject} is not a JSON object.`);
  return value as Members;
}

/**
 * The maximum nesting depth of JSON. The events that SDKs send are never nested more deeply than this
 * maximum. The nesting depth of short JSON is not checked, because short JSON is harmless at any depth.
 */
const DEPTH_MAX = 200;
const SHALLOW_BYTES = 8_192;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/**
 * Returns whether JSON is nested too deeply. Parsing a megabyte of brackets would take a second and a
 * gigabyte of memory.
 */
function isTooDeep(bytes: Uint8Array): boolean {
  if (bytes.length <= SHALLOW_BYTES) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

/**
 * Parses JSON. A crash report may contain corrupt text, so invalid UTF-8 is replaced by replacement
 * characters.
 */
function parseJson(bytes: Uint8Array, subject: string): unknown {
  if (isTooDeep(bytes)) throw malformed(`${subject} is nested too deeply.`);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    throw malformed(`${subject} is not JSON.`);
  }
}
