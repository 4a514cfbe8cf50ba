import { compilePattern } from "@/kernel/text/pattern";

/** A pattern that whole names of tags match; null for text that is no pattern. */
export function tagPattern(text: string): ((name: string) => boolean) | null {
  const pattern = compilePattern(text);
  return pattern && ((name) => pattern.matches(name));
}
