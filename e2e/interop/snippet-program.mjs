// The tests insert the content of this file before a pasted program. The function `browse` opens a URL in the
// browser of the user, and returns the URL to which the browser was redirected.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/**
 * @param {string} url
 * @returns {Promise<string>}
 */
export async function browse(url) {
  process.stdout.write(`OPEN ${url}\n`);
  const { value } = await lines.next();
  return value;
}

/**
 * Prints the result of the program, as its last line.
 * @param {unknown} result
 */
export function finish(result) {
  process.stdout.write(`DONE ${JSON.stringify(result)}\n`);
  process.exit(0);
}
