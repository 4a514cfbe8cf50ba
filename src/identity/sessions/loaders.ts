import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { systemDeps } from "@/kernel/deps/deps";
import { cursorIn, neighbours, type Query, readId, urlWithQuery } from "@/kernel/paging/keyset";
import { enrolmentPath } from "./enrolment";
import { heldForm, holdForm, releaseForm } from "./held-form";
import { type OwnSession, ownSessions } from "./own-sessions";
import { isRecentProof } from "./rules";
import { enrolsFirst, type Session, sessionCsrfToken, sessionOf } from "./service";
import { confirmPath, signInPath } from "./sign-in-path";

const HOME = "/user_settings/sessions";
const SESSIONS_MAX = 20;

/** A page of the sessions of the signed-in person. */
export type SessionsPage = Readonly<{
  sessions: readonly OwnSession[];
  newer: string | null;
  older: string | null;
  now: Date;
}>;

export async function loadSessions(query: Query): Promise<SessionsPage> {
  const session = await requireSession(HOME);
  const deps = systemDeps();
  const slice = await ownSessions(deps, session, cursorIn(query, readId), SESSIONS_MAX);
  return {
    sessions: slice.rows,
    now: deps.clock(),
    ...neighbours(
      slice,
      ({ id }) => String(id),
      (beside) => urlWithQuery(HOME, beside),
    ),
  };
}

/** The session of this request, looked up once however many components ask. */
export const currentSession = cache(
  async (): Promise<Session | null> => sessionOf(systemDeps(), (await headers()).get("cookie")),
);

/**
 * The session of this request; without one the person goes to sign in and comes back to `path`. Where the instance
 * requires a second factor and the person has none, they go to set it up first.
 */
export async function requireSession(path: string): Promise<Session> {
  const session = await requireSessionToEnrol(path);
  if (await enrolsFirst(systemDeps(), session)) redirect(enrolmentPath(path));
  return session;
}

/** For pages that everybody may look at: as `requireSession`, but null for whom is not signed in. */
export const sessionIfAny = async (path: string): Promise<Session | null> =>
  (await currentSession()) === null ? null : requireSession(path);

/** As `requireSession`, for the pages on which a second factor is set up. */
export async function requireSessionToEnrol(path: string): Promise<Session> {
  const session = await currentSession();
  if (session === null) redirect(signInPath({ returnTo: path }));
  return session;
}

/** As `requireSessionToEnrol`; a person who has not proved for a while who they are does that first. */
export async function requireRecentProof(path: string): Promise<Session> {
  const session = await requireSessionToEnrol(path);
  if (!isRecentProof(session.signedInAt, systemDeps().clock())) redirect(confirmPath({ returnTo: path }));
  return session;
}

/** The session of an administrator; for anybody else who is signed in there is no such page. */
export async function requireAdmin(path: string): Promise<Session> {
  const session = await requireSession(path);
  return session.user.admin ? session : notFound();
}

type Require = (path: string) => Promise<Session>;

/** The path of the page that a form is on: there the person re-authenticates and comes back to. */
type PageOf = (form: FormData) => string;

/**
 * Runs a write in a session with a recent proof. Without one, the posted form is held for its page, and the person
 * goes to re-authenticate first.
 * @param sent the form; a forged request can send anything else, which counts as an empty one.
 */
async function writeProven<Result>(
  require: Require,
  pageOf: PageOf,
  sent: FormData,
  run: (session: Session, form: FormData) => Promise<Result>,
): Promise<Result> {
  const deps = systemDeps();
  const form = sent instanceof FormData ? sent : new FormData();
  const page = pageOf(form);
  const session = await require(page);
  if (!isRecentProof(session.signedInAt, deps.clock())) {
    await holdForm(deps, session, page, form);
    redirect(confirmPath({ returnTo: page, repeat: true }));
  }
  try {
    return await run(session, form);
  } finally {
    // The write holds, and its page may show a secret for the only time. A form that stays expires by itself.
    await releaseForm(deps, session, page).catch((cause) =>
      deps.log.error({ event: "held_form.not_released" }, cause),
    );
  }
}

/** A server action that leads to another page. */
type Action = (form: FormData) => Promise<void>;
/** A server action of `useActionState`. */
type FormAction<State> = (before: State, form: FormData) => Promise<State>;

const actionFor =
  (require: Require) =>
  (pageOf: PageOf, run: (session: Session, form: FormData) => Promise<void>): Action =>
  (form) =>
    writeProven(require, pageOf, form, run);

const formActionFor =
  (require: Require) =>
  <State>(pageOf: PageOf, run: (session: Session, form: FormData) => Promise<State>): FormAction<State> =>
  (_before, form) =>
    writeProven(require, pageOf, form, run);

/** Every server action of the administration is made by one of these two: none can forget the right or the proof. */
export const adminAction = actionFor(requireAdmin);
export const adminFormAction = formActionFor(requireAdmin);

/** The same for writes of anybody that need a recent proof: the secrets and redirect URIs of applications. */
export const provenAction = actionFor(requireSession);
export const provenFormAction = formActionFor(requireSession);

/** The form that a page of this session posted before the re-authentication; null when there is none. */
export async function heldFormOf(page: string): Promise<FormData | null> {
  const session = await currentSession();
  return session === null ? null : heldForm(systemDeps(), session, page);
}

/** The token of a form that is bound to this session and this purpose. */
export const csrfTokenFor = (session: Session, purpose: string): string =>
  sessionCsrfToken(systemDeps(), session, purpose);
