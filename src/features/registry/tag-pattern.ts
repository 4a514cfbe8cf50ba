import { compilePattern } from "@/platform/pattern";

/** A pattern that whole names of tags match; null for text that is no pattern. */
export function tagPattern(text: string): ((name: string) => boolean) | null {
  const pattern = compilePattern(text);
  return pattern && ((name) => pattern.matches(name));
}
