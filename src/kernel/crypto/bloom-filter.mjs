// A Bloom filter represents a set of texts in few bits. A Bloom filter recognizes every text of its set, and
// rarely recognizes a text that is not in its set.
import { createHash } from "node:crypto";

/**
 * The number of bits that the filter sets for each text. The value is close to the optimum for a filter with
 * 20 bits per text.
 */
const PROBES = 14;

/**
 * Returns the positions of the bits that represent a text.
 * @param {string} text
 * @param {number} bits the size of the filter
 * @returns {readonly number[]}
 */
function positionsOf(text, bits) {
  const digest = createHash("sha256").update(text).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  return Array.from({ length: PROBES }, (_, probe) => (first + probe * (step % bits)) % bits);
}

/**
 * Returns the Bloom filter of the given texts as bytes.
 * @param {ReadonlySet<string>} texts
 * @param {number} bitsPerText
 * @returns {Uint8Array}
 */
export function bloomFilterOf(texts, bitsPerText) {
  const filter = new Uint8Array(Math.ceil((texts.size * bitsPerText) / 8));
  for (const text of texts)
    for (const at of positionsOf(text, filter.length * 8))
      filter[at >> 3] = (filter[at >> 3] ?? 0) | (1 << (at & 7));
  return filter;
}

/**
 * Returns false if the text is certainly not in the set of the filter, and true if the text is probably in
 * the set.
 * @param {Uint8Array} filter
 * @param {string} text
 * @returns {boolean}
 */
export const bloomFilterHas = (filter, text) =>
  positionsOf(text, filter.length * 8).every((at) => ((filter[at >> 3] ?? 0) & (1 << (at & 7))) !== 0);
