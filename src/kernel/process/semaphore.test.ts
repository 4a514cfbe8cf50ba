import { expect, it } from "vitest";
import { semaphore } from "./semaphore.ts";

it("a semaphore is shared by all bundles that declare the same limit", async () => {
  const limits = { atOnce: 1, waitingMax: 1 };
  const [pages, endpoints] = [semaphore("test", limits), semaphore("test", limits)];
  const leave = await pages();
  const second = endpoints();
  expect(await pages()).toBeNull();
  leave?.();
  const leaveSecond = await second;
  expect(leaveSecond).not.toBeNull();
  leaveSecond?.();
  expect(await endpoints()).not.toBeNull();
});
