import type { User } from "@/access/principal";
import type { TokenDigest } from "@/platform/crypto/token";
import type { Db } from "@/platform/db/db";

export type SessionRow = Readonly<{
  id: number;
  user: User;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  lastSeenAt: Date | null;
}>;

export async function insert(
  db: Db,
  session: Readonly<{ digest: TokenDigest; userId: number; createdAt: Date; expiresAt: Date }>,
): Promise<void> {
  await db.session.create({ data: session });
}

export async function findByDigest(db: Db, digest: TokenDigest): Promise<SessionRow | null> {
  const row = await db.session.findUnique({
    where: { digest },
    select: {
      id: true,
      createdAt: true,
      expiresAt: true,
      endedAt: true,
      lastSeenAt: true,
      user: {
        select: {
          id: true,
          username: true,
          name: true,
          email: true,
          emailVerified: true,
          admin: true,
          state: true,
          createdAt: true,
        },
      },
    },
  });
  if (row === null) return null;
  return { ...row, user: { ...row.user, state: row.user.state === "active" ? "active" : "blocked" } };
}

export async function end(db: Db, digest: TokenDigest, now: Date): Promise<void> {
  await db.session.updateMany({ where: { digest, endedAt: null }, data: { endedAt: now } });
}

export async function endAllOf(db: Db, userId: number, now: Date): Promise<void> {
  await db.session.updateMany({ where: { userId, endedAt: null }, data: { endedAt: now } });
}
