import type pg from "pg";
import type { Rotation } from "./db.ts";
import type { OpenPool } from "./pools-postgresql.ts";

/** Each is held for a transaction of three statements. */
const CONNECTIONS_MAX = 4;

/** The family first: its lock makes rotations and revocations of the same family wait for each other. */
const LOCK_FAMILY = {
  name: "rotate_family",
  text: `UPDATE "TokenFamily" SET "rotations" = "rotations" + 1 WHERE "id" = $1 AND "revokedAt" IS NULL`,
};
const SPEND = {
  name: "rotate_spend",
  text: `UPDATE "OauthToken" SET "revokedAt" = $2, "rotatedAt" = $2, "sealedAnswer" = $3
         WHERE "id" = $1 AND "revokedAt" IS NULL`,
};
const SUCCEED = {
  name: "rotate_succeed",
  text: `INSERT INTO "OauthToken" ("familyId", "accessDigest", "refreshDigest", "applicationId", "userId", "scopes",
                                   "createdAt", "expiresAt", "refreshExpiresAt", "endsAt")
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

/**
 * Rotations on a small pool of their own: one that waits for a lock keeps no look-up waiting, which the holder of
 * that lock may need.
 */
export function rotatePostgresql(openPool: OpenPool): (rotation: Rotation) => Promise<boolean> {
  const pool = openPool(CONNECTIONS_MAX);
  return async (rotation) => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const rotated = await rotateOn(client, rotation);
      await client.query(rotated ? "COMMIT" : "ROLLBACK");
      client.release();
      return rotated;
    } catch (cause) {
      // The connection goes, and with it the transaction.
      client.release(true);
      throw cause;
    }
  };
}

async function rotateOn(client: pg.PoolClient, rotation: Rotation): Promise<boolean> {
  const { tokenId, familyId, sealedAnswer, successor } = rotation;
  const now = text(rotation.now);
  const alive = await client.query({ ...LOCK_FAMILY, values: [familyId] });
  if (alive.rowCount !== 1) return false;
  const spent = await client.query({ ...SPEND, values: [tokenId, now, sealedAnswer] });
  if (spent.rowCount !== 1) return false;
  const { accessDigest, refreshDigest, applicationId, userId, scopes } = successor;
  const { expiresAt, refreshExpiresAt, endsAt } = successor;
  const ends = [expiresAt, refreshExpiresAt, endsAt].map((time) => time && text(time));
  await client.query({
    ...SUCCEED,
    values: [familyId, accessDigest, refreshDigest, applicationId, userId, scopes, now, ...ends],
  });
  return true;
}

/** As text: of a date, the driver would write the time of this machine's zone into a column that holds UTC. */
const text = (time: Date): string => time.toISOString();
