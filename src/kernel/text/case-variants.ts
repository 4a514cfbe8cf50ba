/** A word as people write it: PostgreSQL minds the case of a text that is kept as it was typed. */
export function caseVariantsOf(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const capital = lower.replace(/(^|\s)\S/gu, (letter) => letter.toUpperCase());
  return [...new Set([word, lower, capital, word.toUpperCase()])];
}
