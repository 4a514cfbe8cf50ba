import { integer, integers, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { OWNER_PATH_COLUMNS, OWNER_PATH_JOINS } from "../applications/owner";

const COLUMNS = {
  applicationId: [`c."applicationId"`, integer],
  scopes: [`c."scopes"`, text],
  createdAt: [`c."createdAt"`, time],
  updatedAt: [`c."updatedAt"`, time],
  application: { id: [`a."id"`, integer], name: [`a."name"`, text], ...OWNER_PATH_COLUMNS },
} as const;

/**
 * The consent of a user to an application. `scopes` is empty if the user has allowed access only to resource
 * servers.
 */
export type StoredConsent = RowOf<typeof COLUMNS>;

const TIMES = statement({
  name: "consents_of_user",
  parameters: { userId: integer, most: integer },
  columns: { applicationId: COLUMNS.applicationId, updatedAt: COLUMNS.updatedAt },
  sql: (columns) => `
    SELECT ${columns} FROM "Consent" c WHERE c."userId" = :userId ORDER BY c."id" DESC LIMIT :most`,
});

/** Returns the applications to which a user has given consent, with the time of the last consent, at most `most`. */
export const consentTimesOf = (
  reads: Reads,
  userId: number,
  most: number,
): Eventually<readonly Pick<StoredConsent, "applicationId" | "updatedAt">[]> =>
  reads.all(TIMES, { userId, most });

const TO_APPLICATIONS = statement({
  name: "consents_to_applications",
  parameters: { userId: integer, applicationIds: integers },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "Consent" c JOIN "Application" a ON a."id" = c."applicationId" ${OWNER_PATH_JOINS}
    WHERE c."userId" = :userId AND ${isIn(`c."applicationId"`, ":applicationIds")}`,
  ),
});

/** Returns the consents of a user to these applications, in any order. */
export const consentsTo = (
  reads: Reads,
  about: Readonly<{ userId: number; applicationIds: readonly number[] }>,
): Eventually<readonly StoredConsent[]> => reads.all(TO_APPLICATIONS, about);
