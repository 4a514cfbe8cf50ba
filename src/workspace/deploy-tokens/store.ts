import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db, Queries } from "@/kernel/db/db";
import type { Reads } from "@/kernel/db/prepared";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import type { ProjectOrGroup } from "../members/rules";
import { type DeployToken, defaultUsername } from "./rules";
import * as sql from "./store.sql";

/** Returns a stored deploy token with its username. */
export const tokenFrom = ({ projectId, groupId, ...row }: sql.DeployTokenRow): DeployToken => ({
  ...row,
  username: row.username ?? defaultUsername(row.id),
  scopes: row.scopes.split(" "),
  reach: { projectId, groupId },
});

type NewDeployToken = Readonly<{
  digest: TokenDigest;
  creatorId: number;
  name: string;
  username: string | null;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
}>;

/** Inserts a deploy token. @returns the id of the token. */
export async function insert(db: Db, resource: ProjectOrGroup, token: NewDeployToken): Promise<number> {
  const groupId = resource.kind === "group" ? resource.id : resource.groupId;
  const projectId = resource.kind === "project" ? resource.id : null;
  return (await db.deployToken.create({ data: { ...token, projectId, groupId }, select: { id: true } })).id;
}

/**
 * Returns the query condition that selects the deploy tokens of a project or a group; for null, the condition
 * selects all deploy tokens.
 */
const tokensOf = (resource: ProjectOrGroup | null) => {
  if (resource === null) return {};
  const { kind, id } = resource;
  return kind === "project" ? { projectId: id } : { groupId: id, projectId: null };
};

/**
 * Returns a page of deploy tokens, newest first.
 * @param query.active true selects tokens that have not expired, false selects expired tokens, and null
 * selects all tokens.
 */
export function list(
  { db, reads }: Queries,
  { resource, active, now }: Readonly<{ resource: ProjectOrGroup | null; active: boolean | null; now: Date }>,
  paging: Paging,
): Promise<Page<DeployToken>> {
  const where = {
    ...tokensOf(resource),
    ...(active === null
      ? {}
      : active
        ? { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
        : { expiresAt: { lte: now } }),
  };
  const query = {
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, true) },
  } as const;
  return pageById(paging, {
    isSearch: false,
    find: (window) => db.deployToken.findMany({ ...query, select: { id: true }, ...window }),
    read: async (ids) => (await sql.findByIds(reads, ids, now)).map(tokenFrom),
    count: () => db.deployToken.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** Returns the deploy token with this id; null for an unknown id. */
export async function findById(reads: Reads, id: number, now: Date): Promise<DeployToken | null> {
  const [row] = await sql.findByIds(reads, [id], now);
  return row === undefined ? null : tokenFrom(row);
}

/** Stores the id of the new group of a project in the rows of its deploy tokens. */
export async function setGroup(db: Db, projectId: number, groupId: number | null): Promise<void> {
  await db.deployToken.updateMany({ where: { projectId }, data: { groupId } });
}

/** Deletes a deploy token. @returns true for exactly one of several simultaneous callers. */
export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.deployToken.deleteMany({ where: { id } })).count === 1;
