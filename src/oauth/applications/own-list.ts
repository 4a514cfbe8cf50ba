import { writeLastUses } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { pageOfList } from "@/kernel/paging/list-statements";
import { COUNTED_MAX } from "@/kernel/paging/paging";
import * as ownerStore from "./owner-store";
import { shownFrom } from "./row";
import type { OwnSort, ShownApplication } from "./rules";
import { type Holder, heldIds, OF_OWNER, shownByIds } from "./store.sql";

export const OWN_PER_PAGE = 25;

/**
 * The maximum number of applications that a list sorts. A user with more applications can find the oldest
 * applications only by a search.
 */
const SORTED_MAX = 10_000;

/**
 * A page of the applications of a user or of a group, and the number of all applications that match the
 * search.
 */
export type OwnList = Readonly<{ rows: readonly ShownApplication[]; total: number }>;

/**
 * Returns a page of the applications of a user or of a group, in two indexed queries. The server sorts the
 * applications, because PostgreSQL and SQLite order letters differently.
 * @param holder the user or the group whose applications are listed. For a group, the caller must have
 * checked that the user has the role Owner.
 * @param query.search a part of the name, or the beginning of the Application ID; empty to match all
 * applications.
 */
export async function listOwn(
  deps: Deps,
  holder: Holder,
  query: Readonly<{ search?: string; sort?: OwnSort; page?: number }> = {},
): Promise<OwnList> {
  const { search = "", sort = "newest", page = 1 } = query;
  await writeLastUses(deps);
  const keys = await sortedKeys(deps, holder, search, sort);
  const ids = keys.slice((page - 1) * OWN_PER_PAGE, page * OWN_PER_PAGE).map(({ id }) => id);
  return { rows: await shownInOrder(deps, ids), total: keys.length };
}

/** Returns the newest applications of a user or of a group, at most `most`. */
export async function newestOwn(
  deps: Deps,
  holder: Holder,
  most: number,
): Promise<readonly ShownApplication[]> {
  await writeLastUses(deps);
  const keys = await heldIds(deps.reads, holder, most);
  return shownInOrder(
    deps,
    keys.map(({ id }) => id),
  );
}

/**
 * Returns the newest applications that a user owns, at most `most`, and the number of all applications that the
 * user owns, at most `COUNTED_MAX`.
 */
export async function newestOwned(deps: Deps, ownerId: number, most: number): Promise<OwnList> {
  await writeLastUses(deps);
  const paging = { kind: "offset", page: 1, perPage: most } as const;
  const read = async (ids: readonly number[]) => (await shownByIds(deps.reads, ids)).map(shownFrom);
  const { rows, total } = await pageOfList(deps.reads, OF_OWNER, { ownerId }, paging, read);
  return { rows, total: total ?? COUNTED_MAX };
}

async function shownInOrder(deps: Deps, ids: readonly number[]): Promise<readonly ShownApplication[]> {
  const rows = ids.length === 0 ? [] : (await shownByIds(deps.reads, ids)).map(shownFrom);
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Returns the ids of the applications of a user or of a group in the order of the list. */
async function sortedKeys(
  deps: Deps,
  holder: Holder,
  search: string,
  sort: OwnSort,
): Promise<readonly Readonly<{ id: number }>[]> {
  if (sort === "newest" && search === "") return heldIds(deps.reads, holder, SORTED_MAX);
  const keys = await ownerStore.ownedKeys(deps.db, holder, search, SORTED_MAX);
  return sort === "newest" ? keys : keys.toSorted(ORDERS[sort]);
}

const NAMES = new Intl.Collator("en", { numeric: true });

const ORDERS: Readonly<
  Record<Exclude<OwnSort, "newest">, (a: ownerStore.OwnedKey, b: ownerStore.OwnedKey) => number>
> = {
  name: (a, b) => NAMES.compare(a.name, b.name),
  last_use: (a, b) => (b.lastUsedAt?.getTime() ?? -1) - (a.lastUsedAt?.getTime() ?? -1),
};
