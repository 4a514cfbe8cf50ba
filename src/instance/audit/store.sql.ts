import { integer, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";
import type { AuditName } from "./catalog";

const ABOUT_USER_COLUMNS = { at: [`e."at"`, time], details: [`e."details"`, text] } as const;

const ABOUT_USER = statement({
  name: "audit_events_about_user",
  parameters: { name: text, userId: integer, since: time, most: integer },
  columns: ABOUT_USER_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "AuditEvent" e
    WHERE e."userId" = :userId AND e."name" = :name AND e."at" > :since
    ORDER BY e."at" DESC, e."id" DESC LIMIT :most`,
});

/** Returns the audit events about a user that have a given name, newest first. */
export const listOf = (
  reads: Reads,
  about: Readonly<{ name: AuditName; userId: number; since: Date; most: number }>,
): Eventually<readonly RowOf<typeof ABOUT_USER_COLUMNS>[]> => reads.all(ABOUT_USER, about);

const USERS = statement({
  name: "users_with_audit_event",
  isScan: true,
  parameters: { name: text, since: time },
  columns: { users: [`CAST(COUNT(DISTINCT e."userId") AS INTEGER)`, integer] },
  sql: (columns) => `SELECT ${columns} FROM "AuditEvent" e WHERE e."name" = :name AND e."at" >= :since`,
});

/** Returns the number of users with an audit event of this name since a time. */
export const countUsers = async (reads: Reads, name: AuditName, since: Date): Promise<number> =>
  (await reads.first(USERS, { name, since }))?.users ?? 0;
