import { notFound } from "next/navigation";
import { heldFormOf, requireSession } from "@/identity/sessions/loaders";
import { isOn } from "@/instance/flags/service";
import { systemDeps } from "@/kernel/deps/deps";
import { cursorIn, neighbours, type Query, readId, urlWithQuery } from "@/kernel/paging/keyset";
import { secretsOf } from "../applications/client-secret";
import type { ApplicationDraft, ApplicationSecret, ShownApplication } from "../applications/rules";
import { idFrom, readApplicationForm } from "../applications/schema";
import * as applications from "../applications/service";
import { type Snippet, snippetsFor } from "../applications/snippets";
import { type Template, templateNamed } from "../applications/template";
import { type FailedExchange, recentFailures } from "../failed-exchanges/failed-exchange";
import { type ApplicationUsage, usageOf } from "../tokens/service";

const HOME = "/user_settings/applications";

export type ApplicationsPage = Readonly<{
  applications: readonly ShownApplication[];
  newer: string | null;
  older: string | null;
  now: Date;
}>;

/** One page of the signed-in person's applications. */
export async function loadApplications(query: Query): Promise<ApplicationsPage> {
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const slice = await applications.listOwn(deps, user, cursorIn(query, readId));
  return {
    applications: slice.rows,
    now: deps.clock(),
    ...neighbours(
      slice,
      ({ id }) => String(id),
      (beside) => urlWithQuery(HOME, beside),
    ),
  };
}

/** Whether the signed-in person may register an application. */
export async function loadRegistrationIsOpen(): Promise<boolean> {
  await requireSession(`${HOME}/new`);
  return applications.registrationIsOpen(systemDeps());
}

/** What the form for a new application begins with; null while registering is switched off. */
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

/** The form of an application as it was sent before a re-authentication; null when nothing was. */
async function heldDraft(page: string): Promise<ApplicationDraft | null> {
  const held = await heldFormOf(page);
  return held?.has("redirect_uris") ? readApplicationForm(held) : null;
}

/** One of the signed-in person's applications, for the page that changes it, with what it was sent before. */
export async function loadApplicationEdit(id: string) {
  const { application, plainHttp } = await loadApplication(id);
  const page = `${HOME}/${application.id}/edit`;
  const stored = { ...application, redirectUris: application.redirectUris.join("\n") };
  const picture = (await heldFormOf(page))?.get("logo");
  return {
    application,
    plainHttp,
    draft: (await heldDraft(page)) ?? stored,
    heldLogo: picture instanceof File && picture.size > 0 ? picture.name : null,
  };
}

/** One of the signed-in person's applications, for its form; for anything else the page does not exist. */
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

/** An application as its owner sees it. */
export type OwnApplication = Readonly<{
  application: ShownApplication;
  secrets: readonly ApplicationSecret[];
  usage: ApplicationUsage;
  failures: readonly FailedExchange[];
  snippets: readonly Snippet[];
  now: Date;
}>;

const FAILURES_SHOWN = 20;

/** One of the signed-in person's applications with all that its page shows. */
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
