// A Bloom filter: a set of texts in few bits. It never misses a text of the set, and rarely takes another one for one.
import { createHash } from "node:crypto";

/** Near the best number for 20 bits per text. */
const PROBES = 14;

/**
 * The bits that stand for a text.
 * @param {string} text
 * @param {number} bits of the filter
 * @returns {readonly number[]}
 */
function positionsOf(text, bits) {
  const digest = createHash("sha256").update(text).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  return Array.from({ length: PROBES }, (_, probe) => (first + probe * (step % bits)) % bits);
}

/**
 * The filter of these texts, as bytes.
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
 * Whether the filter was made of a set that holds the text, or seems to be.
 * @param {Uint8Array} filter
 * @param {string} text
 * @returns {boolean}
 */
export const bloomFilterHas = (filter, text) =>
  positionsOf(text, filter.length * 8).every((at) => ((filter[at >> 3] ?? 0) & (1 << (at & 7))) !== 0);
