import { endedEarly, GitRefusal, requestTimeout } from "./refusals";

/** The beginning of a body, and how to read the rest; null where there is none. */
export type Started = Readonly<{
  bytes: readonly Uint8Array[];
  rest: ReadableStreamDefaultReader<Uint8Array> | null;
}>;

/** A client that wants a pack or pushes one sends the beginning of its body without waiting. */
export const START_MS = 30_000;

/** The ids of some twenty thousand wanted objects; the rest of a longer body is sent on while Git reads. */
export const FETCH_START_BYTES = 1_048_576;

/** Enough to tell a push whose body moves from one that stalls. */
export const PUSH_START_BYTES = 65_536;

/**
 * Reads a body to its end, or as far as it is read before Git starts.
 * @throws GitRefusal 408 when the client has not sent that much in half a minute, 400 when it goes away.
 */
export async function readStart(request: Request, bytesMax: number): Promise<Started> {
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

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, bytesMax: number): Promise<Started> {
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
