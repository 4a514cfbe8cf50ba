// The program of the thread that commits to SQLite. `kernel/db/writer-thread.ts` starts the thread.
import { serveWrites } from "@/kernel/db/writer-thread-program.ts";
import { PREPARED_WRITES } from "./prepared-writes.ts";

serveWrites(PREPARED_WRITES);
