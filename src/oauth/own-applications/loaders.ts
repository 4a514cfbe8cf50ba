import { notFound } from "next/navigation";
import { heldFormOf, requireSession, shownOnce } from "@/identity/sessions/loaders";
import { isOn } from "@/instance/flags/service";
import { readPeriod } from "@/instance/statistics/rules";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/paging/keyset";
import { pageIn } from "@/kernel/paging/page-number";
import { activityOf } from "../applications/activity";
import { secretsOf } from "../applications/client-secret";
import { listOwn, OWN_PER_PAGE } from "../applications/own-list";
import {
  type ApplicationDraft,
  type ApplicationSecret,
  OWN_SORTS,
  type OwnSort,
  type ShownApplication,
} from "../applications/rules";
import { idFrom, readApplicationForm } from "../applications/schema";
import * as applications from "../applications/service";
import type { Snippet } from "../applications/snippet";
import { environmentOf, snippetsFor, withSecret } from "../applications/snippets";
import { type Template, templateNamed } from "../applications/template";
import { countConsentsOf } from "../consents/service";
import { type FailedExchange, recentFailures } from "../failed-exchanges/failed-exchange";
import { type ApplicationUsage, usageOf } from "../tokens/service";
import { secretPageOf } from "./secret-page-path";

const HOME = "/user_settings/applications";

/** A page of the applications of the signed-in user. */
export type ApplicationsPage = Readonly<{
  applications: readonly (ShownApplication & Readonly<{ users: number }>)[];
  total: number;
  search: string;
  sort: OwnSort;
  page: number;
  /** The number of pages; at least 1. */
  pages: number;
  now: Date;
}>;

/** Returns a page of the applications of the signed-in user, with the number of users of each application. */
export async function loadApplications(query: Query): Promise<ApplicationsPage> {
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, 100);
  const sort = OWN_SORTS.find((each) => each === textOf(query, "sort")) ?? "newest";
  const page = pageIn(query);
  const { rows, total } = await listOwn(deps, user, { search, sort, page });
  const users = await countConsentsOf(
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
    now: deps.clock(),
  };
}

/** Returns whether users may register applications. */
export async function loadRegistrationIsOpen(): Promise<boolean> {
  await requireSession(`${HOME}/new`);
  return applications.registrationIsOpen(systemDeps());
}

/** Returns the initial values of the registration form; null while registration is disabled. */
export async function loadRegistration(
  name: string | readonly string[] | undefined,
): Promise<Readonly<{ template: Template; plainHttp: boolean }> | null> {
  if (!(await loadRegistrationIsOpen())) return null;
  const template = templateNamed(name);
  const held = await heldDraft(`${HOME}/new`);
  return {
    template: held === null ? template : { ...template, draft: held },
    plainHttp: applications.allowsPlainHttp(systemDeps()),
  };
}

/** Returns the application form that was submitted before a re-authentication, or null. */
async function heldDraft(page: string): Promise<ApplicationDraft | null> {
  const held = await heldFormOf(page);
  return held?.has("redirect_uris") ? readApplicationForm(held) : null;
}

/**
 * Returns an application of the signed-in user for its edit page, with the form that was submitted before a
 * re-authentication.
 */
export async function loadApplicationEdit(id: string) {
  const { application, plainHttp } = await loadApplication(id);
  const page = `${HOME}/${application.id}/edit`;
  const { user } = await requireSession(page);
  const authentication = await applications.authenticationOf(systemDeps(), user, application);
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
 * Returns an application of the signed-in user. Ends the request with 404 when the user has no such
 * application.
 */
export async function loadApplication(
  id: string,
): Promise<Readonly<{ application: ShownApplication; plainHttp: boolean }>> {
  const { user } = await requireSession(`${HOME}/${encodeURIComponent(id)}`);
  const application = await applications.findOwn(systemDeps(), user, idFrom(id));
  return {
    application: application ?? notFound(),
    plainHttp: applications.allowsPlainHttp(systemDeps()),
  };
}

/** The data of an application's own page. */
export type OwnApplication = Readonly<{
  application: ShownApplication;
  secrets: readonly ApplicationSecret[];
  usage: ApplicationUsage;
  failures: readonly FailedExchange[];
  snippets: readonly Snippet[];
  now: Date;
}>;

/** Returns the activity of an application of the signed-in user, for the period of the query. */
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
    /** Whether the application has another secret, which still works. */
    isSecond: boolean;
  }> | null;
}>;

/** Returns the new secret of an application of the signed-in user, once. */
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

/** Returns the data for the page that shows an application to its signed-in owner. */
export async function loadOwnApplication(id: string): Promise<OwnApplication> {
  const { application } = await loadApplication(id);
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const [secrets, usage, failures, deviceGrant] = await Promise.all([
    secretsOf(deps, user, application.id),
    usageOf(deps, application.id),
    recentFailures(deps, user, application.id, FAILURES_SHOWN),
    isOn(deps, "oauth2_device_grant_flow"),
  ]);
  const snippets = snippetsFor(deps.config.issuer, application, deviceGrant);
  return { application, secrets, usage, failures, snippets, now: deps.clock() };
}
