/** The request's body is longer than the endpoint takes: 413 (RFC 9110 §15.5.14). */
export class BodyTooLarge extends Error {
  readonly bytesMax: number;
  constructor(bytesMax: number) {
    super(`The request body is larger than ${bytesMax} bytes.`);
    this.name = "BodyTooLarge";
    this.bytesMax = bytesMax;
  }
}

/**
 * The whole body. A declared length is judged before anything is read, an undeclared one while it arrives, so
 * that no more than `bytesMax` is ever held.
 * @throws BodyTooLarge, or the stream's own error when the client goes away.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = declaredLength(request);
  if (declared === null) return readStream(request.body, bytesMax);
  if (declared > bytesMax) throw new BodyTooLarge(bytesMax);
  const body = new Uint8Array(await request.arrayBuffer());
  if (body.byteLength > bytesMax) throw new BodyTooLarge(bytesMax);
  return body;
}

/**
 * The length that a request declares; null without one. The HTTP parser holds a sender to its `Content-Length`; a chunked
 * body has none (RFC 9112 §6.3).
 */
export function declaredLength(request: Request): number | null {
  const header = request.headers.get("content-length");
  if (header === null || request.headers.has("transfer-encoding")) return null;
  return /^\d+$/.test(header) ? Number(header) : Number.POSITIVE_INFINITY;
}

/**
 * A body of which nobody has said how long it is.
 * @throws BodyTooLarge as soon as it is longer than `bytesMax`.
 */
export async function readStream(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > bytesMax) {
      // Not awaited: a source that never settles its cancellation must not delay the refusal.
      reader.cancel().catch(() => undefined);
      throw new BodyTooLarge(bytesMax);
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks, bytes);
}
