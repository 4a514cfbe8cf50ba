import { notFound } from "next/navigation";
import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import * as users from "@/identity/users/administration";
import { systemDeps } from "@/kernel/deps/deps";
import { addressOf, cursorIn, neighbours, type Query, readId, textOf } from "@/kernel/paging/keyset";
import * as applications from "@/oauth/applications/administration";
import { readPersonForm } from "./schema";

/** A form for a new user that was held; only its administrator sees the password again. */
type HeldPerson = ReturnType<typeof readPersonForm>;

export const USERS = "/admin/users";
export const APPLICATIONS = "/admin/applications";

const SEARCH_CHARACTERS_MAX = 100;

const searchIn = (query: Query): string => textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);

/** One page of the instance's people, for an administrator. */
export async function loadPeople(query: Query) {
  await requireAdmin(USERS);
  const deps = systemDeps();
  const search = searchIn(query);
  const slice = await users.listPeople(deps, search, cursorIn(query, readId));
  const pager = neighbours(
    slice,
    ({ id }) => String(id),
    (cursor) => addressOf(USERS, { search, ...cursor }),
  );
  const pendingEmails = await users.listPendingEmails(deps);
  return { people: slice.rows, pendingEmails, search, pager, now: deps.clock() };
}

/** The form for a new user as it was sent before a re-authentication; null when nothing was. */
export async function loadNewPerson(): Promise<HeldPerson | null> {
  await requireAdmin(`${USERS}/new`);
  const held = await heldFormOf(`${USERS}/new`);
  return held && readPersonForm(held);
}

/** One person, for an administrator; an unknown id is no page. */
export async function loadPerson(id: string) {
  const { user } = await requireAdmin(`${USERS}/${encodeURIComponent(id)}`);
  const deps = systemDeps();
  const known = readId(id);
  const person = known === null ? null : await users.findPerson(deps, known);
  if (person === null) notFound();
  const dependent = await applications.applicationsDependentOn(deps, person);
  return { person, dependent, self: user.id === known, now: deps.clock() };
}

/** One page of the instance's applications, for an administrator. */
export async function loadEverybodys(query: Query) {
  await requireAdmin(APPLICATIONS);
  const deps = systemDeps();
  const search = searchIn(query);
  const slice = await applications.listEverybodys(deps, search, cursorIn(query, readId));
  const pager = neighbours(
    slice,
    ({ id }) => String(id),
    (cursor) => addressOf(APPLICATIONS, { search, ...cursor }),
  );
  return { applications: slice.rows, search, pager, now: deps.clock() };
}

/** Anybody's application, for an administrator; an unknown id is no page. */
export async function loadAnybodys(id: string) {
  await requireAdmin(`${APPLICATIONS}/${encodeURIComponent(id)}`);
  const deps = systemDeps();
  const known = readId(id);
  const application = known === null ? null : await applications.findAnybodys(deps, known);
  return { application: application ?? notFound(), now: deps.clock() };
}
