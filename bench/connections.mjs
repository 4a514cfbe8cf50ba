import { connect } from "node:net";

/**
 * @import { Socket } from "node:net"
 * @import { Request } from "./rows.mjs"
 * @typedef {{ status: number, body: string, milliseconds: number }} Response
 * @typedef {{ next: () => string | null, received: (response: Response) => void }} Exchange `next` returns the text of
 * the next request, or null after the last request; `received` is called with each response.
 */

const END_OF_HEAD = "\r\n\r\n";
/** The time after which a request without a response fails. */
const TIMEOUT_MS = 10_000;

/**
 * Returns the text of an HTTP/1.1 request.
 * @param {string} baseUrl
 * @param {Request} request
 */
export function requestText(baseUrl, { method, path, headers = {}, body = "" }) {
  const lines = Object.entries({ host: new URL(baseUrl).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = method === "GET" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}${length}\r\n${body}`;
}

/**
 * Sends requests over several connections, one request at a time on each connection. The function uses
 * sockets instead of an HTTP client, because the servers and this process share the processor cores, and an
 * HTTP client takes as much processor time as some of the measured servers.
 * @param {string} baseUrl
 * @param {number} connections
 * @param {(connection: number) => Exchange} exchangeOf
 * @returns {Promise<number>} the number of connections that failed.
 */
export async function sendRequests(baseUrl, connections, exchangeOf) {
  const { hostname, port } = new URL(baseUrl);
  const sent = Array.from({ length: connections }, (_, connection) =>
    sendOn(connect(Number(port), hostname), exchangeOf(connection)),
  );
  return (await Promise.allSettled(sent)).filter(({ status }) => status === "rejected").length;
}

/**
 * @param {Socket} socket
 * @param {Exchange} exchange
 * @returns {Promise<void>}
 */
function sendOn(socket, { next, received }) {
  let text = "";
  let sentAt = 0;
  return new Promise((resolve, reject) => {
    const send = () => {
      const request = next();
      if (request === null) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setNoDelay();
    socket.setEncoding("utf8");
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("The server did not respond in time.")));
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The server closed the connection.")));
    socket.on("data", (/** @type {string} */ chunk) => {
      text += chunk;
      const response = completeResponse(text);
      if (response === null) return;
      text = "";
      received({ ...response, milliseconds: performance.now() - sentAt });
      send();
    });
  });
}

/**
 * Returns the HTTP response that a text contains, or null if the response is not complete. The measured
 * servers send the header `Content-Length` with each response.
 * @param {string} text
 */
function completeResponse(text) {
  const bodyAt = text.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
  if (bodyAt < END_OF_HEAD.length) return null;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, bodyAt))?.[1]);
  if (Number.isNaN(length)) throw new Error(`A response has no Content-Length: ${text.slice(0, bodyAt)}`);
  const body = text.slice(bodyAt);
  if (body.length < length && Buffer.byteLength(body) < length) return null;
  return { status: Number(text.slice(9, 12)), body };
}
