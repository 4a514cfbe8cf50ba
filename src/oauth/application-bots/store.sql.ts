import { integer, text } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  id: [`u."id"`, integer],
  username: [`u."username"`, text],
  name: [`u."name"`, text],
  state: [`u."state"`, text],
} as const;

const APPLICATION_BOT = statement({
  name: "application_bot",
  parameters: { applicationId: integer },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "ApplicationBot" b
    JOIN "User" u ON u."id" = b."userId"
    WHERE b."applicationId" = :applicationId`,
});

/** Returns the user that is the bot of an application; null for an application that never had a bot. */
export const findByApplication = (
  reads: Reads,
  applicationId: number,
): Eventually<RowOf<typeof COLUMNS> | null> => reads.first(APPLICATION_BOT, { applicationId });
