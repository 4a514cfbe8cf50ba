import { resolve } from "node:path";
import { writerFile } from "virtual:writer";

/** The program of the thread that commits frequent writes to SQLite: the bundle of `writer-main.ts`. */
export const WRITER_PROGRAM = resolve(writerFile);
