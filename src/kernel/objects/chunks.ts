import { ReadableStream as NodeStream } from "node:stream/web";

/** Returns a stream of the chunks of an iterator. When the stream is canceled, the iteration ends. */
export const streamOf = (chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  NodeStream.from(chunks) as unknown as ReadableStream<Uint8Array>;

/** Returns the chunks of a stream. When the iteration ends early, the stream is canceled. */
export const chunksOf = (stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> =>
  stream as unknown as AsyncIterable<Uint8Array>;
