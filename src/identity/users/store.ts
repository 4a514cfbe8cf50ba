import type { User } from "@/access/principal";
import type { Db } from "@/kernel/db/db";
import type { User as UserRow } from "@/kernel/db/generated/sqlite/client";

export type UserWithPassword = Readonly<{
  user: User;
  passwordDigest: string;
  /** When they were first asked to set up a second factor. */
  twoFactorAskedAt: Date | null;
}>;

const withPassword = (row: UserRow): UserWithPassword => {
  const { passwordDigest, twoFactorAskedAt } = row;
  return { user: userFrom(row), passwordDigest, twoFactorAskedAt };
};

/** @param login a username or a confirmed e-mail address, in any case. */
export async function findByLogin(db: Db, login: string): Promise<UserWithPassword | null> {
  const lower = login.toLowerCase();
  const where = lower.includes("@") ? { emailLower: lower, emailVerified: true } : { usernameLower: lower };
  const row = await db.user.findUnique({ where });
  return row && withPassword(row);
}

export async function findWithPassword(db: Db, id: number): Promise<UserWithPassword | null> {
  const row = await db.user.findUnique({ where: { id } });
  return row && withPassword(row);
}

/** @param username in any case. */
export const usernameIsTaken = async (db: Db, username: string): Promise<boolean> =>
  (await db.user.count({ where: { usernameLower: username.toLowerCase() } })) > 0;

/** What of these somebody has already, in any case; the address comes first where it is both. */
export async function takenOf(
  db: Db,
  { username, email, except }: Readonly<{ username: string; email: string; except?: number }>,
): Promise<"email" | "username" | null> {
  const [usernameLower, emailLower] = [username.toLowerCase(), email.toLowerCase()];
  const rows = await db.user.findMany({
    where: { OR: [{ usernameLower }, { emailLower }] },
    select: { id: true, emailLower: true },
  });
  const others = rows.filter(({ id }) => id !== except);
  if (others.length === 0) return null;
  return others.some((row) => row.emailLower === emailLower) ? "email" : "username";
}

export async function setTwoFactorSince(db: Db, userId: number, since: Date | null): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { twoFactorSince: since } });
}

/** Changes nothing when the person has been told before. */
export async function setTwoFactorAskedAt(db: Db, userId: number, now: Date): Promise<void> {
  await db.user.updateMany({
    where: { id: userId, twoFactorAskedAt: null },
    data: { twoFactorAskedAt: now },
  });
}

export async function findById(db: Db, id: number): Promise<User | null> {
  const row = await db.user.findUnique({ where: { id } });
  return row && userFrom(row);
}

/** The row of a new user, without an id yet. */
export type NewUser = Omit<User, "id" | "twoFactor"> &
  Readonly<{ passwordDigest: string; pendingEmail?: string; pendingEmailAt?: Date }>;

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

/** The part of a user that only their own pages need. */
export async function findProfile(
  db: Db,
  id: number,
): Promise<Readonly<{ privateProfile: boolean; pendingEmail: PendingEmail | null }> | null> {
  const select = { privateProfile: true, pendingEmail: true, pendingEmailAt: true } as const;
  const row = await db.user.findUnique({ where: { id }, select });
  return row && { privateProfile: row.privateProfile, pendingEmail: pendingEmailFrom(row) };
}

type PendingEmail = Readonly<{ email: string; at: Date }>;

export const pendingEmailFrom = ({
  pendingEmail: email,
  pendingEmailAt: at,
}: Pick<UserRow, "pendingEmail" | "pendingEmailAt">): PendingEmail | null =>
  email === null || at === null ? null : { email, at };

export async function setProfile(
  db: Db,
  id: number,
  profile: Readonly<{ name: string; privateProfile: boolean }>,
): Promise<void> {
  await db.user.update({ where: { id }, data: profile });
}

export async function setPendingEmail(db: Db, id: number, { email, at }: PendingEmail): Promise<void> {
  await db.user.update({ where: { id }, data: { pendingEmail: email, pendingEmailAt: at } });
}

const NO_PENDING_EMAIL = { pendingEmail: null, pendingEmailAt: null } as const;

/** @returns whether there was one. */
export async function clearPendingEmail(db: Db, id: number): Promise<boolean> {
  const where = { id, pendingEmail: { not: null } };
  return (await db.user.updateMany({ where, data: NO_PENDING_EMAIL })).count === 1;
}

/**
 * Makes this pending address the confirmed one. Raises Prisma's P2002 when another user has it.
 * @returns whether it was pending.
 */
export async function confirmPendingEmail(db: Db, id: number, email: string): Promise<boolean> {
  const data = { email, emailLower: email.toLowerCase(), emailVerified: true, ...NO_PENDING_EMAIL };
  return (await db.user.updateMany({ where: { id, pendingEmail: email }, data })).count === 1;
}

/** What an administrator sets of a person. An address of theirs counts as confirmed. */
export type AccountFields = Readonly<{
  username?: string;
  email?: string;
  name?: string;
  privateProfile?: boolean;
  passwordDigest?: string;
}>;

/** Raises Prisma's P2002 when the username or the address is taken. */
export async function setAccount(db: Db, id: number, fields: AccountFields): Promise<User> {
  const { username, email } = fields;
  const row = await db.user.update({
    where: { id },
    data: {
      ...fields,
      ...(username === undefined ? {} : { usernameLower: username.toLowerCase() }),
      ...(email === undefined
        ? {}
        : { emailLower: email.toLowerCase(), emailVerified: true, ...NO_PENDING_EMAIL }),
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
  twoFactor: row.twoFactorSince !== null,
  privateProfile: row.privateProfile,
});
