import type { IncomingMessage } from "node:http";
import { joinTurn } from "@/kernel/process/request-turn.ts";

/** The time limit of bodies of all requests except Git and package requests. */
const BODY_WITHIN_MS = 300_000;

/**
 * Closes the connection of a client that sends the body of a request too slowly.
 *
 * Most bodies arrive in the same turn of the event loop as the headers. A timer is started only for a body
 * that is not complete at the end of the turn, because a timer for each request would take longer than reading
 * a small form.
 */
export function limitBodyTime(incoming: IncomingMessage): void {
  const startIfIncomplete = () => {
    if (!incoming.complete && !incoming.destroyed) startTimer(incoming);
  };
  if (!joinTurn(startIfIncomplete)) startIfIncomplete();
}

function startTimer(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.complete || incoming.destroy(), BODY_WITHIN_MS);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}
