/** Control and formatting characters, line separators, and all other characters that are invisible. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u;

/** The scripts in which a joiner or a non-joiner changes the spelling of words (RFC 5892, appendix A.1). */
const JOINING = [
  "Arab",
  "Beng",
  "Deva",
  "Gujr",
  "Guru",
  "Knda",
  "Mlym",
  "Orya",
  "Sinh",
  "Syrc",
  "Taml",
  "Telu",
]
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const LETTER = `[${JOINING}\\p{M}]`;

/**
 * Sequences in which a hidden character has a visible effect: joined emoji, colored emoji and joined letters.
 */
const NEEDED = new RegExp(
  [
    "(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\ufe0f]?)\\u200d(?=\\p{Extended_Pictographic})",
    "(?<=[\\p{Extended_Pictographic}\\d#*])\\ufe0f",
    `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
  ].join("|"),
  "gu",
);

/**
 * Returns whether a text contains characters that are invisible or change the direction of the text around
 * them.
 */
export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text.replace(NEEDED, ""));
