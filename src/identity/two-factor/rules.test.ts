import { expect, it } from "vitest";
import { formatMoment } from "./rules.ts";

it("the two-factor page shows times without seconds", () => {
  expect(formatMoment(new Date("2026-11-21T12:00:00.000Z"))).toBe("2026-11-21, 12:00 UTC");
});
