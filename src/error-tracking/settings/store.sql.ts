import { flag, integer, text } from "@/kernel/db/column-types";
import type { Eventually, Prepared } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  keyId: [`k."id"`, integer],
  projectId: [`k."projectId"`, integer],
  active: [`k."active"`, flag],
  /** Whether this instance stores the tracked errors of the project. */
  collects: [`COALESCE(s."active" AND s."integrated", FALSE)`, flag],
} as const;

/** A client key with the settings of its project. */
export type CollectorKey = RowOf<typeof COLUMNS>;

const COLLECTOR_KEY = statement({
  name: "collector_key",
  parameters: { publicKey: text },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "ErrorTrackingClientKey" k
    LEFT JOIN "ErrorTrackingSetting" s ON s."projectId" = k."projectId"
    WHERE k."publicKey" = :publicKey`,
});

/** Returns the client key with this public key, active or not; null for an unknown key. */
export const findByPublicKey = (prepared: Prepared, publicKey: string): Eventually<CollectorKey | null> =>
  prepared.first(COLLECTOR_KEY, { publicKey });
