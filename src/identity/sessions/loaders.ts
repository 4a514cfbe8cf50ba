import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId } from "@/kernel/http/query";
import { keysetLinks, keysetPagingIn, type PageLinks } from "@/kernel/paging/links";
import { heldForm, holdForm, holdSecret, releaseForm, takeSecret } from "./held-form";
import { type OwnSession, ownSessions } from "./own-sessions";
import { isRecentlyAuthenticated } from "./rules";
import { enrollsFirst, type Session, sessionCsrfToken, sessionOf } from "./service";
import { SessionEnded } from "./sessions-ended";
import { confirmPath, signInPath } from "./sign-in-path";
import { enrollmentPath } from "./two-factor-enrollment";

const HOME = "/user_settings/sessions";
const SESSIONS_MAX = 20;

/** A page of the sessions of the signed-in user. */
export type SessionsPage = PageLinks &
  Readonly<{
    sessions: readonly OwnSession[];
    now: Date;
  }>;

export async function loadSessions(query: Query): Promise<SessionsPage> {
  const session = await requireSession(HOME);
  const deps = systemDeps();
  const slice = await ownSessions(deps, session, keysetPagingIn(query, SESSIONS_MAX, readId));
  return {
    sessions: slice.rows,
    now: deps.clock(),
    ...keysetLinks(slice, ({ id }) => String(id), HOME),
  };
}

/**
 * Returns the session of the current request; null if the request has no session. The session is read from
 * the database only once for each request.
 */
export const currentSession = cache(
  async (): Promise<Session | null> => sessionOf(systemDeps(), (await headers()).get("cookie")),
);

/**
 * Returns the session of the current request. A visitor without a session is redirected to the sign-in page,
 * and after the sign-in to `path`. A user who must set up a second factor is redirected to the two-factor
 * page first.
 */
export async function requireSession(path: string): Promise<Session> {
  const session = await requireSessionToEnroll(path);
  if (await enrollsFirst(systemDeps(), session)) redirect(enrollmentPath(path));
  return session;
}

/**
 * Returns the session of a request for a public page, with the checks of `requireSession`; null for a visitor
 * without a session.
 */
export const sessionIfAny = async (path: string): Promise<Session | null> =>
  (await currentSession()) === null ? null : requireSession(path);

/**
 * Returns the session of the current request, for the pages on which a user sets up a second factor. A
 * visitor without a session is redirected to the sign-in page, and after the sign-in to `path`.
 */
export async function requireSessionToEnroll(path: string): Promise<Session> {
  const session = await currentSession();
  if (session === null) redirect(signInPath({ returnTo: path }));
  return session;
}

/**
 * Returns the session of the current request, like `requireSessionToEnroll`. A user without a recent
 * authentication is redirected to the re-authentication page.
 */
export async function requireRecentAuthentication(path: string): Promise<Session> {
  const session = await requireSessionToEnroll(path);
  if (!isRecentlyAuthenticated(session.signedInAt, systemDeps().clock()))
    redirect(confirmPath({ returnTo: path }));
  return session;
}

/**
 * Returns the session of the current request, like `requireRecentAuthentication`, for pages that change
 * second factors. A user must re-authenticate first if another provider may have signed the user in without a
 * new authentication. The re-authentication is necessary because the new second factor is accepted for later
 * sign-ins.
 */
export async function requireConfirmedAuthentication(path: string): Promise<Session> {
  const session = await requireRecentAuthentication(path);
  if (!session.isConfirmed) redirect(confirmPath({ returnTo: path }));
  return session;
}

/** Returns the session of an administrator. Other signed-in users get the status 404. */
export async function requireAdmin(path: string): Promise<Session> {
  const session = await requireSession(path);
  return session.user.admin ? session : notFound();
}

type Require = (path: string) => Promise<Session>;

/**
 * Returns the path of the page that shows the posted form. After a re-authentication, the browser is
 * redirected to the path of this page.
 */
type PageOf = (form: FormData) => string;

/**
 * Runs a function that changes data, if the session has a recent authentication. Without a recent
 * authentication, the function stores the submitted form and redirects the user to the re-authentication
 * page.
 * @param posted the submitted form. A value that is not a form, which only a forged request contains, is
 * handled as an empty form.
 */
async function writeReauthenticated<Result>(
  require: Require,
  pageOf: PageOf,
  posted: FormData,
  run: (session: Session, form: FormData) => Promise<Result>,
): Promise<Result> {
  const deps = systemDeps();
  const form = posted instanceof FormData ? posted : new FormData();
  const page = pageOf(form);
  const session = await require(page);
  if (!isRecentlyAuthenticated(session.signedInAt, deps.clock())) {
    await holdForm(deps, session, page, form);
    redirect(confirmPath({ returnTo: page, repeat: true }));
  }
  try {
    return await run(session, form);
  } catch (cause) {
    if (cause instanceof SessionEnded) redirect(signInPath({ returnTo: page }));
    throw cause;
  } finally {
    // If the stored form cannot be deleted, the action still succeeds, because its result may contain a
    // secret that is shown only once. A stored form that cannot be deleted expires later.
    await releaseForm(deps, session, page).catch((cause) =>
      deps.log.error({ event: "held_form.not_released" }, cause),
    );
  }
}

/** A server action that redirects to another page. */
type Action = (form: FormData) => Promise<void>;
/** A server action for the hook `useActionState`. */
type FormAction<State> = (before: State, form: FormData) => Promise<State>;

const actionFor =
  (require: Require) =>
  (pageOf: PageOf, run: (session: Session, form: FormData) => Promise<void>): Action =>
  (form) =>
    writeReauthenticated(require, pageOf, form, run);

const formActionFor =
  (require: Require) =>
  <State>(pageOf: PageOf, run: (session: Session, form: FormData) => Promise<State>): FormAction<State> =>
  (_before, form) =>
    writeReauthenticated(require, pageOf, form, run);

/**
 * `adminAction` and `adminFormAction` create all server actions of the administration. Each server action of
 * the administration checks the administrator rights and the age of the authentication.
 */
export const adminAction = actionFor(requireAdmin);
export const adminFormAction = formActionFor(requireAdmin);

/**
 * The functions that create server actions for all users. The actions require a recent authentication,
 * because they change, for example, application secrets and redirect URIs.
 */
export const reauthenticatedAction = actionFor(requireSession);
export const reauthenticatedFormAction = formActionFor(requireSession);

/**
 * Returns the form that a page of this session submitted before the re-authentication; null if no form is
 * stored.
 */
export async function heldFormOf(page: string): Promise<FormData | null> {
  const session = await currentSession();
  return session === null ? null : heldForm(systemDeps(), session, page);
}

/**
 * Stores a new secret for the page that shows the secret once. If the form was submitted without JavaScript,
 * the function redirects to the page that shows the secret.
 * @returns the path of the page that shows the secret. The script of the form opens this path by a full page
 * load. A redirect of a server action is not used, because the router would keep the page in memory, and the
 * back button could show the secret again.
 */
export async function showOnce(session: Session, page: string, secret: string): Promise<string> {
  await holdSecret(systemDeps(), session, page, secret);
  if (!(await headers()).has("next-action")) redirect(page);
  return page;
}

/**
 * Returns the secret that `showOnce` has stored for this page. Only the first call returns the secret, and
 * every later call returns null.
 */
export const shownOnce = (session: Session, page: string): Promise<string | null> =>
  takeSecret(systemDeps(), session, page);

/** Returns the CSRF token of a form, which is bound to this session and this purpose. */
export const csrfTokenFor = (session: Session, purpose: string): string =>
  sessionCsrfToken(systemDeps(), session, purpose);
