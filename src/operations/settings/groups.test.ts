import { expect, it } from "vitest";
import { SETTINGS } from "@/instance/settings/catalog.ts";
import { durationText } from "@/instance/settings/duration.ts";
import { SETTING_GROUPS } from "./groups.ts";

it("every setting is in exactly one group of the settings page", () => {
  const placed = SETTING_GROUPS.flatMap(({ keys }) => keys);
  expect(placed.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
  expect(SETTING_GROUPS.map(({ id }) => id)).not.toContain("others");
});

it.each<[number, string]>([
  [0, "0"],
  [1, "1 second"],
  [90, "1 minute and 30 seconds"],
  [7200, "2 hours"],
  [604_800, "7 days"],
  [31_536_000, "1 year"],
  [90_061, "1 day, 1 hour, 1 minute and 1 second"],
])("the settings page shows a duration of %d seconds as %j", (seconds, words) => {
  expect(durationText(seconds, "seconds")).toBe(words);
});
