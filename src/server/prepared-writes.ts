import { EVENTS } from "@/error-tracking/tracked-errors/store.sql.ts";
import type { PreparedWrite } from "@/kernel/db/prepared.ts";
import { EXCHANGE } from "@/oauth/authorizations/store.sql.ts";
import { POLL } from "@/oauth/device-authorizations/store.sql.ts";
import { GRANT, ROTATION } from "@/oauth/tokens/store.sql.ts";
import { CLAIM_JWT } from "@/oauth/used-jwts/store.sql.ts";

/** All kinds of prepared writes. The thread that commits to SQLite looks up a kind of write by its name. */
export const PREPARED_WRITES: readonly PreparedWrite<never, unknown>[] = [
  ROTATION,
  EXCHANGE,
  GRANT,
  POLL,
  CLAIM_JWT,
  EVENTS,
];
