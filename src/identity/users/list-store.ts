import type { User, UserKind } from "@/access/principal";
import { between, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
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
import { NOT_GHOST } from "./ghost-store";
import { pendingEmailFrom } from "./pending-email-store";
import { withState } from "./row";
import * as sql from "./store.sql";

/** The fields of a user in the administrators' lists of users. */
export type ListedUser = User &
  Readonly<{
    twoFactorSince: Date | null;
    pendingEmail: { readonly email: string; readonly at: Date } | null;
  }>;

/**
 * Returns a page of users who are humans, newest first. A search scans the table by its primary key until the
 * page is full, so a search without results reads every row.
 * @param search the beginning of a username or an e-mail address, or a part of a name; empty for all users.
 */
export async function listAll(
  { db, reads }: Queries,
  search: string,
  paging: KeysetPaging,
): Promise<KeysetPage<ListedUser>> {
  if (search === "")
    return keysetPageFrom(
      paging,
      (await keysetRows(reads, sql.HUMANS, paging, (window) => window)).map(listedFrom),
    );
  const matches = await db.user.findMany({
    where: { ...keysetFilterOf(paging), ...NOT_GHOST, kind: "human", OR: matching(search, true) },
    orderBy: { id: directionOf(paging) },
    ...windowOf(paging),
    select: { id: true },
  });
  return keysetPageById(paging, matches, async (ids) => (await sql.listedByIds(reads, ids)).map(listedFrom));
}

const listedFrom = ({ pendingEmail, pendingEmailAt, ...row }: sql.ListedRow): ListedUser => ({
  ...withState(row),
  twoFactorSince: row.twoFactorSince,
  pendingEmail: pendingEmailFrom({ pendingEmail, pendingEmailAt }),
});

/**
 * The number of rows that a search by prefix reads from an index. Of these rows, the search returns those
 * whose username or e-mail address begins with the searched text.
 */
const PREFIX_ROWS = 20;

/**
 * Returns at most `most` users whose username or e-mail address begins with a text. The function runs two
 * queries, which read only a few rows of an index.
 */
export async function findByPrefix(
  db: Db,
  prefix: string,
  most: number,
): Promise<readonly Pick<User, "id" | "username" | "name">[]> {
  const lower = prefix.toLowerCase();
  const rows = await Promise.all(
    (["usernameLower", "emailLower"] as const).map(async (column) => {
      const candidates = await db.user.findMany({
        where: { ...NOT_GHOST, [column]: { gte: lower } },
        orderBy: { [column]: "asc" },
        select: { id: true, username: true, name: true, usernameLower: true, emailLower: true },
        take: PREFIX_ROWS,
      });
      return candidates.filter((row) => row[column].startsWith(lower));
    }),
  );
  const users = new Map(rows.flat().map(({ id, username, name }) => [id, { id, username, name }]));
  return [...users.values()].slice(0, most);
}

function matching(search: string, byEmail: boolean) {
  const lower = search.toLowerCase();
  return [
    { usernameLower: { startsWith: literally(lower) } },
    ...(byEmail ? [{ emailLower: { startsWith: literally(lower) } }] : []),
    ...caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } })),
  ];
}

/** A filter for users. A field of the filter with the value null matches every user. */
export type UsersFilter = Readonly<{
  username: string | null;
  search: string | null;
  /** Whether the search includes e-mail addresses. */
  byEmail: boolean;
  state: User["state"] | null;
  administrators: boolean;
  /** Whether the user has a second factor. */
  twoFactor?: boolean | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** The kinds of the users; null for all kinds. */
  kinds: readonly UserKind[] | null;
  /** The ids of the users that the search may return; undefined for all users. */
  ids: readonly number[] | undefined;
  descending: boolean;
}>;

