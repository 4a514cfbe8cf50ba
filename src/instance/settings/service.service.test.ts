import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { changeSettings, readSettings } from "./service.ts";

const deps = await openTestDeps();

it("a change to a setting by another process takes effect immediately", async () => {
  const minimum = async () => (await readSettings(deps)).password_minimum_length_without_two_factor;
  const initial = await minimum();
  expect(await changeSettings(deps, { password_minimum_length_without_two_factor: "12" })).toEqual([]);
  expect(await minimum()).toBe(12);
  await deps.db.setting.updateMany({ data: { value: "14" } });
  expect(await minimum()).toBe(14);
  await deps.db.setting.updateMany({ data: { key: "user_oauth_applications", value: "false" } });
  expect(await minimum()).toBe(initial);
  expect((await readSettings(deps)).user_oauth_applications).toBe(false);
  await deps.db.setting.deleteMany();
  expect((await readSettings(deps)).user_oauth_applications).toBe(true);
});
