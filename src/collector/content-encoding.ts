import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { BodyTooLarge, readBody } from "@/platform/http/body";
import { malformed, tooLarge, unknownEncoding } from "./refusals";

/** How large a body may be, as it arrives and inflated. */
export type BodyLimits = Readonly<{ wireBytes: number; bytes: number }>;

const LIMITS: BodyLimits = { wireBytes: 1_048_576, bytes: 2_097_152 };

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const gunzip: Inflate = promisify(zlib.gunzip);
const unzlib: Inflate = promisify(zlib.inflate);
const inflateRaw: Inflate = promisify(zlib.inflateRaw);

/** RFC 9110 §8.4.1.2 means the zlib format, but some senders leave out its header. */
const inflate: Inflate = (bytes, options) => {
  const [first = 0, second = 0] = bytes;
  const hasHeader = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  return hasHeader ? unzlib(bytes, options) : inflateRaw(bytes, options);
};

/** Newer versions of Node know zstd; the oldest that is supported does not. */
function zstdInflater(): readonly (readonly [string, Inflate])[] {
  const { zstdDecompress } = zlib as { zstdDecompress?: typeof zlib.gunzip };
  return zstdDecompress === undefined ? [] : [["zstd", promisify(zstdDecompress)]];
}

const INFLATERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", promisify(zlib.brotliDecompress)],
  ...zstdInflater(),
]);

/**
 * The body of a request, inflated. It is inflated piece by piece, and no further than to the limit: a small body that
 * stands for gigabytes costs no more than any other.
 * @throws CollectorRefusal 413 for one that is too large before or after, 415 for an encoding that is not known, 400
 * for one that is broken.
 */
export async function readInflatedBody(request: Request, limits: BodyLimits = LIMITS): Promise<Uint8Array> {
  const encoding = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  const inflater = INFLATERS.get(encoding);
  if (inflater === undefined && encoding !== "" && encoding !== "identity") throw unknownEncoding();
  const bytes = await readWire(request, limits.wireBytes);
  if (inflater === undefined) return bytes;
  try {
    return await inTurn(() => inflater(bytes, { maxOutputLength: limits.bytes }));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE")
      throw tooLarge(`The inflated body is larger than ${limits.bytes} bytes.`);
    throw malformed("The body is not in its Content-Encoding.");
  }
}

/** As many as threads do the work. Each may hold megabytes for what it has seen, whatever comes out in the end. */
const INFLATING_MAX = 4;
const waiting: (() => void)[] = [];
let inflating = 0;

async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  if (inflating < INFLATING_MAX) inflating += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await run();
  } finally {
    // The turn goes to who has waited longest.
    const next = waiting.shift();
    if (next === undefined) inflating -= 1;
    else next();
  }
}

async function readWire(request: Request, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readBody(request, bytesMax);
  } catch (cause) {
    if (cause instanceof BodyTooLarge) throw tooLarge(`The body is larger than ${bytesMax} bytes.`);
    throw malformed("The body ended early.");
  }
}
