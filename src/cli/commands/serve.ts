import { parseWorkerCount, WORKER_COUNT_RULE } from "@/kernel/config/worker-count";
import { serve } from "@/server/serve";
import { defineCommand, UsageError } from "./command";

const serveCommand = defineCommand({
  name: "serve",
  usage: "[--workers NUMBER|auto]",
  about:
    "Run the server, in one process or with several worker processes (auto: one worker per core). Environment variables configure the server: PORT, HOST, BASE_URL, DATA_DIR, DATABASE_URL, WEB_CONCURRENCY.",
  options: { workers: "text" },
  run: async ({ config }, { workers }) => {
    await serve({ ...config, workers: workers === undefined ? config.workers : workersOf(workers) });
    return null;
  },
});

function workersOf(text: string): number {
  const count = parseWorkerCount(text);
  if (count === null) throw new UsageError(`--workers ${WORKER_COUNT_RULE}.`);
  return count;
}

export const commands = [serveCommand];
