import type { CollectorKeyRow } from "./db.ts";
import type { Parameter, Readers } from "./hot-queries.ts";

/** A client key with what its project says of errors. */
export const collectorKeyQuery = (parameter: Parameter): string => `
  SELECT k."id", k."projectId", k."active", COALESCE(s."active", FALSE), COALESCE(s."integrated", FALSE)
  FROM "ErrorTrackingClientKey" k
  LEFT JOIN "ErrorTrackingSetting" s ON s."projectId" = k."projectId"
  WHERE k."publicKey" = ${parameter}`;

/** The columns of `collectorKeyQuery`, in its order. */
export type CollectorKeyColumns<Flag> = [
  keyId: number,
  projectId: number,
  keyActive: Flag,
  active: Flag,
  integrated: Flag,
];

export const collectorKeyRow = <Time, Flag>(
  [keyId, projectId, keyActive, active, integrated]: CollectorKeyColumns<Flag>,
  { flag }: Readers<Time, Flag>,
): CollectorKeyRow => ({
  keyId,
  projectId,
  active: flag(keyActive),
  collects: flag(active) && flag(integrated),
});
