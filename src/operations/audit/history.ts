import { usernamesOf } from "@/identity/users/administration";
import { find } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { type Cursor, type KeysetPage, type KeysetPaging, keysetPageFrom } from "@/kernel/paging/paging";
import * as applications from "@/oauth/applications/administration";
import { findByUid } from "@/oauth/applications/service";
import { describeEvent, labelOf } from "./labels";
import { type EventSearch, readDay, readName } from "./schema";

export type { EventFilter } from "@/instance/audit/service";

/**
 * A user or an application to which an audit event refers. `name` is null if the user or application was
 * deleted and the name was not recorded. `isDeleted` is set for a deleted user whose name was recorded.
 */
export type EventSubject = Readonly<{ id: number; name: string | null; isDeleted?: true }>;

/** An audit event with the current names of its actor and of its subjects. */
export type Event = Readonly<{
  id: number;
  at: Date;
  name: string;
  label: string;
  /** The sentence that describes the audit event, with the placeholders `{user}` and `{application}`. */
  sentence: string;
  /** The user who caused the event; null for the command line and for visitors who are not signed in. */
  actor: EventSubject | null;
  byCommandLine: boolean;
  user: EventSubject | null;
  application: EventSubject | null;
  details: string;
}>;

export type SearchProblems = Readonly<Partial<Record<keyof EventSearch, string>>>;

/**
 * Parses the filter from the search form.
 * @returns the filter, or an error message for each field whose value is invalid or matches no row.
 */
export async function filterFrom(
  deps: Deps,
  search: EventSearch,
): Promise<{ readonly filter: audit.EventFilter } | { readonly problems: SearchProblems }> {
  const [user, application] = await Promise.all([
    search.person === "" ? null : userIdOf(deps, search.person),
    search.application === "" ? null : applicationIdOf(deps, search.application),
  ]);
  const filter = {
    name: readName(search.name),
    userId: user,
    applicationId: typeof application === "number" ? application : null,
    from: readDay(search.from),
    until: readDay(search.to, 1),
  };
  const missed = (field: keyof EventSearch, value: unknown, text: string): [string, string][] =>
    search[field] !== "" && value === null ? [[field, text]] : [];
  const problems = Object.fromEntries([
    ...missed("name", filter.name, "There is no audit event with this name. Choose an event from the list."),
    ...missed("person", filter.userId, "There is no user with this username or e-mail address."),
    ...missed(
      "application",
      filter.applicationId,
      application === "several"
        ? "Several applications have this name. Enter the Application ID."
        : "There is no application with this name or Application ID.",
    ),
    ...missed("from", filter.from, "Enter a day as YYYY-MM-DD."),
    ...missed("to", filter.until, "Enter a day as YYYY-MM-DD."),
  ]);
  return Object.keys(problems).length > 0 ? { problems } : { filter };
}

/** Returns the id of the user, or of the deleted user, with this username or e-mail address. */
const userIdOf = async (deps: Deps, login: string): Promise<number | null> =>
  (await find(deps, login))?.id ?? audit.findDeletedUser(deps, login);

async function applicationIdOf(deps: Deps, text: string): Promise<number | "several" | null> {
  const byUid = await findByUid(deps, text);
  if (byUid !== null) return byUid.id;
  const ids = await applications.idsNamed(deps, text);
  return ids.length > 1 ? "several" : (ids[0] ?? null);
}

/** Returns one page of audit events, newest first. The function runs at most five database queries. */
export async function listEvents(
  deps: Deps,
  filter: audit.EventFilter,
  paging: KeysetPaging<audit.EventKey>,
): Promise<KeysetPage<Event>> {
  const page = keysetPageFrom(paging, await audit.listEvents(deps, { filter, paging }));
  return { ...page, rows: await named(deps, page.rows) };
}

/**
 * Returns all audit events that match a filter, in batches, newest first. A batch is read only after the
 * caller has consumed the previous batch.
 */
export async function* eventsInBatches(
  deps: Deps,
  filter: audit.EventFilter,
  most: number,
): AsyncGenerator<readonly Event[], void> {
  let cursor: Cursor<audit.EventKey> | null = null;
  for (;;) {
    const paging: KeysetPaging<audit.EventKey> = { kind: "keyset", cursor, descending: true, perPage: most };
    const { rows, hasNext } = keysetPageFrom(paging, await audit.listEvents(deps, { filter, paging }));
    if (rows.length > 0) yield await named(deps, rows);
    const last = rows.at(-1);
    if (last === undefined || !hasNext) return;
    cursor = { direction: "next", key: last };
  }
}

async function named(deps: Deps, rows: readonly audit.StoredEvent[]): Promise<readonly Event[]> {
  const ids = (key: "userId" | "actorId" | "applicationId") => rows.flatMap((row) => row[key] ?? []);
  const [users, clients] = await Promise.all([
    usernamesOf(deps, [...ids("userId"), ...ids("actorId")]),
    applications.namesOf(deps, ids("applicationId")),
  ]);
  const userIds = [...ids("userId"), ...ids("actorId")];
  const missing = userIds.filter((id) => !users.has(id));
  const from = (names: ReadonlyMap<number, string>, id: number | null): EventSubject | null =>
    id === null ? null : { id, name: names.get(id) ?? null };
  const deleted = await audit.deletedUsernames(deps, missing);
  const userAt = (id: number | null): EventSubject | null => {
    const name = id === null ? undefined : deleted.get(id);
    return name === undefined || id === null ? from(users, id) : { id, name, isDeleted: true };
  };
  return rows.map(({ id, at, name, details, byCommandLine, ...about }) => ({
    id,
    at,
    name,
    label: labelOf(name),
    sentence: describeEvent(name, details),
    actor: byCommandLine ? null : userAt(about.actorId ?? about.userId),
    byCommandLine,
    user: userAt(about.userId),
    application: from(clients, about.applicationId),
    details,
  }));
}
