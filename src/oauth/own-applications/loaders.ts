import { notFound, redirect } from "next/navigation";
import { heldFormOf, requireSession, shownOnce } from "@/identity/sessions/loaders";
import { isOn } from "@/instance/flags/service";
import { readPeriod } from "@/instance/statistics/rules";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import { offsetPagingIn } from "@/kernel/paging/links";
import { type ApplicationBot, botOf } from "../application-bots/service";
import { activityOf } from "../applications/activity";
import { secretsOf } from "../applications/client-secret";
import { listOwn, newestOwn, OWN_PER_PAGE } from "../applications/own-list";
import {
  type ApplicationDraft,
  type ApplicationSecret,
  type ManagedApplication,
  OWN_SORTS,
  type OwnSort,
  type ShownApplication,
} from "../applications/rules";
import { idFrom, readApplicationForm, readApplicationQuery } from "../applications/schema";
import * as applications from "../applications/service";
import type { Snippet } from "../applications/snippet";
import { environmentOf, snippetsFor, withSecret } from "../applications/snippets";
import { type Template, templateNamed } from "../applications/template";
import { type FailedExchange, recentFailures } from "../failed-exchanges/failed-exchange";
import { type ApplicationUsage, countUsersOf, usageOf } from "../tokens/service";
import { type LogoutDelivery, logoutDeliveriesOf } from "./logout-deliveries";
import { secretPageOf } from "./secret-page-path";

const HOME = "/user_settings/applications";

/** A page of the applications of the signed-in user, or of a group. */
export type ApplicationsPage = Readonly<{
  applications: readonly (ShownApplication & Readonly<{ users: number }>)[];
  total: number;
  search: string;
  sort: OwnSort;
  page: number;
  /** The number of pages; at least 1. */
  pages: number;
  /** The URL path of the list of applications. */
  path: string;
  now: Date;
}>;

/** Returns a page of the applications that the signed-in user owns or maintains. */
export async function loadApplications(
  query: Query,
): Promise<ApplicationsPage & Readonly<{ userId: number }>> {
  const { user } = await requireSession(HOME);
  const prefill = prefillOf(query);
  // GitLab shows the registration form on the same page as the list of applications. Programs therefore link
  // to the page with the list of applications, and pass the values of the registration form in the query.
  if (PREFILL.some((name) => prefill[name] !== "")) redirect(urlWithQuery(`${HOME}/new`, prefill));
  return { ...(await listHeld({ kind: "manager", id: user.id }, HOME, query)), userId: user.id };
}

/** Returns the newest applications that the signed-in user owns or maintains, at most `most`. */
export async function loadNewestApplications(most: number) {
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const applications = await newestOwn(deps, { kind: "manager", id: user.id }, most);
  return { applications, now: deps.clock() };
}

/**
 * Returns a page of the applications of a user or of a group, with the number of users of each application.
 */
export async function listHeld(
  holder: Parameters<typeof listOwn>[1],
  path: string,
  query: Query,
): Promise<ApplicationsPage> {
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, 100);
  const sort = OWN_SORTS.find((each) => each === textOf(query, "sort")) ?? "newest";
  const { page } = offsetPagingIn(query, OWN_PER_PAGE);
  const { rows, total } = await listOwn(deps, holder, { search, sort, page });
  const users = await countUsersOf(
    deps,
    rows.map(({ id }) => id),
  );
  return {
    applications: rows.map((row) => ({ ...row, users: users.get(row.id) ?? 0 })),
    total,
    search,
    sort,
    page,
    pages: Math.max(1, Math.ceil(total / OWN_PER_PAGE)),
    path,
    now: deps.clock(),
  };
}

/** Returns whether users may register applications. */
export async function loadRegistrationIsOpen(path = HOME): Promise<boolean> {
  await requireSession(path);
  return applications.registrationIsOpen(systemDeps());
}

/** The initial values of the registration form. */
export type RegistrationPage = Readonly<{ template: Template; plainHttp: boolean }>;

/** Returns the initial values of the registration form; null while registration is disabled. */
export const loadRegistration = async (query: Query): Promise<RegistrationPage | null> =>
  (await loadRegistrationIsOpen(urlWithQuery(`${HOME}/new`, prefillOf(query))))
    ? registrationAt(`${HOME}/new`, query)
    : null;

/** Returns the query parameters that contain values for the registration form. */
const prefillOf = (query: Query): Readonly<Record<string, string>> =>
  Object.fromEntries(PREFILL.map((name) => [name, textOf(query, name)]));

const PREFILL = ["name", "redirect_uri", "scopes"] as const;

/**
 * Returns the initial values of the registration form on a page. The result contains the values that were
 * submitted before a re-authentication, or the values of the query and of the template.
 */
