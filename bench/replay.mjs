// A bare `node:http` server, in a separate process. The server forwards the first request of each method and
// path to Gatehouse. The server responds to later requests with the status, the headers and the body of the
// first response.
import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";

const { ORIGIN = "", PORT = "" } = process.env;

/** The headers that `node:http` itself adds to each response. */
const OWN = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

/** @typedef {{ status: number, headers: string[], body: string }} Answer */

/** @type {Map<string, Answer>} */
const answers = new Map();

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @param {string} sent
 * @returns {Promise<Answer>}
 */
async function answerOfOrigin({ method, url, headers }, sent) {
  /** @type {import("node:http").IncomingMessage} */
  const response = await new Promise((resolve, reject) => {
    const { connection: _, ...others } = headers;
    request(new URL(url ?? "", ORIGIN), { method: method ?? "GET", headers: others }, resolve)
      .once("error", reject)
      .end(sent);
  });
  const headerList = response.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !OWN.has(name.toLowerCase()) ? [name, response.rawHeaders[at + 1] ?? ""] : [],
  );
  return { status: response.statusCode ?? 0, headers: headerList, body: String(await buffer(response)) };
}

createServer((incoming, outgoing) => {
  const key = `${incoming.method} ${incoming.url}`;
  let sent = "";
  const send = (/** @type {Answer} */ { status, headers, body }) =>
    outgoing.writeHead(status, headers).end(body);
  const answer = () => {
    const recorded = answers.get(key);
    if (recorded !== undefined) return send(recorded);
    answerOfOrigin(incoming, sent).then(
      (first) => {
        answers.set(key, first);
        send(first);
      },
      () => outgoing.writeHead(502).end(),
    );
  };
  if (incoming.method === "GET") return answer();
  incoming.setEncoding("utf8").on("data", (chunk) => {
    sent += chunk;
  });
  incoming.on("end", answer);
}).listen(Number(PORT), "127.0.0.1");
