import { visible } from "@/kernel/text/visible";

/**
 * Matches bidirectional control characters, which make browsers display source code in another order than in
 * the file ("Trojan Source").
 */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/;

/** Returns whether a text contains bidirectional control characters. */
export const hasBidiControls = (text: string): boolean => BIDI_CONTROLS.test(text);

/** The maximum size of a file whose text a page shows. */
export const TEXT_BYTES_MAX = 500_000;
const LINES_MAX = 5_000;

/** The content of a file, in the form in which a page shows the content. */
export type ShownText = Readonly<
  { kind: "binary" } | { kind: "large" } | { kind: "text"; text: string; lines: number; hasBidi: boolean }
>;

/**
 * Converts the content of a file to text that a page can display. Like Git, the function treats content without U+0000
 * as text. Invalid UTF-8 becomes U+FFFD.
 */
export function showText(content: Buffer): ShownText {
  if (content.includes(0)) return { kind: "binary" };
  if (content.byteLength > TEXT_BYTES_MAX) return { kind: "large" };
  const text = content.toString("utf8").replaceAll("\r\n", "\n").replace(/\n$/, "");
  const lines = text === "" && content.byteLength === 0 ? 0 : text.split("\n").length;
  if (lines > LINES_MAX) return { kind: "large" };
  return { kind: "text", text: visible(text), lines, hasBidi: hasBidiControls(text) };
}
