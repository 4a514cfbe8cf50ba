import type { ServerResponse } from "node:http";

/** Answers before any route file runs, in the format of an OAuth error response. */
export function refuse(outgoing: ServerResponse, status: number, error: string, description: string): void {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  outgoing.end(JSON.stringify({ error, error_description: description }));
}
