import { NAMED_MAX, named, padToPowerOfFour, unindexed } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import type { Reads } from "@/kernel/db/prepared";
import { keysetRows, pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  directionOf,
  type KeysetPage,
  type KeysetPaging,
  keysetFilterOf,
  keysetPageById,
  keysetPageFrom,
  type Page,
  type Paging,
  pageById,
  windowOf,
} from "@/kernel/paging/paging";
import { caseVariantsOf } from "@/kernel/text/case-variants";
import { listedFrom } from "./listed-row";
import { ownerPathColumns } from "./owner";
import { shownFrom } from "./row";
import type { ApplicationOwner, ListedApplication, ShownApplication } from "./rules";
import { findById } from "./store";
import { ALL_LISTED, administratorIds, allShown, listedByIds, OF_OWNER } from "./store.sql";

export async function list(reads: Reads): Promise<readonly ShownApplication[]> {
  return (await allShown(reads)).map(shownFrom);
}

/**
 * Returns applications of the instance, newest first. A search reads the table in the order of the ids until
 * the page is full.
 * @param search a part of the name, or the beginning of the Application ID, of the owner's username or of the
 * group's full path. An empty search text matches all applications.
 */
export async function listAll(
  { db, reads }: Queries,
  search: string,
  paging: KeysetPaging,
): Promise<KeysetPage<ListedApplication>> {
  if (search === "")
    return keysetPageFrom(
      paging,
      (await keysetRows(reads, ALL_LISTED, paging, (window) => window)).map(listedFrom),
    );
  const matches = await db.application.findMany({
    where: { ...keysetFilterOf(paging), OR: matching(search) },
    orderBy: { id: directionOf(paging) },
    ...windowOf(paging),
    select: { id: true },
  });
  return keysetPageById(paging, matches, (ids) => listedWith(reads, ids));
}

const listedWith = async (reads: Reads, ids: readonly number[]): Promise<readonly ListedApplication[]> =>
  (await listedByIds(reads, ids)).map(listedFrom);

function matching(search: string) {
  const lower = search.toLowerCase();
  return [
    { uid: { startsWith: literally(lower) } },
    { owner: { usernameLower: { startsWith: literally(lower) } } },
    { group: { fullPathLower: { startsWith: literally(lower) } } },
    ...caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } })),
  ];
}

export async function findListed(reads: Reads, id: number): Promise<ListedApplication | null> {
  const [application] = await listedWith(reads, [id]);
  return application ?? null;
}

/** Returns an application of the instance, which is an application that an administrator owns. */
export async function findOfInstance(reads: Reads, id: number): Promise<ListedApplication | null> {
  const application = await findListed(reads, id);
  return application?.owner.kind === "instance" ? application : null;
}

/** Returns an application of the instance with its logo and all its columns. */
export async function findShownOfInstance(reads: Reads, id: number): Promise<ShownApplication | null> {
  const application = await findById(reads, id);
  return application?.owner.kind === "instance" ? application : null;
}

/**
 * A Prisma query condition that selects the applications of the instance, which are the applications that
 * administrators own.
 */
const OF_INSTANCE = { owner: { admin: true } } as const;

/**
 * Returns a query condition that selects the applications that administrators own. The query condition
 * contains a list of the administrators' ids, or is `OF_INSTANCE` if the instance has too many
 * administrators.
 */
function administratorsOwn(adminIds: readonly number[]): Prisma.ApplicationWhereInput {
  const ids = named(adminIds);
  return ids === null ? OF_INSTANCE : { ownerId: { in: padToPowerOfFour(ids) } };
}

/** The kind of the owners of applications. */
export type OwnerKind = ApplicationOwner["kind"] | "all";

const OF_KIND = {
  // SQLite uses no index for a negated condition. With the index of administrators, SQLite would read the applications
  // of each other user and sort them.
  user: { ownerId: { not: null }, owner: unindexed({ admin: true }) },
  group: { groupId: { not: null } },
  nobody: { ownerId: null, groupId: null },
  all: {},
} as const satisfies Record<Exclude<OwnerKind, "instance">, Prisma.ApplicationWhereInput>;

/**
 * Returns a page of the applications whose owners are of the given kind, newest first unless a keyset page
 * sets another order.
 */
export async function partOfKind(
  queries: Queries,
  kind: OwnerKind,
  paging: Paging,
): Promise<Page<ListedApplication>> {
  const { db, reads } = queries;
  const read = (ids: readonly number[]) => listedWith(reads, ids);
  const admins =
    kind === "instance" ? (await administratorIds(reads, NAMED_MAX + 1)).map(({ id }) => id) : [];
  const [ownerId] = admins;
  if (ownerId !== undefined && admins.length === 1 && paging.kind === "offset")
    return pageOfList(reads, OF_OWNER, { ownerId }, paging, read);
  const ofKind = kind === "instance" ? administratorsOwn(admins) : OF_KIND[kind];
  const where = { ...ofKind, ...keysetFilterOf(paging) };
  const orderBy = { id: directionOf(paging, true) };
  return pageById(paging, {
    isSearch: false,
    find: (window) => db.application.findMany({ where, orderBy, select: { id: true }, ...window }),
    read,
    count: () => db.application.count({ where: ofKind, take: COUNTED_MAX + 1 }),
  });
}

/** Returns the redirect URIs of the `most` applications that follow the application with the id `after`. */
export const redirectUrisAfter = (db: Db, after: number, most: number) =>
  db.application.findMany({
    where: { id: { gt: after } },
    select: { id: true, name: true, redirectUris: true, ...ownerPathColumns },
    orderBy: { id: "asc" },
    take: most,
  });
