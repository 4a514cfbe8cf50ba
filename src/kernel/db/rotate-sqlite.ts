import type { Rotation } from "./db.ts";
import type { Gate } from "./gate.ts";
import { groupedWrites, timeText } from "./grouped-writes.ts";

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
                            "createdAt", "expiresAt", "refreshExpiresAt", "endsAt")
  VALUES (:familyId, :accessDigest, :refreshDigest, :applicationId, :userId, :scopes,
          :now, :expiresAt, :refreshExpiresAt, :endsAt)`;

/** Rotations, those that wait for each other in one transaction. */
export function rotateSqlite(
  file: string,
  gate: Gate,
): { rotate: (rotation: Rotation) => Promise<boolean>; close: () => void } {
  const { write, close } = groupedWrites<Rotation>(file, gate, (connection) => {
    const spend = connection.prepare(SPEND);
    const count = connection.prepare(COUNT);
    const succeed = connection.prepare(SUCCEED);
    return (rotation) => {
      const values = valuesOf(rotation);
      if (spend.run(values).changes !== 1) return false;
      count.run(values);
      succeed.run(values);
      return true;
    };
  });
  return { rotate: write, close };
}

const valuesOf = ({ tokenId, familyId, now, sealedAnswer, successor }: Rotation) => ({
  ...successor,
  tokenId,
  familyId,
  sealedAnswer,
  now: timeText(now),
  expiresAt: successor.expiresAt && timeText(successor.expiresAt),
  refreshExpiresAt: successor.refreshExpiresAt && timeText(successor.refreshExpiresAt),
  endsAt: successor.endsAt && timeText(successor.endsAt),
});
