import { type User, userStateOf } from "@/access/principal";
import type { TokenDigest } from "@/kernel/crypto/token";
import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { statement, withList } from "@/kernel/db/statement";
import { keysetStatements } from "@/kernel/paging/list-statements";
import { USER_COLUMNS } from "../user-columns";

export type SessionRow = Readonly<{
  id: number;
  user: User;
  /** The time at which the user was first required to set up a second factor. */
  twoFactorAskedAt: Date | null;
  createdAt: Date;
  /** The time of the last re-authentication; null when the last authentication was at `createdAt`. */
  provenAt: Date | null;
  methods: string | null;
  expiresAt: Date;
  endedAt: Date | null;
  lastSeenAt: Date | null;
}>;

const BY_DIGEST = statement({
  name: "session_by_digest",
  parameters: { digest: text },
  columns: {
    id: [`s."id"`, integer],
    createdAt: [`s."createdAt"`, time],
    provenAt: [`s."provenAt"`, nullable(time)],
    methods: [`s."methods"`, nullable(text)],
    expiresAt: [`s."expiresAt"`, time],
    endedAt: [`s."endedAt"`, nullable(time)],
    lastSeenAt: [`s."lastSeenAt"`, nullable(time)],
    twoFactorAskedAt: [`u."twoFactorAskedAt"`, nullable(time)],
    user: USER_COLUMNS,
  },
  sql: (columns) =>
    `SELECT ${columns} FROM "Session" s JOIN "User" u ON u."id" = s."userId" WHERE s."digest" = :digest`,
});

/**
 * Returns a session with its user. The function uses one SQL statement, because every page reads the session.
 */
export async function findByDigest(reads: Reads, digest: TokenDigest): Promise<SessionRow | null> {
  const row = await reads.first(BY_DIGEST, { digest });
  if (row === null) return null;
  return { ...row, user: { ...row.user, state: userStateOf(row.user.state) } };
}

/** The active sessions of a user, ordered by id. */
export const LIVE_SESSIONS = keysetStatements({
  name: "live_sessions",
  parameters: { userId: integer, now: time },
  columns: {
    id: [`s."id"`, integer],
    digest: [`s."digest"`, text],
    address: [`s."address"`, text],
    userAgent: [`s."userAgent"`, text],
    createdAt: [`s."createdAt"`, time],
    lastSeenAt: [`s."lastSeenAt"`, nullable(time)],
  },
  from: () => `"Session" s WHERE s."userId" = :userId AND s."endedAt" IS NULL AND s."expiresAt" > :now`,
  id: `s."id"`,
});

const UNUSED = statement({
  name: "session_unused_since",
  parameters: { userId: integer, before: time },
  columns: { id: [`s."id"`, integer] },
  sql: (columns) => `
    SELECT ${columns} FROM "Session" s
    WHERE s."userId" = :userId AND s."endedAt" IS NULL AND s."createdAt" < :before
      AND (s."provenAt" IS NULL OR s."provenAt" < :before)
      AND (s."lastSeenAt" IS NULL OR s."lastSeenAt" < :before)
    LIMIT 1`,
});

/** Returns whether a user has a session without a sign-in, re-authentication or use since `before`. */
export const hasUnusedSince = async (reads: Reads, userId: number, before: Date): Promise<boolean> =>
  (await reads.first(UNUSED, { userId, before })) !== null;

const NEWEST = statement({
  name: "newest_sessions",
  isScan: true,
  parameters: { userIds: integers },
  columns: { userId: [`s."userId"`, integer], createdAt: [`MAX(s."createdAt")`, time] },
  sql: withList(
    (columns, isIn) =>
      `SELECT ${columns} FROM "Session" s WHERE ${isIn(`s."userId"`, ":userIds")} GROUP BY s."userId"`,
  ),
});

/** Returns the time at which the newest stored session of each user was created. */
export const newestSessions = (
  reads: Reads,
  userIds: readonly number[],
): Eventually<readonly Readonly<{ userId: number; createdAt: Date }>[]> => reads.all(NEWEST, { userIds });

const HELD_FORM = statement({
  name: "held_form",
  parameters: { sessionDigest: text, page: text },
  columns: { sealed: [`h."sealed"`, text], expiresAt: [`h."expiresAt"`, time] },
  sql: (columns) =>
    `SELECT ${columns} FROM "HeldForm" h WHERE h."sessionDigest" = :sessionDigest AND h."page" = :page`,
});

/** Returns the form that is stored for a page; null if no form is stored. */
export const findHeldForm = (
  reads: Reads,
  sessionDigest: TokenDigest,
  page: string,
): Eventually<Readonly<{ sealed: string; expiresAt: Date }> | null> =>
  reads.first(HELD_FORM, { sessionDigest, page });
