import { pipeline, Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { BodyTooLarge, declaredLength, readBody } from "@/kernel/http/body";
import { processWide } from "@/kernel/process/process-wide";
import { semaphore } from "@/kernel/process/semaphore";
import { CollectorRefusal, malformed, tooLarge, unknownEncoding } from "./refusals";

/** How large a body may be, as it arrives and inflated. */
export type BodyLimits = Readonly<{ wireBytes: number; bytes: number }>;

/** Of a body that is held in memory as a whole. */
const LIMITS: BodyLimits = { wireBytes: 1_048_576, bytes: 2_097_152 };

/** Of a body that is read piece by piece: more than the attachments that SDKs send by default, which are 20 MiB. */
const LARGE_BYTES_MAX = 33_554_432;

/** The body of a request, inflated: as a whole when it fits, otherwise piece by piece. */
export type Body =
  | Readonly<{ kind: "whole"; bytes: Uint8Array }>
  | Readonly<{
      kind: "pieces";
      pieces: AsyncIterable<Uint8Array>;
      /** Whether the pieces ended before the body did, because it is larger than may be read. */
      isCut: () => boolean;
    }>;

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** `isWide`: a stream of it can hold megabytes of what it has seen. */
type Encoding = Readonly<{
  inflate: Inflate;
  stream: (beginning: Uint8Array) => Transform;
  isWide: boolean;
}>;

const gzip: Encoding = { inflate: promisify(zlib.gunzip), stream: () => zlib.createGunzip(), isWide: false };

const unzlib: Inflate = promisify(zlib.inflate);
const inflateRaw: Inflate = promisify(zlib.inflateRaw);

/** RFC 9110 §8.4.1.2 means the zlib format, but some senders leave out its header. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

const deflate: Encoding = {
  inflate: (bytes, options) => (hasZlibHeader(bytes) ? unzlib : inflateRaw)(bytes, options),
  stream: (beginning) => (hasZlibHeader(beginning) ? zlib.createInflate() : zlib.createInflateRaw()),
  isWide: false,
};

const brotli: Encoding = {
  inflate: promisify(zlib.brotliDecompress),
  stream: () => zlib.createBrotliDecompress(),
  isWide: true,
};

/** Newer versions of Node know zstd; the oldest that is supported does not. */
function zstdEncodings(): readonly (readonly [string, Encoding])[] {
  const { zstdDecompress, createZstdDecompress } = zlib as {
    zstdDecompress?: typeof zlib.gunzip;
    createZstdDecompress?: () => Transform;
  };
  return zstdDecompress === undefined || createZstdDecompress === undefined
    ? []
    : [["zstd", { inflate: promisify(zstdDecompress), stream: () => createZstdDecompress(), isWide: true }]];
}

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map<string, Encoding>([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", deflate],
  ["br", brotli],
  ...zstdEncodings(),
]);

/** @throws CollectorRefusal 415 for an encoding that is not known. */
function encodingOf(request: Request): Encoding | null {
  const name = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return null;
  const encoding = ENCODINGS.get(name);
  if (encoding === undefined) throw unknownEncoding();
  return encoding;
}

/**
 * The body of a request as a whole, inflated. It is inflated piece by piece, and no further than to the limit: a small
 * body that stands for gigabytes costs no more than any other.
 * @throws CollectorRefusal 413 for one that is too large before or after, 415 for an encoding that is not known, 400
 * for one that is broken.
 */
export async function readInflatedBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const encoding = encodingOf(request);
  const bytes = await readWire(request, limits.wireBytes);
  const inflated = encoding === null ? bytes : await inflateWhole(encoding, bytes, limits.bytes);
  if (inflated === null) throw tooLarge(`The inflated body is larger than ${limits.bytes} bytes.`);
  return inflated;
}

/** A body that must be held as a whole. @throws CollectorRefusal 400, 413 or 415 */
export const readWholeBody = async (request: Request): Promise<Body> => ({
  kind: "whole",
  bytes: await readInflatedBody(request, LIMITS),
});

/**
 * The body of a request, inflated, of any size.
 * @throws CollectorRefusal 415 for an encoding that is not known, 400 for a body that is broken; while the pieces are
 * read, too.
 */
export async function openBody(request: Request): Promise<Body> {
  const encoding = encodingOf(request);
  const { bytes, rest } = await readBeginning(request);
  if (rest !== null) return piecesOf(encoding, bytes, rest);
  if (encoding === null) return { kind: "whole", bytes };
  const inflated = await inflateWhole(encoding, bytes, LIMITS.bytes);
  return inflated === null ? piecesOf(encoding, bytes, null) : { kind: "whole", bytes: inflated };
}

/** Null for a body that is larger than `bytesMax` once inflated. */
async function inflateWhole(
  { inflate }: Encoding,
  bytes: Uint8Array,
  bytesMax: number,
): Promise<Uint8Array | null> {
  const leave = await enterInflating();
  try {
    return await inflate(bytes, { maxOutputLength: bytesMax });
  } catch (cause) {
    if (isOutputTooLarge(cause)) return null;
    throw malformed("The body is not in its Content-Encoding.");
  } finally {
    leave?.();
  }
}

