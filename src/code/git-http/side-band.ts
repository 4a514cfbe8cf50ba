import { Transform, type TransformCallback } from "node:stream";
import { mentionsStorageFailure } from "@/kernel/disk/storage";

/** The packet that ends a list of packets (gitprotocol-common, "pkt-line"). */
const FLUSH = Buffer.from("0000");

/**
 * The number of the side band for messages to the user. Git clients print these messages with the prefix
 * "remote:".
 */
const MESSAGE_BAND = 2;

/** The number of the side band for a fatal error. Git clients print the error, and end. */
const ERROR_BAND = 3;

/** The maximum length of a message in bytes. Git allows slightly longer packets. */
const TEXT_BYTES_MAX = 32_000;

/**
 * Creates a stream that forwards the response to a push, and inserts messages for the user before the end of
 * the response.
 * @param lines a function that returns the messages for the user. The stream calls `lines` at the end of the
 * response, with true if the response contains the error text of a full or read-only disk. If the promise
 * that `lines` returns rejects, the response is aborted.
 * @param failure a function that returns the reason why the server ended the push; null if Git ended by itself.
 */
export function withMessages(
  lines: (mentionsStorage: boolean) => Promise<readonly string[]>,
  failure: () => string | null = () => null,
): Transform {
  let mentionsStorage = false;
  let held = Buffer.alloc(0);
  let start = Buffer.alloc(0);
  const pass = (chunk: Buffer, _: BufferEncoding, done: TransformCallback) => {
    if (start.length < 5) start = Buffer.concat([start, chunk]).subarray(0, 5);
    const all = Buffer.concat([held, chunk]);
    mentionsStorage ||= mentionsStorageFailure(all.toString("latin1"));
    const end = Math.max(0, all.length - FLUSH.length);
    held = all.subarray(end);
    done(null, all.subarray(0, end));
  };
  const flush = (done: TransformCallback) => {
    lines(mentionsStorage).then((texts) => {
      const reason = failure();
      if (reason !== null) return done(null, Buffer.concat([held, packetOf(ERROR_BAND, reason), FLUSH]));
      const canShow = held.equals(FLUSH) && isSideBand(start);
      const packets = canShow ? texts.map((text) => packetOf(MESSAGE_BAND, text)) : [];
      done(null, Buffer.concat([...packets, held]));
    }, done);
  };
  return new Transform({ transform: pass, flush });
}

/**
 * Returns whether the response uses side bands. If the client supports `side-band-64k`, each packet of the
 * response begins with a band number.
 */
const isSideBand = (start: Buffer): boolean => [1, 2, 3].includes(start[4] ?? 0);

/**
 * Returns a packet that contains a message for the user. Control characters, which a terminal could execute,
 * become U+FFFD.
 */
function packetOf(band: number, line: string): Buffer {
  const text = Buffer.from(`${line.replace(/\p{Cc}/gu, "\ufffd")}\n`).subarray(0, TEXT_BYTES_MAX);
  const length = (text.length + 5).toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(length), Buffer.from([band]), text]);
}
