// Writes the filter of common passwords: `node scripts/common-passwords.mjs LIST…`. Decision 32 names the
// lists. A list is a text file with one password per line, the most common password first, or a JSON array. A
// list may be gzipped.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { bloomFilterOf } from "../src/kernel/crypto/bloom-filter.mjs";

const FILTER = "src/identity/users/common-passwords.bloom";

/**
 * The number of entries at the beginning of each list that may be as short as `WORD_CHARACTERS_MIN`, because
 * users often append digits to the most common passwords.
 */
const WORDS_OF_A_LIST = 100_000;
const WORD_CHARACTERS_MIN = 4;

/**
 * The minimum length of the passwords in the filter. The server always refuses shorter passwords, so the
 * filter does not contain them.
 */
const PASSWORD_CHARACTERS_MIN = 8;

/** @param {string} file */
function entriesOf(file) {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  /** @type {readonly string[]} */
  const entries = file.endsWith(".json") ? JSON.parse(text) : text.split(/\r?\n/);
  return entries.map((entry) => entry.normalize("NFKC").toLowerCase());
}

const lists = process.argv.slice(2).map(entriesOf);
if (lists.length === 0) throw new Error("Usage: node scripts/common-passwords.mjs LIST…");
const least = (/** @type {number} */ place) =>
  place < WORDS_OF_A_LIST ? WORD_CHARACTERS_MIN : PASSWORD_CHARACTERS_MIN;
const texts = new Set(lists.flatMap((list) => list.filter((entry, place) => entry.length >= least(place))));
const filter = bloomFilterOf(texts);
writeFileSync(FILTER, filter);
console.log(`${FILTER}: ${texts.size} passwords in ${filter.length} bytes`);
