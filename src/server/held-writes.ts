import type { Writable } from "node:stream";
import { beginTurn, endTurn } from "@/kernel/process/request-turn.ts";

/**
 * The time in milliseconds after which delayed responses are written even if more requests arrive in the same
 * turn of the event loop.
 */
const HELD_MAX_MS = 4;

/**
 * Delays the writes of responses on the connections of one server, so that several responses are written
 * together.
 */
export type HeldWrites = Readonly<{
  /** Prepares a new connection, so that its writes can be delayed. */
  prepare: (connection: Writable) => void;
  /**
   * Delays the writes of a connection from the arrival of a request to the end of the turn of the event loop.
   */
  hold: (connection: Writable) => void;
}>;

/**
 * Delays the responses to requests that arrive in one turn of the event loop, and writes the responses
 * together at the end of the turn.
 *
 * The write to a socket wakes the process that reads the other end, and waking that process takes longer than
 * most requests. The operating system wakes a proxy, or a client with several connections, only once for all
 * responses that are written together. A response that is not complete at the end of the turn of the event
 * loop is written as soon as the response is complete.
 */
export function heldWrites(): HeldWrites {
  // The number of calls of `uncork` by each connection whose writes are delayed.
  const held = new Map<Writable, number>();
  let since = 0;

  function flush(): void {
    endTurn();
    for (const connection of [...held.keys()]) release(connection);
  }

  /** Writes the delayed responses of a connection, and stops delaying the writes of the connection. */
  function release(connection: Writable): void {
    const calls = held.get(connection) ?? 0;
    held.delete(connection);
    for (let call = 0; call < calls; call += 1) connection.uncork();
  }

  return {
    prepare: (connection) => {
      // `ServerResponse.end` sets the counter of `cork` to 1 and calls `uncork`. A call of `cork` before the
      // request would therefore delay no write.
      const uncork = connection.uncork.bind(connection);
      connection.uncork = () => {
        const calls = held.get(connection);
        if (calls === undefined) uncork();
        else held.set(connection, calls + 1);
      };
      // A corked stream that ends never emits `finish`, and a destroyed stream discards its buffer. The
      // delayed responses are therefore written before the stream ends or is destroyed.
      const end = connection.end.bind(connection) as (...parameters: unknown[]) => Writable;
      connection.end = (...parameters: unknown[]) => {
        release(connection);
        return end(...parameters);
      };
      const destroy = connection.destroy.bind(connection);
      connection.destroy = (error) => {
        release(connection);
        return destroy(error);
      };
    },
    hold: (connection) => {
      const now = performance.now();
      if (held.size > 0 && now - since > HELD_MAX_MS) flush();
      if (held.size === 0) {
        since = now;
        setImmediate(flush);
        beginTurn();
      } else if (held.has(connection)) {
        // The request may have been sent after the turn began, together with a later part of a pipeline.
        beginTurn();
      }
      if (!held.has(connection)) held.set(connection, 0);
    },
  };
}