export async function registrationAt(page: string, query: Query): Promise<RegistrationPage> {
  const template = templateNamed(query["template"]);
  const draft = (await heldDraft(page)) ?? { ...template.draft, ...readApplicationQuery(query) };
  return { template: { ...template, draft }, plainHttp: applications.allowsPlainHttp(systemDeps()) };
}

/**
 * Returns the application form that was submitted before a re-authentication; null if no application form was
 * submitted.
 */
async function heldDraft(page: string): Promise<ApplicationDraft | null> {
  const held = await heldFormOf(page);
  return held?.has("redirect_uris") ? readApplicationForm(held) : null;
}

/**
 * Returns the data of the page on which the signed-in user edits an application. The application form
 * contains the values that were submitted before a re-authentication, or the stored values.
 */
export async function loadApplicationEdit(id: string) {
  const { application, plainHttp } = await loadApplication(id);
  const page = `${HOME}/${application.id}/edit`;
  const authentication = await applications.authenticationOf(systemDeps(), application);
  const stored = { ...application, redirectUris: application.redirectUris.join("\n"), authentication };
  const picture = (await heldFormOf(page))?.get("logo");
  return {
    application,
    plainHttp,
    draft: (await heldDraft(page)) ?? stored,
    heldLogo: picture instanceof File && picture.size > 0 ? picture.name : null,
  };
}

/**
 * Returns an application that the signed-in user manages. Responds with 404 when the user does not manage the
 * application.
 */
export async function loadApplication(
  id: string,
): Promise<Readonly<{ application: ManagedApplication; plainHttp: boolean }>> {
  const { user } = await requireSession(`${HOME}/${encodeURIComponent(id)}`);
  const application = await applications.findOwn(systemDeps(), user, idFrom(id));
  return {
    application: application ?? notFound(),
    plainHttp: applications.allowsPlainHttp(systemDeps()),
  };
}

/** The data for the page that shows one application. */
export type OwnApplication = Readonly<{
  application: ManagedApplication;
  secrets: readonly ApplicationSecret[];
  usage: ApplicationUsage;
  failures: readonly FailedExchange[];
  /**
   * The last logout tokens that were sent to the application; null for an application that receives no logout
   * tokens.
   */
  logouts: readonly LogoutDelivery[] | null;
  snippets: readonly Snippet[];
  /** The bot user of the application; null for an application that never had a bot. */
  bot: ApplicationBot | null;
  now: Date;
}>;

/** Returns the activity of an application of the signed-in user, for the period that the query names. */
export async function loadApplicationActivity(id: string, query: Query) {
  const { application } = await loadApplication(id);
  const period = readPeriod(textOf(query, "period"));
  const activity = await activityOf(systemDeps(), application.uid, period);
  return { activity, period, path: `${HOME}/${application.id}` };
}

/** The data of the page that shows a new secret; `secret` is null when the page has already shown the secret. */
export type SecretPage = Readonly<{
  application: ShownApplication;
  secret: Readonly<{
    value: string;
    /** The content of an environment file with the credentials. */
    environment: string;
    snippets: readonly Snippet[];
    /** Whether the application has another secret that still works. */
    isSecond: boolean;
  }> | null;
}>;

/** Returns the new secret of an application of the signed-in user. Each secret is returned only once. */
export async function loadNewSecret(id: string): Promise<SecretPage> {
  const { application } = await loadApplication(id);
  const page = secretPageOf(application.id);
  const session = await requireSession(page);
  const deps = systemDeps();
  const value = await shownOnce(session, page);
  if (value === null) return { application, secret: null };
  const [secrets, deviceGrant] = await Promise.all([
    secretsOf(deps, session.user, application.id),
    isOn(deps, "oauth2_device_grant_flow"),
  ]);
  const { issuer } = deps.config;
  const snippets = withSecret(snippetsFor(issuer, application, deviceGrant), value);
  const environment = environmentOf(issuer, application, value);
  return { application, secret: { value, environment, snippets, isSecond: secrets.length > 1 } };
}

const FAILURES_SHOWN = 20;

/** Returns the data for the page that shows an application to a user who manages it. */
export async function loadOwnApplication(id: string): Promise<OwnApplication> {
  const { application } = await loadApplication(id);
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const [secrets, usage, failures, logouts, deviceGrant, bot] = await Promise.all([
    secretsOf(deps, user, application.id),
    usageOf(deps, application.id),
    recentFailures(deps, user, application.id, FAILURES_SHOWN),
    logoutDeliveriesOf(deps, application),
    isOn(deps, "oauth2_device_grant_flow"),
    botOf(deps, application.id),
  ]);
  const snippets = snippetsFor(deps.config.issuer, application, deviceGrant);
  return { application, secrets, usage, failures, logouts, snippets, bot, now: deps.clock() };
}
