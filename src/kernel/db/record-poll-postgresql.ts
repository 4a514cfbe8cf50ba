import type { RecordedPoll } from "./db.ts";
import type { OpenPool } from "./pools-postgresql.ts";

/** A poll waits for the lock of a decision on the same request, so it must not hold a connection of the look-ups. */
const CONNECTIONS_MAX = 2;

const RECORD = {
  name: "record_poll",
  text: `UPDATE "DeviceAuthorization" SET "intervalSeconds" = $1, "lastPolledAt" = $2
         WHERE "id" = $3 AND "status" = 'waiting' AND "intervalSeconds" = $4
           AND "lastPolledAt" IS NOT DISTINCT FROM $5`,
};

/** Recorded polls, each a statement of its own. */
export function recordPollPostgresql(openPool: OpenPool): (poll: RecordedPoll) => Promise<boolean> {
  const pool = openPool(CONNECTIONS_MAX);
  return async ({ id, before, after }) => {
    const [polledBefore, polledAfter] = [before, after].map(
      ({ lastPolledAt }) => lastPolledAt?.toISOString() ?? null,
    );
    const values = [after.intervalSeconds, polledAfter, id, before.intervalSeconds, polledBefore];
    return (await pool.query({ ...RECORD, values })).rowCount === 1;
  };
}
