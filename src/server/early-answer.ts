import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { processWide } from "@/kernel/process/process-wide.ts";

/** How long the rest of a body is read and discarded after the answer, so that its sender can read the answer. */
const LINGER_MS = 2_000;

/** A declared body of at most this size is on its way as a whole when its head arrives: its connection is kept. */
const SMALL_BYTES_MAX = 65_536;

const closing = processWide("closing-connections", () => new WeakSet<Socket>());

/** Whether the last answer on the connection has been sent: further requests on it are not served (RFC 9112 §9.6). */
export const isClosing = (socket: Socket): boolean => closing().has(socket);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Closes the connection in stages (RFC 9112 §9.6) when the answer begins before the body has arrived, as a refusal does:
 * the answer says `Connection: close`, the sending side is closed, and the rest of the body is read for a short time. A
 * connection that was closed at once would be reset, and its client could lose the answer; one that was kept could be
 * used for the next request while the server closes it.
 */
export function closeAfterEarlyAnswer(incoming: IncomingMessage, outgoing: ServerResponse): void {
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
  // The HTTP server calls this after the answer to a request whose connection it does not keep.
  socket.destroySoon = () => {
    if (closing().has(socket)) return;
    closing().add(socket);
    socket.end();
    // A listener of a reader that has stopped would pause the body again.
    incoming.removeAllListeners("data").resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };
}
