import type { HotPaths } from "./db.ts";
import type { OpenPool } from "./pools-postgresql.ts";
import { recordEventsPostgresql } from "./record-events-postgresql.ts";

export const hotPostgresql = (openPool: OpenPool): HotPaths => ({
  recordEvents: recordEventsPostgresql(openPool),
});
