import { afterEach, expect, it } from "vitest";
import { type SlotCaller, takeSlot } from "./slots.ts";

const held: (() => void)[] = [];
afterEach(() => {
  for (const release of held.splice(0)) release();
});

const person = (userId: number): SlotCaller => ({ userId, address: "192.0.2.1" });
const nobody = (address: string): SlotCaller => ({ userId: null, address });

/** How many of so many tries find a place. */
function places(caller: SlotCaller, tries: number): number {
  const got = Array.from({ length: tries }, () => takeSlot(caller)).filter((release) => release !== null);
  held.push(...got);
  return got.length;
}

it("there are twelve places, and six for one person", () => {
  expect([places(person(1), 20), places(person(2), 20), places(person(3), 20)]).toEqual([6, 6, 0]);
});

it("there are six places for an address, and eight for everybody without credentials", () => {
  expect([places(nobody("192.0.2.1"), 20), places(nobody("192.0.2.2"), 20)]).toEqual([6, 2]);
  expect([places(nobody("192.0.2.3"), 20), places(person(1), 20)]).toEqual([0, 4]);
});

it("a place is given back once, however often somebody says so", () => {
  const release = takeSlot(person(1));
  expect(places(person(1), 20)).toBe(5);
  release?.();
  release?.();
  expect(places(person(1), 20)).toBe(1);
  expect(places(person(2), 20)).toBe(6);
  expect(places(person(3), 20)).toBe(0);
});
