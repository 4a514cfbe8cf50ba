// The program of a worker process: `node dist/worker.mjs NUMBER COUNT open-first|listen-first`.
// The module `primary.ts` starts this program.
import { becomeWorker } from "@/kernel/process/worker.ts";

const [number, count, order] = process.argv.slice(2);
becomeWorker({ number: Number(number), count: Number(count) });
const { runWorker } = await import("./worker.ts");
await runWorker({ opensFirst: order === "open-first" });
