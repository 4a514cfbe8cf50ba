import { compilePattern } from "@/kernel/text/pattern";

/** Compiles a regular expression that must match whole tag names. @returns null if the expression is invalid. */
export function tagPattern(text: string): ((name: string) => boolean) | null {
  const pattern = compilePattern(text);
  return pattern && ((name) => pattern.matches(name));
}
