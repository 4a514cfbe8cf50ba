import { type User, userStateOf } from "@/access/principal";
import type { TokenDigest } from "@/kernel/crypto/token";
import { integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Reads } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";
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
