import type { IncomingMessage, ServerResponse } from "node:http";
import { discardMarkup, enableMarkupStore } from "@/kernel/http/page-markup.ts";
import { answering } from "@/kernel/http/page-status.ts";
import { formOrigin } from "@/kernel/http/same-origin.ts";
import { BODY_BYTES_MAX, replaceFailedPages } from "./page-failure.ts";
import { preparePage } from "./page-response.ts";
import { refuse } from "./refusal.ts";
import { pathOf } from "./request-path.ts";
import { isRouteMethod } from "./routes.ts";

export type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * Returns a handler that passes requests to Next. The handler limits the size of request bodies, because Next
 * does not limit the size. The handler also refuses forms from other sites, because Next would respond to
 * these forms with a server error.
 * @param ready the promise of the handler of Next. Requests wait until the promise resolves.
 * @param issuer the origin of the pages.
 */
export function pagesListener(
  ready: Promise<NextHandler>,
  issuer: string,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  let handler: NextHandler | null = null;
  ready.then(
    (nextHandler) => {
      handler = nextHandler;
    },
    () => undefined,
  );
  return (incoming, outgoing) => {
    if (!isRouteMethod(incoming.method)) {
      outgoing.setHeader("allow", "GET, HEAD, POST");
      return refuse(outgoing, 405, "invalid_request", "A page does not support this method.");
    }
    if (incoming.method === "POST" && formOrigin(headersOf(incoming), issuer) === "other")
      return refuse(
        outgoing,
        403,
        "invalid_request",
        "This form did not come from a page of this site. Go back, reload the page and try again.",
      );
    if (Number(incoming.headers["content-length"] ?? 0) > BODY_BYTES_MAX) return refuseBody(outgoing);
    limitBody(incoming, outgoing);
    preparePage(incoming, outgoing, pathOf(incoming.url ?? ""));
    replaceFailedPages(incoming, outgoing);
    if (isDocumentRequest(incoming)) {
      enableMarkupStore(outgoing);
      // If the client disconnects, the page may still be rendering. The store then ends with the response object.
      outgoing.once("finish", () => discardMarkup(outgoing));
    }
    const answer = (nextHandler: NextHandler) =>
      // An unhandled rejection would end the process.
      answering(outgoing, () => nextHandler(incoming, outgoing)).catch(() => {
        if (outgoing.headersSent) outgoing.destroy();
        else refuse(outgoing, 500, "server_error", "The page could not be displayed.");
      });
    if (handler !== null) return void answer(handler);
    ready.then(answer, () =>
      refuse(
        outgoing,
        503,
        "temporarily_unavailable",
        "The pages of this server are not available. Ask an administrator to read the log.",
      ),
    );
  };
}

/** Returns whether Next responds with an HTML document. Next responds to its own scripts with flight data. */
const isDocumentRequest = ({ headers }: IncomingMessage): boolean =>
  headers["rsc"] === undefined && headers["next-action"] === undefined;

const headersOf = ({ headers }: IncomingMessage): Pick<Headers, "get"> => ({
  get: (name) => headers[name]?.toString() ?? null,
});

const refuseBody = (outgoing: ServerResponse): void =>
  refuse(outgoing, 413, "invalid_request", `The request body is larger than ${BODY_BYTES_MAX} bytes.`);

/**
 * Limits the size of a body without a declared length. The bytes of a body without a declared length are
 * counted in the events of the HTTP parser. A listener on the stream would start the flow of the stream
 * before Next reads the body.
 */
function limitBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.headers["transfer-encoding"] === undefined) return;
  const push = incoming.push.bind(incoming);
  let bytes = 0;
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    const within = bytes <= BODY_BYTES_MAX;
    bytes += chunk?.length ?? 0;
    if (bytes <= BODY_BYTES_MAX) return push(chunk, encoding);
    if (within && !outgoing.headersSent) refuseBody(outgoing);
    return true;
  };
}
