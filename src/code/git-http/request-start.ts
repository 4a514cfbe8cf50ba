import { endedEarly, GitRefusal, requestTimeout } from "./refusals";

/**
 * The beginning of a request body, and a reader for the rest of the body; `rest` is null if the whole body
 * has been read.
 */
export type RequestStart = Readonly<{
  bytes: readonly Uint8Array[];
  rest: ReadableStreamDefaultReader<Uint8Array> | null;
}>;

/** The maximum time that a client may take to send the beginning of the request body. */
export const START_MS = 30_000;

/**
 * The size of the beginning of a fetch request: enough for about twenty thousand object ids. If a request
 * body is longer, the rest of the body is streamed to Git.
 */
export const FETCH_START_BYTES = 1_048_576;

/**
 * The size of the beginning of a push request: enough to distinguish a push that makes progress from a stalled push.
 */
export const PUSH_START_BYTES = 65_536;

/**
 * Reads the beginning of a request body before Git starts.
 * @param bytesMax the number of bytes after which reading stops.
 * @throws GitRefusal 408 if the client has not sent the beginning of the request body within 30 seconds, 400
 * if the client disconnects.
 */
export async function readStart(request: Request, bytesMax: number): Promise<RequestStart> {
  if (request.body === null) return { bytes: [], rest: null };
  const reader = request.body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(requestTimeout()), START_MS);
  });
  try {
    return await Promise.race([collect(reader, bytesMax), late]);
  } catch (cause) {
    // The cancellation of the reader is not awaited, because a cancellation that never completes would delay
    // the response forever.
    reader.cancel().catch(() => undefined);
    throw cause instanceof GitRefusal ? cause : endedEarly();
  } finally {
    clearTimeout(timer);
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
): Promise<RequestStart> {
  const bytes: Uint8Array[] = [];
  let length = 0;
  while (length < bytesMax) {
    const next = await reader.read();
    if (next.done) return { bytes, rest: null };
    bytes.push(next.value);
    length += next.value.byteLength;
  }
  return { bytes, rest: reader };
}
