import { RE2JS } from "re2js";

const CHARACTERS_MAX = 100;

/**
 * A regular expression that a user writes, in the syntax of RE2, whose engine takes linear time whatever the pattern:
 * the platform's own could be made to run for years.
 * @returns null for text that is no pattern, or is longer than 100 characters.
 */
export function compilePattern(text: string): RE2JS | null {
  if (text.length > CHARACTERS_MAX) return null;
  try {
    return RE2JS.compile(text);
  } catch {
    return null;
  }
}
