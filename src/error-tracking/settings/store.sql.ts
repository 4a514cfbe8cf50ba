import { flag, integer, nullable, text } from "@/kernel/db/column-types";
import type { Eventually, Prepared, Reads } from "@/kernel/db/prepared";
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

const SETTINGS_COLUMNS = {
  active: [`s."active"`, flag],
  integrated: [`s."integrated"`, flag],
  apiUrl: [`s."apiUrl"`, nullable(text)],
  projectName: [`s."projectName"`, nullable(text)],
  hasToken: [`s."sealedToken" IS NOT NULL`, flag],
  // The driver of PostgreSQL returns a large integer as text.
  storedBytes: [`CAST(s."storedBytes" AS DOUBLE PRECISION)`, integer],
} as const;

const SETTINGS = statement({
  name: "error_tracking_settings",
  parameters: { projectId: integer },
  columns: SETTINGS_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "ErrorTrackingSetting" s WHERE s."projectId" = :projectId`,
});

/** Returns the stored settings of a project, or null. */
export const findSettings = (
  reads: Reads,
  projectId: number,
): Eventually<RowOf<typeof SETTINGS_COLUMNS> | null> => reads.first(SETTINGS, { projectId });
