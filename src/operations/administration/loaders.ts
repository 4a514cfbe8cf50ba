import { notFound } from "next/navigation";
import { releaseForm } from "@/identity/sessions/held-form";
import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import { sessionsOfUser } from "@/identity/sessions/own-sessions";
import { twoFactorOf } from "@/identity/two-factor/service";
import { listPendingApprovals } from "@/identity/users/account-states";
import * as users from "@/identity/users/administration";
import { readPeriod } from "@/instance/statistics/rules";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf } from "@/kernel/http/query";
import { keysetLinks, keysetPagingIn } from "@/kernel/paging/links";
import { firstPage } from "@/kernel/paging/paging";
import { activityOf as applicationActivity } from "@/oauth/applications/activity";
import * as applications from "@/oauth/applications/administration";
import { newestOwned } from "@/oauth/applications/own-list";
import { logosOf } from "@/oauth/applications/service";
import { authorizedApplications } from "@/oauth/authorizations/authorized-application";
import { listPersonalTokens } from "@/oauth/personal-access-tokens/service";
import { identifiersOf } from "@/oauth/resource-servers/service";
import { listEvents } from "../audit/history";
import { deletionImpactOf } from "./deletion-impact";
import { readUserForm } from "./schema";

/**
 * The submitted form for a new user. The form is stored while the administrator re-authenticates. Only the
 * administrator who submitted the form sees the password again.
 */
type HeldUser = ReturnType<typeof readUserForm>;

export const USERS = "/admin/users";
export const APPLICATIONS = "/admin/applications";

/** The number of users or applications on one page of a list. */
const PER_PAGE = 20;

const SEARCH_CHARACTERS_MAX = 100;

const searchIn = (query: Query): string => textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);

/** Loads one page of the users of the instance, for an administrator. */
export async function loadUsers(query: Query) {
  await requireAdmin(USERS);
  const deps = systemDeps();
  const search = searchIn(query);
  const slice = await users.listUsersForAdministrators(deps, search, keysetPagingIn(query, PER_PAGE, readId));
  const pager = keysetLinks(slice, ({ id }) => String(id), USERS, { search });
  const pendingEmails = await users.listPendingEmails(deps);
  const pendingApprovals = await listPendingApprovals(deps);
  return { users: slice.rows, pendingApprovals, pendingEmails, search, pager, now: deps.clock() };
}

/**
 * Loads the values for a new user that the administrator submitted before a re-authentication; null if there
 * are none.
 */
export async function loadNewUser(): Promise<HeldUser | null> {
  await requireAdmin(`${USERS}/new`);
  const held = await heldFormOf(`${USERS}/new`);
  return held && readUserForm(held);
}

/** Loads a user, for an administrator; the response for an unknown id is 404. */
export async function loadUser(id: string) {
  const session = await requireAdmin(`${USERS}/${encodeURIComponent(id)}`);
  const deps = systemDeps();
  const userId = readId(id);
  const target = userId === null ? null : await users.findUser(deps, userId);
  if (target === null) notFound();
  const page = `${USERS}/${target.id}`;
  const held = await heldFormOf(page);
  const holdsPassword = held?.has("password") ?? false;
  // A page never contains a submitted password, so the administrator must enter the password again.
  if (holdsPassword) await releaseForm(deps, session, page);
  const heldEmail = held?.get("email");
  const [dependent, impact, activity] = await Promise.all([
    applications.applicationsDependentOn(deps, target),
    deletionImpactOf(deps, target),
    activityOf(deps, target),
  ]);
  return {
    user: target,
    dependent,
    impact,
    activity,
    self: session.user.id === target.id,
    heldEmail: typeof heldEmail === "string" ? heldEmail : null,
    holdsPassword,
    now: deps.clock(),
  };
}

/** The number of rows of each list on the page of a user. */
const ROWS_SHOWN = 5;

const NO_FILTER = { name: null, userId: null, applicationId: null, from: null, until: null } as const;

/** The sessions, tokens, applications, second factors and latest audit events of a user. */
export type UserActivity = Awaited<ReturnType<typeof activityOf>>;

async function activityOf(deps: Deps, user: users.ListedUser) {
  const newest = firstPage(ROWS_SHOWN, { descending: true });
  const active = { userId: user.id, search: null, active: true, revoked: null };
  const [sessions, tokens, authorized, own, twoFactor, events] = await Promise.all([
    sessionsOfUser(deps, user, ROWS_SHOWN),
    listPersonalTokens(deps, active, { kind: "offset", page: 1, perPage: ROWS_SHOWN }),
    authorizedApplications(deps, user.id, { perPage: ROWS_SHOWN }),
    newestOwned(deps, user.id, ROWS_SHOWN),
    twoFactorOf(deps, user),
    listEvents(deps, { ...NO_FILTER, userId: user.id }, newest),
  ]);
  return {
    sessions,
    tokens: { rows: tokens.rows, hasMore: (tokens.total ?? Number.POSITIVE_INFINITY) > tokens.rows.length },
    authorized: { rows: authorized.rows, hasMore: authorized.total > ROWS_SHOWN },
    own: { rows: own.rows, hasMore: own.total > ROWS_SHOWN },
    twoFactor,
    events: events.rows,
  };
}

/** Loads one page of the applications of the instance, for an administrator. */
export async function loadAllApplications(query: Query) {
  await requireAdmin(APPLICATIONS);
  const deps = systemDeps();
  const search = searchIn(query);
  const slice = await applications.listAllApplications(deps, search, keysetPagingIn(query, PER_PAGE, readId));
  const pager = keysetLinks(slice, ({ id }) => String(id), APPLICATIONS, { search });
  const logos = await logosOf(
    deps,
    slice.rows.map(({ id }) => id),
  );
  const rows = slice.rows.map((row) => ({ ...row, logo: logos.get(row.id) ?? null }));
  return { applications: rows, search, pager, now: deps.clock() };
}

/** Loads any application, for an administrator; the response for an unknown id is 404. */
export async function loadApplication(id: string, query: Query) {
  const path = `${APPLICATIONS}/${encodeURIComponent(id)}`;
  await requireAdmin(path);
  const deps = systemDeps();
  const applicationId = readId(id);
  const row =
    (applicationId === null ? null : await applications.findApplication(deps, applicationId)) ?? notFound();
  const application = { ...row, logo: (await logosOf(deps, [row.id])).get(row.id) ?? null };
  const period = readPeriod(textOf(query, "period"));
  const activity = { activity: await applicationActivity(deps, application.uid, period), period, path };
  const identifiers = application.resourceServer ? await identifiersOf(deps, application.id) : [];
  return { application, identifiers, activity, now: deps.clock() };
}
