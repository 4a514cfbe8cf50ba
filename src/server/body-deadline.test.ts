import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { bodyDeadline } from "./body-deadline.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const WITHIN_MS = 300_000;
const newRequest = () => new IncomingMessage(new Socket());

it("a request whose body is not complete after five minutes is destroyed", async () => {
  const request = newRequest();
  bodyDeadline()(request);
  await setImmediate();
  vi.advanceTimersByTime(WITHIN_MS - 1);
  expect(request.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(request.destroyed).toBe(true);
});

it("a request whose body becomes complete within five minutes is not destroyed", async () => {
  const request = newRequest();
  bodyDeadline()(request);
  await setImmediate();
  request.complete = true;
  vi.advanceTimersByTime(WITHIN_MS);
  expect(request.destroyed).toBe(false);
});

it("no timer is started for a body that arrives together with its headers, or for a request that is already destroyed", async () => {
  const expectBody = bodyDeadline();
  const [complete, destroyed] = [newRequest(), newRequest()];
  expectBody(complete);
  expectBody(destroyed);
  complete.complete = true;
  destroyed.destroy();
  await setImmediate();
  expect(vi.getTimerCount()).toBe(0);
});

it("the timer of a request ends together with the request", async () => {
  const request = newRequest();
  bodyDeadline()(request);
  await setImmediate();
  expect(vi.getTimerCount()).toBe(1);
  request.emit("close");
  expect(vi.getTimerCount()).toBe(0);
});
