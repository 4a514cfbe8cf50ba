import { ReadableStream as NodeStream } from "node:stream/web";

/** Returns a stream of chunks. A canceled stream ends the iteration. */
export const streamOf = (chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  NodeStream.from(chunks) as unknown as ReadableStream<Uint8Array>;

/** Returns the chunks of a stream. The end of the iteration cancels the stream. */
export const chunksOf = (stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> =>
  stream as unknown as AsyncIterable<Uint8Array>;
