import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { keysetStatements, listStatements } from "@/kernel/paging/list-statements";
import { USER_COLUMNS } from "../user-columns";
import { IS_NOT_GHOST } from "./ghost-store";

/** A stored user without the columns that only sign-in needs. */
export type UserRow = RowOf<typeof USER_COLUMNS>;

const BY_IDS = statement({
  name: "users_by_id",
  parameters: { ids: integers },
  columns: USER_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "User" u WHERE ${isIn(`u."id"`, ":ids")}`),
});

/** Returns the users with these ids, in any order. */
export const findByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly UserRow[]> =>
  reads.all(BY_IDS, { ids });

const inState = (direction: "ASC" | "DESC") =>
  listStatements({
    name: `users_in_state_${direction.toLowerCase()}`,
    parameters: { state: text },
    from: () => `"User" r WHERE r."state" = :state`,
    order: `r."id" ${direction}`,
  });

/** The users in one state, ordered by id. */
export const USERS_IN_STATE = { ascending: inState("ASC"), descending: inState("DESC") } as const;

const LISTED_COLUMNS = {
  ...USER_COLUMNS,
  twoFactorSince: [`u."twoFactorSince"`, nullable(time)],
  pendingEmail: [`u."pendingEmail"`, nullable(text)],
  pendingEmailAt: [`u."pendingEmailAt"`, nullable(time)],
} as const;

/** A user with the columns that only the administrators' pages show. */
export type ListedRow = RowOf<typeof LISTED_COLUMNS>;

const LISTED_BY_IDS = statement({
  name: "listed_users",
  parameters: { ids: integers },
  columns: LISTED_COLUMNS,
  sql: withList(
    (columns, isIn) => `SELECT ${columns} FROM "User" u WHERE ${isIn(`u."id"`, ":ids")} AND ${IS_NOT_GHOST}`,
  ),
});

/** Returns the users with these ids for the administrators' pages, in any order, without the ghost user. */
export const listedByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly ListedRow[]> =>
  reads.all(LISTED_BY_IDS, { ids });

/** The humans for the administrators' list, ordered by id. */
export const HUMANS = keysetStatements({
  name: "humans",
  parameters: {},
  columns: LISTED_COLUMNS,
  from: () => `"User" u WHERE u."kind" = 'human' AND ${IS_NOT_GHOST}`,
  id: `u."id"`,
});

const NAME_COLUMNS = { id: [`u."id"`, integer], username: [`u."username"`, text] } as const;

/** The id and the username of a user. */
export type UsernameRow = RowOf<typeof NAME_COLUMNS>;

const USERNAMES = statement({
  name: "usernames",
  parameters: { ids: integers },
  columns: NAME_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "User" u WHERE ${isIn(`u."id"`, ":ids")}`),
});

/** Returns the usernames of these users, in any order. */
export const usernamesByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly UsernameRow[]> =>
  reads.all(USERNAMES, { ids });

const PENDING_APPROVALS = statement({
  name: "pending_approvals",
  isScan: true,
  parameters: { most: integer },
  columns: NAME_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "User" u WHERE u."state" = 'blocked_pending_approval'
    ORDER BY u."id" LIMIT :most`,
});

/** Returns the users whose registration waits for approval, oldest first. */
export const listPendingApprovals = (reads: Reads, most: number): Eventually<readonly UsernameRow[]> =>
  reads.all(PENDING_APPROVALS, { most });

const PENDING_EMAILS = statement({
  name: "pending_emails",
  parameters: { most: integer },
  columns: NAME_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "User" u WHERE u."pendingEmailAt" IS NOT NULL
    ORDER BY u."pendingEmailAt" LIMIT :most`,
});

/** Returns the users whose new e-mail address waits for confirmation, oldest request first. */
export const listPendingEmails = (reads: Reads, most: number): Eventually<readonly UsernameRow[]> =>
  reads.all(PENDING_EMAILS, { most });

const PROFILE_COLUMNS = {
  privateProfile: [`u."privateProfile"`, flag],
  pendingEmail: [`u."pendingEmail"`, nullable(text)],
  pendingEmailAt: [`u."pendingEmailAt"`, nullable(time)],
} as const;

const PROFILE = statement({
  name: "profile_of_user",
  parameters: { id: integer },
  columns: PROFILE_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "User" u WHERE u."id" = :id`,
});

export const profileOf = (reads: Reads, id: number): Eventually<RowOf<typeof PROFILE_COLUMNS> | null> =>
  reads.first(PROFILE, { id });

const PASSWORD_DIGEST = statement({
  name: "password_digest_of_human",
  parameters: { id: integer },
  columns: { passwordDigest: [`u."passwordDigest"`, text] },
  sql: (columns) => `SELECT ${columns} FROM "User" u WHERE u."id" = :id AND u."kind" = 'human'`,
});

/** Returns the password digest of a human; null for an unknown id and for a bot. */
export const passwordDigestOf = async (reads: Reads, id: number): Promise<string | null> =>
  (await reads.first(PASSWORD_DIGEST, { id }))?.passwordDigest ?? null;

const DELETION_COLUMNS = {
  userId: [`d."userId"`, integer],
  hard: [`d."hard"`, flag],
  actorId: [`d."actorId"`, nullable(integer)],
  requestedAt: [`d."requestedAt"`, time],
  dueAt: [`d."dueAt"`, time],
  nextAttemptAt: [`d."nextAttemptAt"`, time],
} as const;

const DELETION = statement({
  name: "deletion_of_user",
  parameters: { userId: integer },
  columns: DELETION_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "AccountDeletion" d WHERE d."userId" = :userId`,
});

/** Returns the requested deletion of a user; null if no deletion was requested. */
export const deletionOf = (reads: Reads, userId: number): Eventually<RowOf<typeof DELETION_COLUMNS> | null> =>
  reads.first(DELETION, { userId });
