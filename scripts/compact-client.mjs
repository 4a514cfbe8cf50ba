import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT, StepFailed } from "./prepare-step.mjs";

/**
 * If the first integer key of an object is at least `FIRST_STRING`, V8 stores the object as a hash table. V8
 * stores an object with smaller integer keys as an array that has an element for each number below the
 * greatest key. Prisma's graph has 24,000 keys in 4,000 objects, and such arrays would have two million
 * elements.
 */
const FIRST_STRING = 1024;

const COMPILER =
  /async function decodeBase64AsWasm[\s\S]*?\n}\n|const \{ wasm \} = await import\("([^"]+)"\)\n\s*return await decodeBase64AsWasm\(wasm\)/g;
const STRINGS = /strings: (JSON\.parse\("(?:[^"\\]|\\.)*"\))/;
const GRAPH = /graph: "([\w-]+)"/;

/**
 * Rewrites the client that Prisma has generated for one database. The rewritten client reads the query
 * compiler from a file, instead of importing it as a text that stays in memory. The string numbers in
 * Prisma's graph are increased by `FIRST_STRING`, which reduces the memory of the graph to a quarter.
 * @param {string} provider
 * @throws StepFailed if the code that Prisma has generated has an unexpected form.
 */
export function compactClient(provider) {
  const folder = `src/kernel/db/generated/${provider}`;
  const file = join(ROOT, folder, "internal/class.ts");
  const generated = readFileSync(file, "utf8");
  const compilerFile = `${folder}/query_compiler.wasm`;
  let compiler = "";
  const compact = generated
    .replace(match(generated, STRINGS), (strings) => `[...Array(${FIRST_STRING}).fill(""), ...${strings}]`)
    .replace(match(generated, GRAPH), shiftStrings)
    .replace(COMPILER, (_, packageFile) => {
      if (packageFile === undefined) return "";
      compiler = packageFile;
      return [
        `const { readFile } = await import("node:fs/promises")`,
        `return WebAssembly.compile(await readFile(${JSON.stringify(compilerFile)}))`,
      ].join("\n    ");
    });
  if (compiler === "") throw unknown(file);
  const require = createRequire(import.meta.url);
  const text = match(readFileSync(require.resolve(compiler), "utf8"), /^const wasm = "([\w+/=]+)"/);
  writeFileSync(join(ROOT, compilerFile), Buffer.from(text, "base64"));
  writeFileSync(file, compact);
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function match(text, pattern) {
  const group = pattern.exec(text)?.[1];
  if (group === undefined) throw unknown(String(pattern));
  return group;
}

const unknown = (/** @type {string} */ what) =>
  new StepFailed(`The client that Prisma has generated has an unexpected form: ${what}`);

/**
 * @param {string} graph the graph as serialized by Prisma: numbers with seven bits per byte, in base64url.
 * @returns {string} the same graph, in which the number of each string is greater by `FIRST_STRING`.
 */
function shiftStrings(graph) {
  const bytes = Buffer.from(graph, "base64url");
  /** @type {number[]} */
  const shifted = [];
  let at = 0;
  const read = () => {
    let value = 0;
    let shift = 0;
    let byte = 0;
    do {
      byte = bytes.readUInt8(at++);
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte >= 128);
    return value;
  };
  const write = (/** @type {number} */ value) => {
    for (; value >= 128; value >>>= 7) shifted.push((value & 127) | 128);
    shifted.push(value);
  };
  const copy = () => {
    const value = read();
    write(value);
    return value;
  };
  const copyBytes = (/** @type {number} */ count) => {
    for (let byte = 0; byte < count; byte++) shifted.push(bytes.readUInt8(at++));
  };
  const shiftString = () => write(read() + FIRST_STRING);
  /**
   * Shifts the reference to an optional string. Prisma's graph contains an optional number incremented by
   * one, and zero for an absent number.
   */
  const shiftOptionalString = () => {
    const value = read();
    write(value === 0 ? 0 : value + FIRST_STRING);
  };
  const [inputNodes, outputNodes, roots] = [copy(), copy(), copy()];
  for (let node = 0; node < inputNodes; node++)
    for (let edges = copy(); edges > 0; edges--) {
      shiftString();
      copyBytes(2); // the mask of scalar types
      copy(); // the id of the target node
      shiftOptionalString(); // the name of the enumeration
      copyBytes(1); // flags
    }
  for (let node = 0; node < outputNodes; node++)
    for (let edges = copy(); edges > 0; edges--) {
      shiftString();
      copy(); // the id of the node with the arguments
      copy(); // the id of the target node
    }
  for (let root = 0; root < roots; root++) {
    shiftString();
    copy();
    copy();
  }
  if (at !== bytes.length) throw unknown("the graph");
  return Buffer.from(shifted).toString("base64url");
}
