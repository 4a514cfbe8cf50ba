import { malformed, tooLarge } from "./refusals";

/** Sentry's own limit. */
const ITEMS_MAX = 100;

const HEADER_BYTES_MAX = 16_384;
const NEWLINE = 0x0a;

type Members = Readonly<Record<string, unknown>>;

/** An envelope: lines of JSON, and between them payloads of any bytes. */
export type Envelope = Readonly<{
  header: Members;
  items: readonly Readonly<{ type: string; payload: Uint8Array }>[];
}>;

/**
 * Reads an envelope: a line with its header, then for each item a line with the item's header and its payload, which is
 * as long as that header says, or ends with the line where it does not. The last newline may be absent, and so may be
 * all items.
 * @throws CollectorRefusal 400 for what is none, 413 for one with too many items.
 */
export function parseEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw malformed("The request has no body.");
  const first = lineAt(bytes, 0);
  const header = membersIn(bytes, 0, first, "The envelope's header");
  const items: Envelope["items"][number][] = [];
  let at = afterNewlines(bytes, first);
  while (at < bytes.length) {
    if (items.length === ITEMS_MAX) throw tooLarge(`An envelope has at most ${ITEMS_MAX} items.`);
    const lineEnd = lineAt(bytes, at);
    const { type, length } = membersIn(bytes, at, lineEnd, "The header of an item");
    if (typeof type !== "string") throw malformed("The header of an item has no type.");
    const begin = Math.min(lineEnd + 1, bytes.length);
    const end = length === undefined ? lineAt(bytes, begin) : endOf(bytes, begin, length);
    items.push({ type, payload: bytes.subarray(begin, end) });
    at = afterNewlines(bytes, end);
  }
  return { header, items };
}

/** Where the line ends that begins at `from`. */
function lineAt(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end === -1 ? bytes.length : end;
}

function afterNewlines(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === NEWLINE) at += 1;
  return at;
}

function endOf(bytes: Uint8Array, begin: number, length: unknown): number {
  if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0)
    throw malformed("The length of an item is not a number of bytes.");
  const end = begin + length;
  if (end > bytes.length) throw malformed("An item is shorter than its header says.");
  if (end < bytes.length && bytes[end] !== NEWLINE)
    throw malformed("An item is longer than its header says.");
  return end;
}

function membersIn(bytes: Uint8Array, from: number, to: number, what: string): Members {
  if (to - from > HEADER_BYTES_MAX) throw malformed(`${what} is too long.`);
  return parseObject(bytes.subarray(from, to), what);
}

/** JSON that is an object. @throws CollectorRefusal 400 that begins with `what`. */
export function parseObject(bytes: Uint8Array, what: string): Members {
  const value = parseJson(bytes, what);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed(`${what} is not a JSON object.`);
  return value as Members;
}

/** Deeper than any event that an SDK sends, and what no nesting costs. */
const DEPTH_MAX = 200;
const SHALLOW_BYTES = 8_192;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** Whether JSON is nested deeper than it may be: a megabyte of brackets would take a second and a gigabyte to parse. */
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

/** Bytes that are not UTF-8 become replacement characters: a crash's own text may be broken. */
function parseJson(bytes: Uint8Array, what: string): unknown {
  if (isTooDeep(bytes)) throw malformed(`${what} is nested too deeply.`);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    throw malformed(`${what} is not JSON.`);
  }
}
