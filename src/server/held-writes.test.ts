import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { endTurn, joinTurn } from "@/kernel/process/request-turn.ts";
import { type HeldWrites, heldWrites } from "./held-writes.ts";

afterEach(() => {
  vi.restoreAllMocks();
  endTurn();
});

/** Returns a prepared connection and the list into which the connection writes. */
function newConnection(writes: HeldWrites, written: string[]): Writable {
  const connection = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  writes.prepare(connection);
  return connection;
}

/** Writes a response as `ServerResponse.end` does. */
function respond(connection: Writable, response: string): void {
  connection.cork();
  connection.write(response);
  connection.uncork();
}

it("responses to requests that arrive in one turn of the event loop are written together at the end of the turn", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const writes = heldWrites();
  const written: string[] = [];
  const [first, second] = [newConnection(writes, written), newConnection(writes, written)];
  writes.hold(first);
  respond(first, "a");
  writes.hold(second);
  respond(second, "b");
  writes.hold(first);
  respond(first, "c");
  expect(written).toEqual([]);
  await setImmediate();
  expect(written).toEqual(["a", "c", "b"]);
});

it("a response that is complete after the turn of the event loop in which its request arrived is written immediately", async () => {
  const writes = heldWrites();
  const written: string[] = [];
  const [first, second] = [newConnection(writes, written), newConnection(writes, written)];
  writes.hold(first);
  await setImmediate();
  writes.hold(second);
  respond(first, "a");
  expect(written).toEqual(["a"]);
});

it("a response that has waited for four milliseconds is written when the next request arrives", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const writes = heldWrites();
  const written: string[] = [];
  const [first, second] = [newConnection(writes, written), newConnection(writes, written)];
  writes.hold(first);
  respond(first, "a");
  now.mockReturnValue(5);
  writes.hold(second);
  expect(written).toEqual(["a"]);
});

it("if a connection ends in the turn of the event loop in which its request arrives, the response is written before the connection ends", async () => {
  const writes = heldWrites();
  const written: string[] = [];
  const connection = newConnection(writes, written);
  writes.hold(connection);
  respond(connection, "a");
  const finished = new Promise<void>((resolve) => connection.on("finish", () => resolve()));
  connection.end();
  await finished;
  expect(written).toEqual(["a"]);
});

it("if a connection is destroyed in the turn of the event loop in which its request arrives, the response is written before the connection is destroyed", () => {
  const writes = heldWrites();
  const written: string[] = [];
  const connection = newConnection(writes, written);
  writes.hold(connection);
  respond(connection, "a");
  connection.destroy();
  expect(written).toEqual(["a"]);
});

it("requests of different connections that arrive together share one turn, which ends before the event loop waits for new events", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const writes = heldWrites();
  const [first, second] = [newConnection(writes, []), newConnection(writes, [])];
  const ended = vi.fn();
  expect(joinTurn(ended)).toBe(false);
  writes.hold(first);
  expect(joinTurn(ended)).toBe(true);
  writes.hold(second);
  expect(ended).not.toHaveBeenCalled();
  await setImmediate();
  expect(ended).toHaveBeenCalledTimes(1);
  expect(joinTurn(ended)).toBe(false);
});

it("the second request of a connection in one iteration of the event loop begins a new turn", () => {
  const writes = heldWrites();
  const connection = newConnection(writes, []);
  const ended = vi.fn();
  writes.hold(connection);
  joinTurn(ended);
  writes.hold(connection);
  expect(ended).toHaveBeenCalledTimes(1);
  expect(joinTurn(ended)).toBe(true);
});

it("a request that arrives more than four milliseconds after the first request of a turn begins a new turn", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const writes = heldWrites();
  const [first, second] = [newConnection(writes, []), newConnection(writes, [])];
  const ended = vi.fn();
  writes.hold(first);
  joinTurn(ended);
  now.mockReturnValue(5);
  writes.hold(second);
  expect(ended).toHaveBeenCalledTimes(1);
});
