/** What turns the order of the characters around it, and so shows code that is not the code ("Trojan Source"). */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/;

/** These as well, and what some browsers break a line at although no program does. */
const UNSEEN = /[\u202A-\u202E\u2066-\u2069\r\v\f\u0085\u2028\u2029]/g;

/** Whether a text reads otherwise than it is. */
export const isTurned = (text: string): boolean => TURNING.test(text);

/** A text with what nobody would see of it written out, as `[U+202E]`. */
export const visible = (text: string): string =>
  text.replaceAll(
    UNSEEN,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );

/** The same for a name, which is one line. */
export const visibleName = (name: string): string =>
  visible(name).replaceAll("\n", "[U+000A]").replaceAll("\t", "[U+0009]");

/** A longer text is read in a copy of the repository. */
export const TEXT_BYTES_MAX = 500_000;
const LINES_MAX = 5_000;

/** What a page shows of a file. */
export type ShownText = Readonly<
  { kind: "binary" } | { kind: "large" } | { kind: "text"; text: string; lines: number; turned: boolean }
>;

/** Text is what has no U+0000 in it, as Git itself judges; what is no UTF-8 in it becomes U+FFFD. */
export function showText(content: Buffer): ShownText {
  if (content.includes(0)) return { kind: "binary" };
  if (content.byteLength > TEXT_BYTES_MAX) return { kind: "large" };
  const text = content.toString("utf8").replaceAll("\r\n", "\n").replace(/\n$/, "");
  const lines = text === "" && content.byteLength === 0 ? 0 : text.split("\n").length;
  if (lines > LINES_MAX) return { kind: "large" };
  return { kind: "text", text: visible(text), lines, turned: isTurned(text) };
}
