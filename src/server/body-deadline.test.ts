import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginTurn, endTurn } from "@/kernel/process/request-turn.ts";
import { limitBodyTime } from "./body-deadline.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  endTurn();
  vi.useRealTimers();
});

const WITHIN_MS = 300_000;
const newRequest = () => new IncomingMessage(new Socket());

/** Returns a request that arrived in an earlier turn. */
function receiveRequest(): IncomingMessage {
  const request = newRequest();
  beginTurn();
  limitBodyTime(request);
  endTurn();
  return request;
}

it("a request whose body is not complete after five minutes is destroyed", () => {
  const request = receiveRequest();
  vi.advanceTimersByTime(WITHIN_MS - 1);
  expect(request.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(request.destroyed).toBe(true);
});

it("a request whose body becomes complete within five minutes is not destroyed", () => {
  const request = receiveRequest();
  request.complete = true;
  vi.advanceTimersByTime(WITHIN_MS);
  expect(request.destroyed).toBe(false);
});

it("no timer is started for a body that arrives together with its headers, or for a request that is already destroyed", () => {
  beginTurn();
  const [complete, destroyed] = [newRequest(), newRequest()];
  limitBodyTime(complete);
  limitBodyTime(destroyed);
  complete.complete = true;
  destroyed.destroy();
  endTurn();
  expect(vi.getTimerCount()).toBe(0);
});

it("the timer of a request that arrives outside of a turn starts immediately", () => {
  limitBodyTime(newRequest());
  expect(vi.getTimerCount()).toBe(1);
});

it("the timer of a request ends together with the request", () => {
  const request = receiveRequest();
  expect(vi.getTimerCount()).toBe(1);
  request.emit("close");
  expect(vi.getTimerCount()).toBe(0);
});
