import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import type { SettingRow } from "./catalog.ts";
import { parseValue, settingsFrom } from "./rules.ts";

const CHOICE: SettingRow = {
  about: "Color",
  default: "blue",
  choices: { blue: "Like the sky", green: "Like grass" },
};
const TEXT: SettingRow = {
  about: "Version",
  default: "1.2.3",
  pattern: "\\d{1,3}(\\.\\d{1,3}){2}",
  format: "three numbers with dots between them",
};

describe(conformance("SC-20", "a setting"), () => {
  it.each(["blue", "green"])("a setting accepts the choice %s", (text) => {
    expect(parseValue("color", CHOICE, text)).toEqual({ value: text });
  });

  it.each(["", "Blue", "red", "blue ", "toString", "__proto__"])(
    "a setting refuses %j as a choice",
    (text) => {
      expect(parseValue("color", CHOICE, text)).toEqual({ problem: "color must be one of blue, green." });
    },
  );

  it("a setting accepts a text if the pattern of the setting matches the complete text", () => {
    expect(parseValue("version", TEXT, "17.2.0")).toEqual({ value: "17.2.0" });
  });

  it.each(["", "17.2", "v17.2.0", "17.2.0\n", "17.2.0-ee"])("a setting refuses the text %j", (text) => {
    expect(parseValue("version", TEXT, text)).toEqual({
      problem: "version must be three numbers with dots between them.",
    });
  });

  it("a setting has its default value when the stored value is invalid", () => {
    const stored = (value: string) =>
      settingsFrom([{ key: "authorization_response_iss", value }]).authorization_response_iss;
    expect(stored('"always"')).toBe("always");
    expect(stored('"sometimes"')).toBe("openid");
    expect(stored('{"broken')).toBe("openid");
    expect(stored("true")).toBe("openid");
  });
});
