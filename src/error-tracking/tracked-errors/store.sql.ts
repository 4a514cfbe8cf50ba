import type { Prepared, PreparedWrite } from "@/kernel/db/prepared";
import * as postgresql from "./record-events-postgresql";
import * as sqlite from "./record-events-sqlite";
import type { RecordedEvents } from "./recorded-events";

const EVENTS: PreparedWrite<RecordedEvents> = {
  name: "events",
  // While a transaction is flushed to the disk, requests queue: they are read in a few turns, and written together.
  sqlite: { group: sqlite.recordGroup, turns: 8 },
  postgresql: { group: postgresql.recordGroup },
};

/**
 * Stores the events of a request, and counts those that were dropped. Resolves once they are on the disk.
 * @returns false when the project is gone.
 */
export const recordEvents = (prepared: Prepared, events: RecordedEvents): Promise<boolean> =>
  prepared.write(EVENTS, events);
