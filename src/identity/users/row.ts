import { type User, userStateOf } from "@/access/principal";
import type { User as UserRow } from "@/kernel/db/generated/sqlite/client";
import { userKind } from "../user-columns";
import type * as sql from "./store.sql";

export type UserWithPassword = Readonly<{
  user: User;
  passwordDigest: string;
  /** The time at which the user was first required to set up a second factor. */
  twoFactorAskedAt: Date | null;
}>;

export const withPassword = (row: UserRow): UserWithPassword => {
  const { passwordDigest, twoFactorAskedAt } = row;
  return { user: userFrom(row), passwordDigest, twoFactorAskedAt };
};

export const withState = <Row extends sql.UserRow>(row: Row): Row & User => ({
  ...row,
  state: userStateOf(row.state),
});

export const userFrom = (row: UserRow): User => ({
  id: row.id,
  kind: userKind(row.kind),
  username: row.username,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  admin: row.admin,
  state: userStateOf(row.state),
  createdAt: row.createdAt,
  twoFactor: row.twoFactorSince !== null,
  privateProfile: row.privateProfile,
  avatarDigest: row.avatarDigest,
});
