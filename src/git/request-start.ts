import { endedEarly, GitRefusal, requestTimeout } from "./refusals";

/** The beginning of a body, and how to read the rest; null where there is none. */
export type Started = Readonly<{
  bytes: readonly Uint8Array[];
  rest: ReadableStreamDefaultReader<Uint8Array> | null;
}>;

/** Somebody who asks for a pack says what they want at once. */
export const START_MS = 30_000;

/** What one asks for with these bytes are some twenty thousand objects by name; who sends more goes on while Git reads. */
const START_BYTES_MAX = 1_048_576;

/**
 * Reads a body to its end, or as far as it is read before Git starts.
 * @throws GitRefusal 408 when the client has not sent that much in half a minute, 400 when it goes away.
 */
export async function readStart(request: Request): Promise<Started> {
  if (request.body === null) return { bytes: [], rest: null };
  const reader = request.body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(requestTimeout()), START_MS);
  });
  try {
    return await Promise.race([collect(reader), late]);
  } catch (cause) {
    // Not awaited: a source that never settles its cancellation must not delay the refusal.
    reader.cancel().catch(() => undefined);
    throw cause instanceof GitRefusal ? cause : endedEarly();
  } finally {
    clearTimeout(timer);
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Started> {
  const bytes: Uint8Array[] = [];
  let length = 0;
  while (length < START_BYTES_MAX) {
    const next = await reader.read();
    if (next.done) return { bytes, rest: null };
    bytes.push(next.value);
    length += next.value.byteLength;
  }
  return { bytes, rest: reader };
}

/** A body of which nothing is read before Git starts. */
export const unread = ({ body }: Request): Started => ({ bytes: [], rest: body?.getReader() ?? null });
