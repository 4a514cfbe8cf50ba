import type { Server } from "node:http";

/**
 * Keeps the idle connections of a test server open. With the default of Node, the server could close a connection while
 * the client sends its next request.
 */
export function keepConnectionsOpen(server: Server): void {
  server.keepAliveTimeout = 600_000;
}
