/** Raised when the request body is larger than the endpoint accepts; the status is 413 (RFC 9110 §15.5.14). */
export class BodyTooLarge extends Error {
  readonly bytesMax: number;
  constructor(bytesMax: number) {
    super(`The request body is larger than ${bytesMax} bytes.`);
    this.name = "BodyTooLarge";
    this.bytesMax = bytesMax;
  }
}

/**
 * Returns the whole request body. A declared length is checked before the body is read. Without a declared
 * length, the function counts the bytes while the body arrives, so that at most `bytesMax` bytes are stored
 * in memory.
 * @throws BodyTooLarge, or the error of the stream when the client disconnects.
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
 * Returns the declared length of a request body; null if the request declares no length. The HTTP parser
 * enforces the length in `Content-Length`. A chunked body has no header `Content-Length` (RFC 9112 §6.3).
 */
export function declaredLength(request: Request): number | null {
  const header = request.headers.get("content-length");
  if (header === null || request.headers.has("transfer-encoding")) return null;
  return /^\d+$/.test(header) ? Number(header) : Number.POSITIVE_INFINITY;
}

/**
 * Returns a body whose length was not declared by the client.
 * @throws BodyTooLarge as soon as the body is longer than `bytesMax`.
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
      // The function does not wait for the cancellation of the stream, because a cancellation that never ends
      // must not delay the refusal.
      reader.cancel().catch(() => undefined);
      throw new BodyTooLarge(bytesMax);
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks, bytes);
}
