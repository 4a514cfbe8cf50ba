import type { ServerResponse } from "node:http";

/** Sends a refusal in the format of an OAuth error response, before any route file runs. */
export function refuse(outgoing: ServerResponse, status: number, error: string, description: string): void {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  outgoing.end(JSON.stringify({ error, error_description: description }));
}
