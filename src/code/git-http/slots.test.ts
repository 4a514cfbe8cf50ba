import { afterEach, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { type Slot, type SlotCaller, takeSlot } from "./slots.ts";

const held: Slot[] = [];
afterEach(() => {
  for (const slot of held.splice(0)) slot.release();
});

const user = (userId: number): SlotCaller => ({ userId, ipAddress: "192.0.2.1" });
const anonymous = (ipAddress: string): SlotCaller => ({ userId: null, ipAddress });

/** Calls `takeSlot` `tries` times. @returns the slots that `takeSlot` has granted. */
function take(caller: SlotCaller, tries: number): readonly Slot[] {
  const slots = Array.from({ length: tries }, () => takeSlot(caller)).filter((slot) => slot !== null);
  held.push(...slots);
  return slots;
}

it(conformance("SC-42", "takeSlot grants a user at most half of the twelve slots"), () => {
  expect([1, 2, 3].map((id) => take(user(id), 20).length)).toEqual([6, 6, 0]);
});

it("takeSlot grants at most six slots to the anonymous callers of one IP address, and at most eight slots to all anonymous callers together", () => {
  expect([take(anonymous("192.0.2.1"), 20).length, take(anonymous("192.0.2.2"), 20).length]).toEqual([6, 2]);
  expect([take(anonymous("192.0.2.3"), 20).length, take(user(1), 20).length]).toEqual([0, 4]);
});

it("the second release of the same slot has no effect", () => {
  const [slot] = take(user(1), 1);
  expect(take(user(1), 20)).toHaveLength(5);
  slot?.release();
  slot?.release();
  expect(take(user(1), 20)).toHaveLength(1);
  expect(take(user(2), 20)).toHaveLength(6);
  expect(take(user(3), 20)).toHaveLength(0);
});

it(
  conformance(
    "SC-42",
    "takeSlot grants the slot of a stalled request to another request, and the stalled request resumes only when a slot is free",
  ),
  () => {
    const stalled = take(user(1), 6);
    expect(stalled.map((slot) => slot.park())).toEqual(Array(6).fill(true));
    const moving = take(user(1), 20);
    expect(moving).toHaveLength(6);
    expect(stalled[0]?.resume()).toBe(false);
    moving[0]?.release();
    expect(stalled[0]?.resume()).toBe(true);
    expect(stalled[1]?.resume()).toBe(false);
  },
);

it(
  conformance(
    "SC-42",
    "at most twelve stalled requests, of which at most six belong to one user, can release their slots temporarily",
  ),
  () => {
    for (const slot of take(user(1), 6)) expect(slot.park()).toBe(true);
    const [more] = take(user(1), 1);
    expect(more?.park()).toBe(false);
    expect(take(user(2), 6).map((slot) => slot.park())).toEqual(Array(6).fill(true));
    expect(take(user(3), 1)[0]?.park()).toBe(false);
  },
);
