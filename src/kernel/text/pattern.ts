import { RE2JS } from "re2js";

const CHARACTERS_MAX = 100;

/**
 * Compiles a regular expression that a user entered, in the syntax of RE2. The engine of RE2 takes linear
 * time for every pattern, but the engine of JavaScript could run for years.
 * @returns null for text that is not a pattern, and for text that is longer than 100 characters.
 */
export function compilePattern(text: string): RE2JS | null {
  if (text.length > CHARACTERS_MAX) return null;
  try {
    return RE2JS.compile(text);
  } catch {
    return null;
  }
}
