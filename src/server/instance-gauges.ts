import { depsAreOpen, systemDeps } from "@/kernel/deps/deps.ts";
import { type DiskSpace, dataFolders, diskSpaceOf } from "@/kernel/disk/disk-space.ts";
import type { GaugeValues } from "@/kernel/metrics/metrics.ts";
import { inTime } from "@/kernel/process/in-time.ts";
import { currentWorker } from "@/kernel/process/worker.ts";
import { DELIVERIES } from "./compose.ts";

/** The time for which the values of a gauge are reused, so that the cost does not depend on the number of requests. */
const FRESH_MS = 5_000;

/** The time after which a response does not wait for the values of a gauge any longer. */
const READ_WITHIN_MS = 1_000;

type Read = Readonly<{ startedAt: number; values: Promise<GaugeValues> }>;

/**
 * Returns a function that returns the values of gauges of the whole instance. Only one process of a server reads these
 * values: the primary process or the only process. If the values cannot be read within a second, the gauges are missing
 * from the response, because the value 0 would be wrong.
 * @param read reads the values.
 */
function instanceGauge(read: () => Promise<GaugeValues>): () => Promise<GaugeValues> {
  let isReading = false;
  let last: Read | null = null;
  const start = (startedAt: number): Read => {
    isReading = true;
    const values = read().finally(() => {
      isReading = false;
    });
    return { startedAt, values };
  };
  return async () => {
    if (currentWorker() !== null || !depsAreOpen()) return [];
    const now = performance.now();
    if (last === null || (!isReading && now - last.startedAt >= FRESH_MS)) last = start(now);
    const { values } = last;
    return (await inTime(READ_WITHIN_MS, () => values)) ?? [];
  };
}

/** Returns a function that counts the messages in the database that wait to be sent. */
export const deliveriesGauge = (): (() => Promise<GaugeValues>) =>
  instanceGauge(() => {
    const deps = systemDeps();
    return Promise.all(
      Object.entries(DELIVERIES).map(async ([kind, count]) => ({
        labels: { kind },
        value: await count(deps),
      })),
    );
  });

/** Returns a function that reads the free space or the size of the disks of the instance. */
export const diskGauge = (bytes: keyof DiskSpace): (() => Promise<GaugeValues>) =>
  instanceGauge(() =>
    Promise.all(
      dataFolders(systemDeps().config).map(async ({ disk, folder }) => ({
        labels: { disk },
        value: (await diskSpaceOf(folder))[bytes],
      })),
    ),
  );
