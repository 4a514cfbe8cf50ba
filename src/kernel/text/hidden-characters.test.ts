import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { hasHiddenCharacters } from "./hidden-characters.ts";

describe("hidden characters", () => {
  it.each([
    ["a zero-width space", "Acme\u200b"],
    ["a joiner between Latin letters", "Ac\u200dme"],
    ["a byte order mark", "\ufeffAcme"],
    ["a soft hyphen", "Ac\u00adme"],
    ["a text direction override", "Acme \u202eemcA"],
    ["a text direction isolate", "\u2066Acme\u2069"],
    ["a text direction mark", "Acme\u200f"],
    ["a line separator", "Acme\u2028Deploy"],
    ["a paragraph separator", "Acme\u2029Deploy"],
    ["tag characters", "Acme\u{e0041}\u{e0042}"],
    ["a word joiner", "Ac\u2060me"],
    ["a Hangul filler", "\u3164"],
    ["an empty Braille pattern", "\u2800"],
    ["a variation selector without emoji", "A\ufe0fcme"],
    ["a private character", "Acme\ue000"],
    ["half of a surrogate pair", "Acme\ud83d"],
    ["NUL", "Ac\0me"],
  ])(conformance("SC-15", "the check for hidden characters detects %s"), (_what, text) => {
    expect(hasHiddenCharacters(text)).toBe(true);
  });

  it.each([
    "Acme Deploy",
    "شهرزاد المصري",
    "می‌خواهم",
    "क्‍ष",
    "ශ්‍රී ලංකා",
    "李小龍",
    "Zoë",
    "Famille 👨‍👩‍👧",
    "👩🏽‍💻 builds",
    "I ❤️ tests",
    "🏳️‍🌈",
    "#️⃣",
    "한국어",
  ])(conformance("SC-15", "the check for hidden characters accepts %s"), (text) => {
    expect(hasHiddenCharacters(text)).toBe(false);
  });
});
