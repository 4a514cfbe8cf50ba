import { RE2JS } from "re2js";

const CHARACTERS_MAX = 100;

/**
 * A pattern that whole names of tags match, in the syntax of RE2. People write it: the engine is one that takes linear
 * time whatever the pattern, where the platform's own could be made to run for years.
 * @returns null for what is no pattern, or a longer one than anybody needs.
 */
export function tagPattern(text: string): ((name: string) => boolean) | null {
  if (text.length > CHARACTERS_MAX) return null;
  try {
    const pattern = RE2JS.compile(text);
    return (name) => pattern.matches(name);
  } catch {
    return null;
  }
}
