import Sqlite from "better-sqlite3";
import { whenFree } from "./busy.ts";
import type { Rotation } from "./db.ts";
import type { Gate } from "./gate.ts";

/**
 * The write lock is the file's, so nothing can come between these statements: the count of the first decides. It asks
 * after the family too, so that nothing has to be undone.
 */
const SPEND = `
  UPDATE "OauthToken" SET "revokedAt" = :now, "rotatedAt" = :now, "sealedAnswer" = :sealedAnswer
  WHERE "id" = :tokenId AND "revokedAt" IS NULL
    AND EXISTS (SELECT 1 FROM "TokenFamily" f WHERE f."id" = "familyId" AND f."revokedAt" IS NULL)`;
const COUNT = `UPDATE "TokenFamily" SET "rotations" = "rotations" + 1 WHERE "id" = :familyId`;
const SUCCEED = `
  INSERT INTO "OauthToken" ("familyId", "accessDigest", "refreshDigest", "applicationId", "userId", "scopes",
                            "createdAt", "expiresAt", "refreshExpiresAt")
  VALUES (:familyId, :accessDigest, :refreshDigest, :applicationId, :userId, :scopes,
          :now, :expiresAt, :refreshExpiresAt)`;

type Waiting = Readonly<{
  rotation: Rotation;
  resolve: (rotated: boolean) => void;
  reject: (cause: unknown) => void;
}>;

/**
 * Rotations on a connection of their own that writes. All that wait when it is their turn at the gate share one
 * transaction, and so one flush to the disk, which takes longer than everything else.
 * @param gate lets one writer of this process in at a time.
 */
export function rotateSqlite(
  file: string,
  gate: Gate,
): { rotate: (rotation: Rotation) => Promise<boolean>; close: () => void } {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  connection.pragma("synchronous=FULL");
  connection.pragma("foreign_keys=ON");
  let commit: ((group: readonly Waiting[]) => readonly boolean[]) | undefined;
  let waiting: Waiting[] = [];

  async function rotateWaiting(): Promise<void> {
    const leave = await gate();
    const group = waiting;
    waiting = [];
    try {
      commit ??= prepare(connection);
      const rotateGroup = commit;
      const rotated = await whenFree(() => rotateGroup(group));
      for (const [index, { resolve }] of group.entries()) resolve(rotated[index] ?? false);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    } finally {
      leave();
    }
  }

  return {
    rotate: (rotation) =>
      new Promise((resolve, reject) => {
        waiting.push({ rotation, resolve, reject });
        // The requests that arrived together with this one get as far before the turn of the event loop ends.
        if (waiting.length === 1) setImmediate(rotateWaiting);
      }),
    close: () => connection.close(),
  };
}

/** Prepared at the first use: the tables may be made after the file is opened. */
function prepare(connection: Sqlite.Database): (group: readonly Waiting[]) => readonly boolean[] {
  const [spend, count, succeed] = [SPEND, COUNT, SUCCEED].map((sql) => connection.prepare(sql));
  if (spend === undefined || count === undefined || succeed === undefined) throw new Error("No statements.");
  return connection.transaction((group: readonly Waiting[]) =>
    group.map(({ rotation }) => {
      const values = valuesOf(rotation);
      if (spend.run(values).changes !== 1) return false;
      count.run(values);
      succeed.run(values);
      return true;
    }),
  ).immediate;
}

const valuesOf = ({ tokenId, familyId, now, sealedAnswer, successor }: Rotation) => ({
  ...successor,
  tokenId,
  familyId,
  sealedAnswer,
  now: text(now),
  expiresAt: successor.expiresAt && text(successor.expiresAt),
  refreshExpiresAt: successor.refreshExpiresAt && text(successor.refreshExpiresAt),
});

/** Exactly as Prisma's adapter writes a time: they are compared as text. */
const text = (time: Date): string => time.toISOString().replace("Z", "+00:00");
