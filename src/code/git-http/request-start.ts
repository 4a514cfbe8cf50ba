import { endedEarly, GitRefusal, requestTimeout } from "./refusals";

/** The beginning of a request's body, and a reader of the rest; null where everything was read. */
export type RequestStart = Readonly<{
  bytes: readonly Uint8Array[];
  rest: ReadableStreamDefaultReader<Uint8Array> | null;
}>;

/** The time in which a client has to send the beginning of its body. */
export const START_MS = 30_000;

/** Enough for about twenty thousand object ids. The rest of a longer body is streamed to Git. */
export const FETCH_START_BYTES = 1_048_576;

/** Enough to distinguish a push in progress from one that stalls. */
export const PUSH_START_BYTES = 65_536;

/**
 * Reads the beginning of a request's body, before Git starts.
 * @param bytesMax reading stops after this many bytes.
 * @throws GitRefusal 408 when the client has not sent the beginning within 30 seconds, 400 when it disconnects.
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
    // Not awaited: a source that never settles its cancellation must not delay the refusal.
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
