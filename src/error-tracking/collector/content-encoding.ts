import { pipeline, Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { BodyTooLarge, declaredLength, readBody } from "@/kernel/http/body";
import { processWide } from "@/kernel/process/process-wide";
import { semaphore } from "@/kernel/process/semaphore";
import { CollectorRefusal, malformed, tooLarge, unknownEncoding } from "./refusals";

/** The maximum size of a request body, both before and after decompression. */
export type BodyLimits = Readonly<{ wireBytes: number; bytes: number }>;

/** The size limits of a request body that is stored completely in memory. */
const LIMITS: BodyLimits = { wireBytes: 1_048_576, bytes: 2_097_152 };

/**
 * The size limit of a request body that is read in chunks. By default, SDKs send attachments of up to 20 MiB,
 * so this limit is larger than the size limit of a request body in memory.
 */
const LARGE_BYTES_MAX = 33_554_432;

/** The decompressed body of a request: complete if the body fits in memory, otherwise in chunks. */
export type Body =
  | Readonly<{ kind: "whole"; bytes: Uint8Array }>
  | Readonly<{
      kind: "pieces";
      pieces: AsyncIterable<Uint8Array>;
      /** True if the chunks end before the end of the body because the body is too large. */
      isCut: () => boolean;
    }>;

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** `isWide` is true if a decompression stream of this encoding may allocate a window of several megabytes. */
type Encoding = Readonly<{
  inflate: Inflate;
  stream: (beginning: Uint8Array) => Transform;
  isWide: boolean;
}>;

const gzip: Encoding = { inflate: promisify(zlib.gunzip), stream: () => zlib.createGunzip(), isWide: false };

const unzlib: Inflate = promisify(zlib.inflate);
const inflateRaw: Inflate = promisify(zlib.inflateRaw);

/**
 * Returns whether data begin with a zlib header. RFC 9110 §8.4.1.2 requires the zlib format, but some senders
 * omit the zlib header.
 */
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

/**
 * Returns the encoding zstd if Node.js implements zstd. The oldest supported version of Node.js does not
 * implement zstd.
 */
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

/**
 * Returns the encoding of a request body; null for a body without an encoding.
 * @throws CollectorRefusal 415 if the server does not support the encoding.
 */
function encodingOf(request: Request): Encoding | null {
  const name = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return null;
  const encoding = ENCODINGS.get(name);
  if (encoding === undefined) throw unknownEncoding();
  return encoding;
}

/**
 * Reads and decompresses the complete body of a request. Decompression stops at the size limit, so a
 * decompression bomb uses no more resources than other bodies.
 * @throws CollectorRefusal 413 if the body is too large before or after decompression, 415 if the encoding is
 * not supported, 400 if the body is malformed.
 */
export async function readInflatedBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const encoding = encodingOf(request);
  const bytes = await readWire(request, limits.wireBytes);
  const inflated = encoding === null ? bytes : await inflateWhole(encoding, bytes, limits.bytes);
  if (inflated === null) throw tooLarge(`The decompressed body is larger than ${limits.bytes} bytes.`);
  return inflated;
}

/**
 * Reads and decompresses a body that must fit in memory.
 * @throws CollectorRefusal 400, 413 or 415
 */
export const readWholeBody = async (request: Request): Promise<Body> => ({
  kind: "whole",
  bytes: await readInflatedBody(request, LIMITS),
});

/**
 * Returns the decompressed body of a request as a stream, without a size limit.
 * @throws CollectorRefusal 415 if the encoding is not supported. If the body is malformed, the
 * CollectorRefusal with 400 may be thrown only when the chunks are read.
 */
export async function openBody(request: Request): Promise<Body> {
  const encoding = encodingOf(request);
  const { bytes, rest } = await readBeginning(request);
  if (rest !== null) return piecesOf(encoding, bytes, rest);
  if (encoding === null) return { kind: "whole", bytes };
  const inflated = await inflateWhole(encoding, bytes, LIMITS.bytes);
  return inflated === null ? piecesOf(encoding, bytes, null) : { kind: "whole", bytes: inflated };
}

/** Decompresses a request body. The result is null if the decompressed body is larger than `bytesMax`. */
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
    throw malformed("The body does not match its Content-Encoding.");
  } finally {
    leave?.();
  }
}

const isOutputTooLarge = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";

/**
 * The size of the thread pool for decompression. Each decompression may allocate several megabytes for its
 * sliding window.
 */
const INFLATING_MAX = 4;
const enterInflating = semaphore("inflating", { atOnce: INFLATING_MAX });

async function readWire(request: Request, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readBody(request, bytesMax);
  } catch (cause) {
    if (cause instanceof BodyTooLarge) throw tooLarge(`The body is larger than ${bytesMax} bytes.`);
    throw malformed("The request ended before the end of the body.");
  }
}

type WireReader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Reads the compressed body, up to the maximum size of a body that is stored in memory. If the body is
 * longer, the stream reader `rest` of the result returns the remaining bytes.
 */
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
    throw malformed("The request ended before the end of the body.");
  }
}

/**
 * Reads and discards the remaining bytes of a request body. If the server canceled the request body instead
 * of reading it, the connection would close before the client receives the response. If the server sends a
 * response before the complete body has arrived, the server soon closes the connection
 * (`src/server/early-response.ts`).
 */
async function discard(rest: WireReader): Promise<void> {
  for (let next = await rest.read(); !next.done; next = await rest.read());
}

/**
 * The maximum number of bodies that can be streamed concurrently if their decompression may need a window of
 * several megabytes (`isWide`). The server reads only the beginning of each additional body.
 */
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
      // The promise of `discard` is not awaited, because a slow client must not delay the response.
      if (rest !== null) discard(rest).catch(() => undefined);
    }
  }

  async function* inflated({ stream }: Encoding): AsyncGenerator<Uint8Array> {
    const leave = rest === null ? await enterInflating() : null;
    // The `for await` loop below handles errors of the decompression stream.
    const inflater = pipeline(Readable.from(wire()), stream(beginning), () => undefined);
    let length = 0;
    try {
      for await (const piece of inflater as AsyncIterable<Uint8Array>) {
        length += piece.length;
        if (length > LARGE_BYTES_MAX) return cut();
        yield piece;
      }
    } catch (cause) {
      // A body that was truncated at the size limit has no valid end, so a decompression error is expected.
      if (isCut) return;
      throw cause instanceof CollectorRefusal
        ? cause
        : malformed("The body does not match its Content-Encoding.");
    } finally {
      inflater.destroy();
      leave?.();
    }
  }

  return { kind: "pieces", pieces: encoding === null ? wire() : inflated(encoding), isCut: () => isCut };
}

const [OPENING_BRACE] = Buffer.from("{");

/** Matches base64 text, which may be split into several lines. */
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/**
 * Decodes a request body of the legacy `raven` SDKs: base64-encoded JSON, with or without zlib compression.
 * The function returns bodies in any other format unchanged.
 * @throws CollectorRefusal 413 if the decompressed body is too large.
 */
export async function unpackLegacy(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] === OPENING_BRACE) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!BASE64.test(text)) return bytes;
  const packed = Buffer.from(text, "base64");
  if (packed[0] === OPENING_BRACE) return packed;
  if (!hasZlibHeader(packed)) return bytes;
  const inflated = await inflateWhole(deflate, packed, LIMITS.bytes);
  if (inflated === null) throw tooLarge(`The decompressed event is larger than ${LIMITS.bytes} bytes.`);
  return inflated;
}