const isOutputTooLarge = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";

/** As many as threads do the work. Each may hold megabytes for what it has seen, whatever comes out in the end. */
const INFLATING_MAX = 4;
const enterInflating = semaphore("inflating", { atOnce: INFLATING_MAX });

async function readWire(request: Request, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readBody(request, bytesMax);
  } catch (cause) {
    if (cause instanceof BodyTooLarge) throw tooLarge(`The body is larger than ${bytesMax} bytes.`);
    throw malformed("The body ended early.");
  }
}

type WireReader = ReadableStreamDefaultReader<Uint8Array>;

/** The body as it arrives, up to the limit of a whole one; `rest` reads on when there is more. */
async function readBeginning(request: Request): Promise<{ bytes: Uint8Array; rest: WireReader | null }> {
  const declared = declaredLength(request);
  if (declared !== null && declared <= LIMITS.wireBytes)
    return { bytes: await readWire(request, LIMITS.wireBytes), rest: null };
  if (request.body === null) return { bytes: new Uint8Array(), rest: null };
  const reader: WireReader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= LIMITS.wireBytes) {
    const chunk = await readChunk(reader);
    if (chunk === null) return { bytes: Buffer.concat(chunks, length), rest: null };
    chunks.push(chunk);
    length += chunk.length;
  }
  return { bytes: Buffer.concat(chunks, length), rest: reader };
}

async function readChunk(reader: WireReader): Promise<Uint8Array | null> {
  try {
    const next = await reader.read();
    return next.done ? null : next.value;
  } catch {
    throw malformed("The body ended early.");
  }
}

/**
 * Reads on and keeps nothing: a cancelled body ends the connection, and the sender would not see the answer. The server
 * closes the connection soon after an answer that is sent before the body has arrived (`src/server/early-answer.ts`).
 */
async function discard(rest: WireReader): Promise<void> {
  for (let next = await rest.read(); !next.done; next = await rest.read());
}

/** How many bodies in a wide encoding may arrive and be inflated at the same time; of others, the beginning is read. */
const WIDE_STREAMS_MAX = 8;
const wideStreams = processWide("wide-streams", () => ({ open: 0 }));

function piecesOf(encoding: Encoding | null, beginning: Uint8Array, rest: WireReader | null): Body {
  let isCut = false;
  const cut = (): void => {
    isCut = true;
  };

  async function* wire(): AsyncGenerator<Uint8Array> {
    let length = beginning.length;
    yield beginning;
    const isWide = rest !== null && encoding?.isWide === true;
    if (isWide && wideStreams().open >= WIDE_STREAMS_MAX) return cut();
    if (isWide) wideStreams().open += 1;
    try {
      while (rest !== null) {
        const chunk = await readChunk(rest);
        if (chunk === null) return;
        length += chunk.length;
        if (length > LARGE_BYTES_MAX) return cut();
        yield chunk;
      }
    } finally {
      if (isWide) wideStreams().open -= 1;
      // Not awaited: the answer must not wait for a slow sender.
      if (rest !== null) discard(rest).catch(() => undefined);
    }
  }

  async function* inflated({ stream }: Encoding): AsyncGenerator<Uint8Array> {
    const leave = rest === null ? await enterInflating() : null;
    // A failure reaches the loop below.
    const inflater = pipeline(Readable.from(wire()), stream(beginning), () => undefined);
    let length = 0;
    try {
      for await (const piece of inflater as AsyncIterable<Uint8Array>) {
        length += piece.length;
        if (length > LARGE_BYTES_MAX) return cut();
        yield piece;
      }
    } catch (cause) {
      // The end is missing of a body that was not read to its end.
      if (isCut) return;
      throw cause instanceof CollectorRefusal ? cause : malformed("The body is not in its Content-Encoding.");
    } finally {
      inflater.destroy();
      leave?.();
    }
  }

  return { kind: "pieces", pieces: encoding === null ? wire() : inflated(encoding), isCut: () => isCut };
}

const [OPENING_BRACE] = Buffer.from("{");

/** Base64, in lines or as one. */
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/**
 * An event's JSON out of the body of raven, the oldest SDKs: the base64 of the zlib format of JSON, or of JSON alone.
 * Other bodies come back as they are.
 * @throws CollectorRefusal 413 for one that is too large once inflated.
 */
export async function unpackLegacy(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] === OPENING_BRACE) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!BASE64.test(text)) return bytes;
  const packed = Buffer.from(text, "base64");
  if (packed[0] === OPENING_BRACE) return packed;
  if (!hasZlibHeader(packed)) return bytes;
  const inflated = await inflateWhole(deflate, packed, LIMITS.bytes);
  if (inflated === null) throw tooLarge(`The inflated event is larger than ${LIMITS.bytes} bytes.`);
  return inflated;
}
