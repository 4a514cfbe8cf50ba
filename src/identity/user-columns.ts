import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Columns } from "@/kernel/db/statement";

/** The columns of the users table with the alias `u`, for the prepared queries that look up tokens. */
export const USER_COLUMNS = {
  id: [`u."id"`, integer],
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
