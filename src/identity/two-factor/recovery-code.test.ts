import { expect, it } from "vitest";
import { newRecoveryCode, readRecoveryCode, recoveryCodeFile } from "./recovery-code.ts";

const bytes = (size: number) => crypto.getRandomValues(new Uint8Array(size));

it("a new recovery code has sixteen unambiguous characters, and parsing does not change it", () => {
  const codes = Array.from({ length: 200 }, () => newRecoveryCode(bytes));
  expect(new Set(codes).size).toBe(200);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    for (const typed of [
      code,
      code.toUpperCase(),
      code.replaceAll("-", ""),
      ` ${code.replaceAll("-", "–")} `,
    ])
      expect(readRecoveryCode(typed)).toBe(code);
  }
});

it("a recovery code is accepted with similar-looking characters, such as O for 0", () => {
  expect(readRecoveryCode("oOiI-lL00-1111-abcd")).toBe("0011-1100-1111-abcd");
});

it.each(["", "-", "0000-0000-0000-000", "0000-0000-0000-00000", "0000-0000-0000-000u", "\0".repeat(16)])(
  "the parser of recovery codes rejects %j",
  (typed) => {
    expect(readRecoveryCode(typed)).toBeNull();
  },
);

it("the file of recovery codes has one code per line", () => {
  const lines = recoveryCodeFile("https://id.example", "ann", ["a", "b"]).split("\r\n");
  expect(lines).toEqual(expect.arrayContaining(["a", "b"]));
  expect(lines[0]).toContain("ann at https://id.example");
});
