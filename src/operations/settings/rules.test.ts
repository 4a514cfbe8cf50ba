import { describe, expect, it } from "vitest";
import { SETTINGS, type SettingKey } from "@/instance/settings/catalog.ts";
import { SETTING_GROUPS } from "./groups.ts";
import { labelOf, problemOf, searchSettings } from "./rules.ts";

const GROUPS = SETTING_GROUPS.map(({ keys, ...group }) => ({
  ...group,
  settings: keys.map((key) => ({ key, ...SETTINGS[key] })),
}));

const keysOf = (search: string): readonly string[] =>
  searchSettings(GROUPS, search).flatMap(({ settings }) => settings.map(({ key }) => key));

describe("the label of a setting", () => {
  it("the label of a duration setting names no unit, because users enter a duration with its unit", () => {
    expect(labelOf(SETTINGS.oauth_access_token_expires_in)).toBe(
      "Lifetime of an access token; 0 means unlimited",
    );
    expect(labelOf(SETTINGS.session_expires_in)).toBe("Time after which a browser session expires");
    expect(labelOf(SETTINGS.audit_event_retention_days)).toBe(
      "Time for which audit events are kept; 0 means forever",
    );
    const labels = (Object.keys(SETTINGS) as SettingKey[])
      .filter((key) => "unit" in SETTINGS[key])
      .map((key) => labelOf(SETTINGS[key]));
    expect(labels.length).toBeGreaterThan(10);
    for (const label of labels)
      expect(label).not.toMatch(/^(?:Seconds|Minutes|Hours|Days)\b|in (?:seconds|minutes)/);
  });

  it("the label of a setting that is not a duration is equal to the description of the setting", () => {
    expect(labelOf(SETTINGS.signup_enabled)).toBe("Visitors can create an account");
  });
});

describe("the error message for an invalid duration", () => {
  it("the error message for an invalid duration names the limits in words", () => {
    expect(problemOf(SETTINGS.oauth_code_expires_in, "")).toBe(
      "Enter a duration from 10 seconds to 10 minutes, such as “2 hours” or “90 minutes”, in whole seconds.",
    );
    expect(problemOf(SETTINGS.reported_version, "The version is wrong.")).toBe("The version is wrong.");
  });
});

describe("the search within the settings", () => {
  it.each([
    ["oauth_code", ["oauth_code_expires_in"]],
    ["expires device CODE", ["device_code_expires_in"]],
    ["Lifetime ID token", ["id_token_expires_in"]],
    ["nothing like this", []],
  ])("the search on the settings page finds the settings that match %j", (search, expected) => {
    expect(keysOf(search)).toEqual(expected);
  });

  it("the search finds all settings of a group by the title of the group, and an empty search finds all settings", () => {
    expect(keysOf("devices")).toEqual(
      expect.arrayContaining(["device_code_expires_in", "device_poll_interval"]),
    );
    expect(keysOf(" ")).toHaveLength(Object.keys(SETTINGS).length);
  });
});
