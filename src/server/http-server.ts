import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { TrustedProxies } from "@/kernel/config/trusted-proxies.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { limitBodyTime } from "./body-deadline.ts";
import { closeAfterEarlyResponse, hasBody, isClosing } from "./early-response.ts";
import { heldWrites } from "./held-writes.ts";
import { IntakeResponse } from "./intake-response.ts";
import { mountedListener } from "./mounted.ts";
import { type NextHandler, pagesListener } from "./pages.ts";
import { refuse } from "./refusal.ts";
import { intakeRequest } from "./request-intake.ts";
import { measureRequest } from "./request-metrics.ts";
import { pathOf } from "./request-path.ts";
import { nameRequestSpan, tracedRequest } from "./request-span.ts";
import { compileRoutes, isGitAddress, type RouteFile } from "./routes.ts";
import { PROBES, UPLOAD_ADDRESS } from "./url-table.mjs";

const LIMITS = {
  /**
   * The maximum size of the headers of a request. The limit is high because the URL of a sign-in page
   * contains a complete authorization request that is escaped twice.
   */
  maxHeaderSize: 32 * 1024,
  headersTimeout: 15_000,
  /**
   * The time limit for receiving the headers and the body of a request together. The time limit is long
   * enough for a large push or package over a slow connection. The bodies of all other requests are small and
   * have the time limit of `body-deadline.ts`.
   */
  requestTimeout: 3_600_000,
  /**
   * The idle timeout of a connection. Reverse proxies keep idle connections for a minute. The idle timeout of
   * the server is longer, so that the proxy closes a connection before the server does.
   */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

export type ServerParts = Readonly<{
  routeFiles: readonly RouteFile[];
  /** The promise of the request handler of Next. */
  pages: Promise<NextHandler>;
  /**
   * The promise that resolves when the database is open. All requests except probes wait until the promise
   * resolves.
   */
  opened: Promise<unknown>;
  trusted: TrustedProxies;
  /** Whether clients connect to the instance over TLS. */
  secure: boolean;
  /** The public origin, which is the only origin that may post forms to pages. */
  issuer: string;
  log: Logger;
}>;

/**
 * Creates the server of this process, which does not listen yet. The server passes each request to its route
 * file, or to Next if no route file matches.
 */
export function createGatehouseServer(parts: ServerParts): Server {
  const match = compileRoutes(parts.routeFiles);
  const mounted = mountedListener(parts.log);
  const pages = pagesListener(parts.pages, parts.issuer);
  const dispatch = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const path = pathOf(incoming.url ?? "");
    const route = match(path);
    const pattern = route?.route.pattern ?? pagePattern(path);
    measureRequest(incoming, outgoing, pattern);
    nameRequestSpan(incoming, pattern);
    if (route === null) pages(incoming, outgoing);
    else mounted(incoming, outgoing, route);
  };
  let isOpen = false;
  const opened = parts.opened.then(() => {
    isOpen = true;
  });
  opened.catch(() => undefined);
  const writes = heldWrites();
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): unknown => {
    if (isClosing(incoming.socket)) return incoming.socket.destroy();
    writes.hold(incoming.socket);
    intakeRequest(incoming, outgoing, parts);
    closeAfterEarlyResponse(incoming, outgoing);
    if (hasBody(incoming) && !isUpload(incoming)) limitBodyTime(incoming);
    if (isOpen || PROBES.test(pathOf(incoming.url ?? ""))) return dispatch(incoming, outgoing);
    return opened.then(
      () => dispatch(incoming, outgoing),
      () => refuse(outgoing, 503, "temporarily_unavailable", "The server could not open its database."),
    );
  };
  const server = createServer({ ...LIMITS, ServerResponse: IntakeResponse }, (incoming, outgoing) =>
    tracedRequest(incoming, () => receive(incoming, outgoing)),
  );
  server.on("connection", writes.prepare);
  return server;
}

/**
 * Returns the value of the metric label `route` for a request that Next handles. Next does not report the
 * selected page.
 */
const pagePattern = (path: string): string => (path.startsWith("/_next/") ? "assets" : "pages");

/** Returns whether the body of a request may take long to arrive: a push or a package. */
function isUpload({ url = "" }: IncomingMessage): boolean {
  const path = pathOf(url);
  return isGitAddress(path) || UPLOAD_ADDRESS.test(path);
}
