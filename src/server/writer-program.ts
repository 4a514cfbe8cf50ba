import { resolve } from "node:path";

/**
 * Returns the program of the thread that commits frequent writes to SQLite: the bundle of `writer-main.ts`.
 * Only the built server contains the program of the writer thread.
 */
export async function writerProgram(): Promise<string> {
  const { writerFile } = await import("virtual:writer");
  return resolve(writerFile);
}
