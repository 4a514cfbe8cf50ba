import { resolve } from "node:path";

/**
 * Returns the program of the thread that commits frequent writes to SQLite: the bundle of `writer-main.ts`. Only the
 * built server has this program.
 */
export async function writerProgram(): Promise<string> {
  const { writerFile } = await import("virtual:writer");
  return resolve(writerFile);
}
