import { integer, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  id: [`f."id"`, integer],
  endpoint: [`f."endpoint"`, text],
  reason: [`f."reason"`, text],
  address: [`f."address"`, text],
  at: [`f."at"`, time],
} as const;

const OF_APPLICATION = statement({
  name: "failures_of_application",
  parameters: { applicationId: integer, most: integer },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "FailedExchange" f WHERE f."applicationId" = :applicationId
    ORDER BY f."id" DESC LIMIT :most`,
});

/** Returns at most `most` failures of an application, newest first. */
export const failuresOf = (
  reads: Reads,
  applicationId: number,
  most: number,
): Eventually<readonly RowOf<typeof COLUMNS>[]> => reads.all(OF_APPLICATION, { applicationId, most });
