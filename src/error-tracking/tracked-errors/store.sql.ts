import type { Prepared, PreparedWrite } from "@/kernel/db/prepared";
import * as postgresql from "./record-events-postgresql";
import * as sqlite from "./record-events-sqlite";
import type { RecordedEvents } from "./recorded-events";

const EVENTS: PreparedWrite<RecordedEvents> = {
  name: "events",
  // Requests wait in the queue while a transaction is flushed to disk; they are then processed in a few
  // iterations of the event loop and stored together.
  sqlite: { group: sqlite.recordGroup, turns: 8 },
  postgresql: { group: postgresql.recordGroup },
};

/**
 * Stores the events of a request and counts dropped items. The promise resolves after the commit.
 * @returns false if the project no longer exists.
 */
export const recordEvents = (prepared: Prepared, events: RecordedEvents): Promise<boolean> =>
  prepared.write(EVENTS, events);
