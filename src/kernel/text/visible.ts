/**
 * Matches bidirectional control characters, and characters that only some browsers display as a line break.
 */
const INVISIBLE = /[\u202A-\u202E\u2066-\u2069\r\v\f\u0085\u2028\u2029]/g;

/** Returns a text in which invisible characters are escaped as `[U+202E]`. */
export const visible = (text: string): string =>
  text.replaceAll(
    INVISIBLE,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );

/** Returns a name in which invisible characters, line breaks and tabs are escaped. */
export const visibleName = (name: string): string =>
  visible(name).replaceAll("\n", "[U+000A]").replaceAll("\t", "[U+0009]");
