import { USER_KINDS, type UserKind } from "@/access/principal";
import { flag, integer, nullable, type ReadType, text, time } from "@/kernel/db/column-types";
import type { Columns } from "@/kernel/db/statement";

/**
 * Returns the kind of a stored user.
 * @throws Error for an unknown kind, so that a user of an unknown kind is never treated as a human, who can
 * sign in.
 */
export function userKind(stored: unknown): UserKind {
  const kind = USER_KINDS.find((candidate) => candidate === stored);
  if (kind === undefined) throw new Error("A user has an unknown kind.");
  return kind;
}

const kind: ReadType<UserKind> = { read: { sqlite: userKind, postgresql: userKind } };

/** The columns of the users table with the alias `u`, for the prepared queries that look up tokens. */
export const USER_COLUMNS = {
  id: [`u."id"`, integer],
  kind: [`u."kind"`, kind],
  username: [`u."username"`, text],
  name: [`u."name"`, text],
  email: [`u."email"`, text],
  emailVerified: [`u."emailVerified"`, flag],
  admin: [`u."admin"`, flag],
  state: [`u."state"`, text],
  createdAt: [`u."createdAt"`, time],
  twoFactor: [`u."twoFactorSince" IS NOT NULL`, flag],
  privateProfile: [`u."privateProfile"`, flag],
  avatarDigest: [`u."avatarDigest"`, nullable(text)],
} as const satisfies Columns;
