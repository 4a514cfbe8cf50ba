import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { processWide } from "@/kernel/process/process-wide.ts";

/**
 * After an early response, the rest of the request body is read and discarded, so that the client can read the
 * response. `LINGER_CHECK_MS` is the interval at which the server checks whether bytes have arrived.
 */
const LINGER_CHECK_MS = 1_000;
/**
 * The number of successive checks without a byte after which reading ends. Checks are counted instead of time,
 * because after a stall of the process, bytes that have arrived are read later than the next check.
 */
const LINGER_IDLE_CHECKS = 5;
/** The time after which reading ends in any case. */
const LINGER_MS = 30_000;

/**
 * The maximum declared size of a small body. A small body arrives together with the headers, so the
 * connection can stay open after an early response.
 */
const SMALL_BYTES_MAX = 65_536;

const closing = processWide("closing-connections", () => new WeakSet<Socket>());

/**
 * Returns whether the last response on the connection has been sent. After the last response, the server
 * ignores further requests on the connection (RFC 9112 §9.6).
 */
export const isClosing = (socket: Socket): boolean => closing().has(socket);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Closes the connection in stages (RFC 9112 §9.6) if the response begins before the complete body has
 * arrived, for example if the server refuses the request. The response has `Connection: close`, the sending
 * side is closed, and the rest of the request body is read for a limited time. An immediate close would reset
 * the connection, and the client could lose the response. Without `Connection: close`, the client could send
 * its next request while the server closes the connection.
 */
export function closeAfterEarlyResponse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (!hasBody(incoming)) return;
  if (Number(incoming.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES_MAX) return;
  const writeHead = outgoing.writeHead.bind(outgoing) as (...head: unknown[]) => ServerResponse;
  outgoing.writeHead = (...head: unknown[]) => {
    if (!incoming.complete && !outgoing.headersSent) {
      outgoing.setHeader("Connection", "close");
      closeInStages(incoming);
    }
    return writeHead(...head);
  };
}

function closeInStages(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // The HTTP server calls `destroySoon` after the last response on a connection that the server closes.
  socket.destroySoon = () => {
    if (closing().has(socket) || socket.destroyed) return;
    closing().add(socket);
    socket.end();
    // Removes the listeners of a consumer that has stopped reading, because these listeners would pause the
    // stream of the request body again.
    incoming.removeAllListeners("data").resume();
    let { bytesRead } = socket;
    let idleChecks = 0;
    // Node discards the body without an event, so the number of bytes shows whether the client still sends.
    const check = setInterval(() => {
      idleChecks = socket.bytesRead === bytesRead ? idleChecks + 1 : 0;
      if (idleChecks >= LINGER_IDLE_CHECKS) socket.destroy();
      ({ bytesRead } = socket);
    }, LINGER_CHECK_MS);
    const end = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => {
      clearInterval(check);
      clearTimeout(end);
    });
  };
}
