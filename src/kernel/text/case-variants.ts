/** Returns the usual case variants of a word, because PostgreSQL compares stored text case-sensitively. */
export function caseVariantsOf(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const capital = lower.replace(/(^|\s)\S/gu, (letter) => letter.toUpperCase());
  return [...new Set([word, lower, capital, word.toUpperCase()])];
}
