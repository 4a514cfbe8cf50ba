import { serveWrites } from "@/kernel/db/writer-thread-program.ts";
import { ADD_ENTRIES } from "../entries.ts";

/** This program is the writer thread in the tests of `writer-thread.ts`. */
serveWrites([ADD_ENTRIES]);
