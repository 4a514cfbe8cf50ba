import { resolve } from "node:path";

/** The program of the thread that commits frequent writes to SQLite: the bundle of `writer-main.ts`. */
export const WRITER_PROGRAM = resolve("dist/writer.mjs");
