// Prepended to a program that was pasted: sends the user to a URL, and returns the URL of the redirect.
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
 * The last line of the program: what it got.
 * @param {unknown} result
 */
export function finish(result) {
  process.stdout.write(`DONE ${JSON.stringify(result)}\n`);
  process.exit(0);
}
