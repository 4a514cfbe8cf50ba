import type { Prepared, PreparedWrite } from "@/kernel/db/prepared";
import * as postgresql from "./record-events-postgresql";
import * as sqlite from "./record-events-sqlite";
import type { RecordedEvents } from "./recorded-events";

const EVENTS: PreparedWrite<RecordedEvents> = {
  name: "events",
  // Requests queue while a transaction is flushed to disk; they are then read in a few turns and written together.
  sqlite: { group: sqlite.recordGroup, turns: 8 },
  postgresql: { group: postgresql.recordGroup },
};

/**
 * Stores the events of a request and counts dropped items. Resolves after the commit.
 * @returns false if the project no longer exists.
 */
export const recordEvents = (prepared: Prepared, events: RecordedEvents): Promise<boolean> =>
  prepared.write(EVENTS, events);
