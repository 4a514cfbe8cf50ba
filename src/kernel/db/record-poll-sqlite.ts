import type { RecordedPoll } from "./db.ts";
import type { Gate } from "./gate.ts";
import { groupedWrites, timeText } from "./grouped-writes.ts";

const RECORD = `
  UPDATE "DeviceAuthorization" SET "intervalSeconds" = ?, "lastPolledAt" = ?
  WHERE "id" = ? AND "status" = 'waiting' AND "intervalSeconds" = ? AND "lastPolledAt" IS ?`;

/** Recorded polls: those that wait for each other in one transaction. */
export function recordPollSqlite(
  file: string,
  gate: Gate,
): { recordPoll: (poll: RecordedPoll) => Promise<boolean>; close: () => void } {
  const { write, close } = groupedWrites<RecordedPoll>(file, gate, (connection) => {
    const record = connection.prepare(RECORD);
    return ({ id, before, after }) => {
      const values = [before, after].map(({ lastPolledAt }) => lastPolledAt && timeText(lastPolledAt));
      const [polledBefore, polledAfter] = values;
      return (
        record.run(after.intervalSeconds, polledAfter, id, before.intervalSeconds, polledBefore).changes === 1
      );
    };
  });
  return { recordPoll: write, close };
}
