import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import { processWide } from "@/kernel/process/process-wide";
import { type DeviceRow, type LastPoll, writePoll } from "./store.sql";

/**
 * The delay after which the server writes the last poll of a device to the database, where other processes
 * can read the poll.
 */
const WRITTEN_AFTER_MS = 500;

/** The maximum number of unwritten polls. Further polls are not recorded until the next batch is written. */
const UNWRITTEN_MAX = 10_000;

/**
 * The last polls that the database does not contain yet, keyed by the id of the device authorization request.
 */
const unwritten = processWide("device_polls", () => new Map<number, LastPoll>());

const buffer = writeBehindBuffer(
  "device_poll",
  // Each batch writes all unwritten polls. A poll stays in the map until a batch has written it to the
  // database.
  () => null,
  async ({ prepared }) => {
    const polls = [...unwritten()];
    try {
      await Promise.all(polls.map(([id, poll]) => writePoll(prepared, { id, ...poll })));
    } finally {
      // A poll that was recorded while a batch was written stays in the map for the next batch.
      for (const [id, poll] of polls) if (unwritten().get(id) === poll) unwritten().delete(id);
    }
  },
  WRITTEN_AFTER_MS,
);

/**
 * Returns the last poll of a device. This process may have recorded a poll that is not yet written, and
 * another process may have written a poll to the database. The result contains the later time and the longer
 * interval of the unwritten poll and the written poll.
 */
export function lastPollOf({ id, intervalSeconds, lastPolledAt }: DeviceRow): LastPoll {
  const own = unwritten().get(id);
  if (own === undefined) return { intervalSeconds, lastPolledAt };
  const isOwnLater = lastPolledAt === null || (own.lastPolledAt !== null && own.lastPolledAt > lastPolledAt);
  return {
    intervalSeconds: Math.max(intervalSeconds, own.intervalSeconds),
    lastPolledAt: isOwnLater ? own.lastPolledAt : lastPolledAt,
  };
}

/**
 * Records the last poll of a device. The poll is written to the database later, in a batch, and the token
 * request of the device does not wait for this write.
 */
export function recordPoll(id: number, poll: LastPoll): void {
  if (unwritten().size >= UNWRITTEN_MAX && !unwritten().has(id)) return;
  unwritten().set(id, poll);
  buffer.schedule();
}

/**
 * Writes all unwritten polls. A poll that cannot be written is lost; the next poll of the same device is
 * recorded normally.
 */
export const writePolls = buffer.write;