/** Returns a page of users in the order of their ids. */
export function listPart({ db, reads }: Queries, filter: UsersFilter, paging: Paging): Promise<Page<User>> {
  const { username, search, state } = filter;
  const read = async (ids: readonly number[]) => (await sql.findByIds(reads, ids)).map(withState);
  if (state !== null && hasOnlyState(filter) && paging.kind === "offset")
    return pageOfList(
      reads,
      sql.USERS_IN_STATE[filter.descending ? "descending" : "ascending"],
      { state },
      paging,
      read,
    );
  const where = {
    ...(username === null ? {} : { usernameLower: username.toLowerCase() }),
    ...(search === null ? {} : { OR: matching(search, filter.byEmail) }),
    ...(state === null ? NOT_GHOST : { state }),
    ...(filter.kinds === null ? {} : { kind: { in: [...filter.kinds] } }),
    ...(filter.administrators ? { admin: true } : {}),
    ...(filter.ids === undefined ? {} : { AND: [{ id: { in: [...filter.ids] } }] }),
    ...(filter.twoFactor === undefined ? {} : { twoFactorSince: filter.twoFactor ? { not: null } : null }),
    ...(filter.createdAfter === undefined && filter.createdBefore === undefined
      ? {}
      : { createdAt: between(filter.createdAfter, filter.createdBefore) }),
  };
  const query = {
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, filter.descending) },
  } as const;
  return pageById(paging, {
    isSearch: search !== null,
    find: (window) => db.user.findMany({ ...query, select: { id: true }, ...window }),
    read,
    count: () => db.user.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** Returns whether a filter has no condition except the state. */
const hasOnlyState = (filter: UsersFilter): boolean =>
  !filter.administrators &&
  [filter.username, filter.search, filter.kinds].every((value) => value === null) &&
  [filter.ids, filter.twoFactor, filter.createdAfter, filter.createdBefore].every(
    (value) => value === undefined,
  );

/** Returns the fields of a user that the administrators' pages show; null for the ghost user. */
export async function findListed(reads: Reads, id: number): Promise<ListedUser | null> {
  const [row] = await sql.listedByIds(reads, [id]);
  return row === undefined ? null : listedFrom(row);
}

/**
 * Returns a page of users who are humans, ordered by id, and the number of matching users, counted up to
 * `COUNTED_MAX + 1`.
 * @param userId the id of the only user to return; null for every user.
 */
export async function namespacesOfUsers(
  db: Db,
  { search, userId }: Readonly<{ search: string; userId: number | null }>,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Promise<Readonly<{ rows: readonly Pick<User, "id" | "username" | "name">[]; total: number }>> {
  const where = {
    ...NOT_GHOST,
    kind: "human",
    ...(userId === null ? {} : { id: userId }),
    ...(search === "" ? {} : { OR: matching(search, false) }),
  };
  const select = { id: true, username: true, name: true } as const;
  const orderBy = { id: "asc" } as const;
  if (search !== "" && skip + take <= COUNTED_MAX) {
    // A search may scan the whole table, so one scan provides both the ids of the page and the total.
    const matches = await db.user.findMany({ where, select: { id: true }, orderBy, take: COUNTED_MAX + 1 });
    const ids = matches.slice(skip, skip + take).map(({ id }) => id);
    const rows = await db.user.findMany({ where: { id: { in: padToPowerOfFour(ids) } }, select, orderBy });
    return { rows, total: matches.length };
  }
  const [rows, total] = await Promise.all([
    db.user.findMany({ where, select, orderBy, skip, take }),
    db.user.count({ where, take: COUNTED_MAX + 1 }),
  ]);
  return { rows, total };
}

/** Returns the first active administrators who have a confirmed e-mail address, ordered by id. */
export const listAdministrators = (
  db: Db,
  most: number,
): Promise<readonly Readonly<{ name: string; email: string }>[]> =>
  db.user.findMany({
    where: { admin: true, state: "active", emailVerified: true },
    select: { name: true, email: true },
    orderBy: { id: "asc" },
    take: most,
  });
