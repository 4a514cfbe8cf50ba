import { expect, it } from "vitest";
import { visible, visibleName } from "@/kernel/text/visible.ts";
import { PATCH_LINES_MAX, patchesOf, patchOf } from "./patch.ts";
import { showText, TEXT_BYTES_MAX } from "./shown-text.ts";

it.each<[string, number, string]>([
  ["", 0, ""],
  ["\n", 1, ""],
  ["one", 1, "one"],
  ["one\r\ntwo\r\n", 2, "one\ntwo"],
  ["\n\nthree\n", 3, "\n\nthree"],
  ["a\rb\u2028c\n", 1, "a[U+000D]b[U+2028]c"],
])("showText returns the number of lines of %j: %i", (content, lines, text) => {
  expect(showText(Buffer.from(content))).toEqual({ kind: "text", lines, text, hasBidi: false });
});

it("showText detects binary content and content that is too large", () => {
  expect(showText(Buffer.from("a\0b"))).toEqual({ kind: "binary" });
  expect(showText(Buffer.alloc(TEXT_BYTES_MAX, "a")).kind).toBe("text");
  expect(showText(Buffer.alloc(TEXT_BYTES_MAX + 1, "a"))).toEqual({ kind: "large" });
  expect(showText(Buffer.from("\n".repeat(5_000))).kind).toBe("text");
  expect(showText(Buffer.from("\n".repeat(5_001)))).toEqual({ kind: "large" });
});

it.each([..."\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"])(
  "visible and patchOf escape the bidirectional control character %j",
  (character) => {
    const code = `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`;
    expect(visible(`a${character}b${character}`)).toBe(`a${code}b${code}`);
    expect(showText(Buffer.from(`a${character}`))).toMatchObject({ text: `a${code}`, hasBidi: true });
    expect(patchOf(`@@ -0,0 +1 @@\n+${character}\n`)).toMatchObject({ hasBidi: true });
  },
);

it("visibleName escapes line breaks and tabs", () => {
  expect(visibleName("a\nb\tc مرحبا")).toBe("a[U+000A]b[U+0009]c مرحبا");
});

it("patchOf groups consecutive lines of the same kind, with the line numbers in the old and the new file", () => {
  const text =
    "@@ -1,3 +1,3 @@ f\n same\n-one\n-two\n+--- a\n++++ b\n@@ -98 +99,2 @@\n same\n+c\n\\ No newline at end of file\n";
  const none = { oldNumbers: "", newNumbers: "" };
  expect(patchOf(text)).toEqual({
    runs: [
      { kind: "hunk", text: "@@ -1,3 +1,3 @@ f", ...none },
      { kind: "same", text: " same", oldNumbers: "1", newNumbers: "1" },
      { kind: "removed", text: "-one\n-two", ...none, oldNumbers: "2\n3" },
      { kind: "added", text: "+--- a\n++++ b", ...none, newNumbers: "2\n3" },
      { kind: "hunk", text: "@@ -98 +99,2 @@", ...none },
      { kind: "same", text: " same", oldNumbers: "98", newNumbers: "99" },
      { kind: "added", text: "+c", ...none, newNumbers: "100" },
      { kind: "remark", text: "\\ No newline at end of file", ...none },
    ],
    added: 3,
    removed: 2,
    hasBidi: false,
  });
});

it("patchesOf omits a patch that does not fit on the page, and includes later patches that fit", () => {
  const [first, second, third] = patchesOf(["+a\n".repeat(PATCH_LINES_MAX - 1), "+a\n+b\n", "+a\n"]);
  expect([first === null, second === null, third === null]).toEqual([false, true, false]);
});
