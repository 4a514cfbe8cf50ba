import type { User } from "@/access/principal";
import type { Db } from "@/platform/db/db";
import type { User as UserRow } from "@/platform/db/generated/sqlite/client";

export type UserWithPassword = Readonly<{
  user: User;
  passwordDigest: string;
  /** Whether a second factor has been set up. */
  twoFactor: boolean;
}>;

/** @param login a username or an e-mail address, in any case. */
export async function findByLogin(db: Db, login: string): Promise<UserWithPassword | null> {
  const lower = login.toLowerCase();
  const where = lower.includes("@") ? { emailLower: lower } : { usernameLower: lower };
  const row = await db.user.findUnique({ where });
  if (row === null) return null;
  const { passwordDigest, twoFactorSince } = row;
  return { user: userFrom(row), passwordDigest, twoFactor: twoFactorSince !== null };
}

export async function findById(db: Db, id: number): Promise<User | null> {
  const row = await db.user.findUnique({ where: { id } });
  return row && userFrom(row);
}

/** The row of a new person, without an id yet. */
export type NewUser = Omit<User, "id"> & Readonly<{ passwordDigest: string }>;

/** Raises Prisma's P2002 when the username or the address is taken. */
export async function insert(db: Db, user: NewUser): Promise<User> {
  const row = await db.user.create({
    data: {
      ...user,
      usernameLower: user.username.toLowerCase(),
      emailLower: user.email.toLowerCase(),
    },
  });
  return userFrom(row);
}

export async function setPassword(db: Db, userId: number, passwordDigest: string): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { passwordDigest } });
}

export const userFrom = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  admin: row.admin,
  state: row.state === "active" ? "active" : "blocked",
  createdAt: row.createdAt,
});
