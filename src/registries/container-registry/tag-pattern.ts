import { compilePattern } from "@/kernel/text/pattern";

/** Compiles a pattern that must match whole tag names; null if the pattern is invalid. */
export function tagPattern(text: string): ((name: string) => boolean) | null {
  const pattern = compilePattern(text);
  return pattern && ((name) => pattern.matches(name));
}
