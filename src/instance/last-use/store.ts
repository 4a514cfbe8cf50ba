import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { lockClause } from "@/kernel/db/lock";
import type { Deps } from "@/kernel/deps/deps";

/**
 * This module writes the last-used times of tokens, applications, client secrets and sessions. One SQL
 * statement writes a batch of last-used times. The statement does not wait for locks, and releases its own
 * locks quickly.
 */

/**
 * The columns that store the last-used time of each kind of row, and for grants also the IP address and the
 * user agent.
 */
const TABLES = {
  family: {
    table: "TokenFamily",
    at: "lastUsedAt",
    caller: { ipAddress: "lastAddress", userAgent: "lastUserAgent" },
  },
  application: { table: "Application", at: "lastUsedAt", caller: null },
  personalToken: { table: "PersonalAccessToken", at: "lastUsedAt", caller: null },
  clientSecret: { table: "ApplicationSecret", at: "lastUsedAt", caller: null },
  session: { table: "Session", at: "lastSeenAt", caller: null },
} as const;

export type Kind = keyof typeof TABLES;
export const KINDS = Object.keys(TABLES) as readonly Kind[];

export type Use = Readonly<{ id: number; ipAddress: string; userAgent: string }>;

const ROWS_AT_ONCE = 512;

/** Records that these rows were used at `now`. Deleted rows are skipped. */
export async function recordUses(
  deps: Pick<Deps, "db" | "config">,
  kind: Kind,
  uses: readonly Use[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < uses.length; start += ROWS_AT_ONCE)
    await recordBatch(deps.db, kind, uses.slice(start, start + ROWS_AT_ONCE), now, lockOf(deps));
}

/**
 * Returns the lock clause of the statement that writes a batch. On PostgreSQL, a batch skips rows that
 * another transaction has locked. If a batch waited for locks while it has locked other rows, it could block
 * a revocation. The next use of a skipped row is recorded.
 */
const lockOf = ({ config }: Pick<Deps, "config">): Prisma.Sql =>
  lockClause(config, "FOR NO KEY UPDATE SKIP LOCKED");

async function recordBatch(
  db: Db,
  kind: Kind,
  uses: readonly Use[],
  now: Date,
  lock: Prisma.Sql,
): Promise<void> {
  const { table, at, caller } = TABLES[kind];
  const [name, time] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${at}"`)];
  const callerToo =
    caller === null
      ? Prisma.empty
      : Prisma.raw(`, "${caller.ipAddress}" = u."address", "${caller.userAgent}" = u."userAgent"`);
  const rows = padded(uses).map(
    ({ id, ipAddress, userAgent }) =>
      Prisma.sql`(CAST(${id} AS INTEGER), CAST(${ipAddress} AS TEXT), CAST(${userAgent} AS TEXT))`,
  );
  await db.$executeRaw`
    WITH u("id", "address", "userAgent") AS (VALUES ${Prisma.join(rows)})
    UPDATE ${name} SET ${time} = ${now}${callerToo} FROM u
    WHERE ${name}."id" = u."id"
      AND ${name}."id" IN (SELECT t."id" FROM ${name} t JOIN u ON u."id" = t."id" ${lock})`;
}

/**
 * Pads a batch to a power of two with copies of its first row. The database therefore prepares only ten
 * statements, and not one statement for each length of a batch.
 */
function padded(uses: readonly Use[]): readonly Use[] {
  const length = 2 ** Math.ceil(Math.log2(uses.length));
  return uses.length === 0 ? uses : [...uses, ...new Array(length - uses.length).fill(uses[0])];
}
