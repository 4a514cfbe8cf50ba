// Prepended to a program that was pasted: sends the person to an address, and returns where the browser came back.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/**
 * @param {string} address
 * @returns {Promise<string>}
 */
export async function browse(address) {
  process.stdout.write(`OPEN ${address}\n`);
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
