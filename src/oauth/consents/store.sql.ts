import { integer, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";
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

const FROM = `FROM "Consent" c JOIN "Application" a ON a."id" = c."applicationId" ${OWNER_PATH_JOINS}`;

const OF_USER = statement({
  name: "consents_of_user",
  parameters: { userId: integer, most: integer },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns} ${FROM} WHERE c."userId" = :userId ORDER BY c."id" DESC LIMIT :most`,
});

/** Returns at most `most` consents of a user. */
export const consentsOf = (
  reads: Reads,
  userId: number,
  most: number,
): Eventually<readonly StoredConsent[]> => reads.all(OF_USER, { userId, most });

const OF_APPLICATION = statement({
  name: "consent",
  parameters: { userId: integer, applicationId: integer },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns} ${FROM} WHERE c."userId" = :userId AND c."applicationId" = :applicationId`,
});

export const consentOf = (
  reads: Reads,
  about: Readonly<{ userId: number; applicationId: number }>,
): Eventually<StoredConsent | null> => reads.first(OF_APPLICATION, about);
