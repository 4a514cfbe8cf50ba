import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieName } from "@/kernel/http/cookie";
import { type PasskeyRequest, requestOptions } from "../two-factor/passkey";
import { enrolmentPath } from "../two-factor/rules";
import { twoFactorOf } from "../two-factor/service";
import { passwordCharactersMin } from "../users/rules";
import { signUpIsOpen } from "../users/sign-up";
import { CONFIRM, confirmPurpose } from "./confirm-form";
import { heldForm, holdForm, releaseForm } from "./held-form";
import { pendingPurpose, pendingSignIn } from "./pending-sign-in";
import { confirmPath, isRecentProof, signInPath } from "./rules";
import { enrolsFirst, type Session, sessionFormToken, sessionOf } from "./service";
import { PASSKEY_SIGN_IN } from "./session-form";
import { type SignUpDraft, signUpDraft } from "./sign-up-form";

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
export const formTokenFor = (session: Session, purpose: string): string =>
  sessionFormToken(systemDeps(), session, purpose);

/** What was typed into a sign-in form that was just refused; empty otherwise. */
export async function refusedLogin(): Promise<string> {
  const value = (await cookies()).get(cookieName(systemDeps().config, "login"))?.value ?? "";
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}

/** What the sign-in page offers beside a password. */
export async function loadSignIn(): Promise<Readonly<{ passkey: PasskeyRequest; signUpOpen: boolean }>> {
  const deps = systemDeps();
  return { passkey: await requestOptions(deps, PASSKEY_SIGN_IN, null), signUpOpen: await signUpIsOpen(deps) };
}

/** Whose second factor is asked for, and what they have of it. */
export type SecondFactor = Readonly<{
  username: string;
  totp: boolean;
  /** Null for a person without a passkey. */
  passkey: PasskeyRequest | null;
}>;

/** The sign-in that waits for its second factor; without one the person begins anew. */
export async function loadSecondFactor(returnTo: string): Promise<SecondFactor> {
  const deps = systemDeps();
  const pending = await pendingSignIn(deps, (await headers()).get("cookie"));
  if (pending === null) redirect(signInPath({ returnTo, again: true, problem: { problem: "expired" } }));
  const { totp, passkeys } = await twoFactorOf(deps, pending.user);
  const passkey =
    passkeys.length === 0 ? null : await requestOptions(deps, pendingPurpose(pending), pending.user);
  return { username: pending.user.username, totp, passkey };
}

/** How the person of this session proves anew who they are; `factor` is null for one who does it by password. */
export async function loadConfirm(
  returnTo: string,
): Promise<Readonly<{ username: string; formToken: string; factor: Omit<SecondFactor, "username"> | null }>> {
  const deps = systemDeps();
  // Signing in is a proof too, and leads to the same place.
  const session = await requireSessionToEnrol(returnTo);
  const { user } = session;
  const proof = { username: user.username, formToken: sessionFormToken(deps, session, CONFIRM) };
  if (!user.twoFactor) return { ...proof, factor: null };
  const { totp, passkeys } = await twoFactorOf(deps, user);
  const passkey = passkeys.length === 0 ? null : await requestOptions(deps, confirmPurpose(session), user);
  return { ...proof, factor: { totp, passkey } };
}

/** What the form for a new account shows; null while nobody may register. */
export async function loadSignUp(): Promise<Readonly<{
  draft: SignUpDraft | null;
  passwordCharactersMin: number;
}> | null> {
  const deps = systemDeps();
  const settings = await readSettings(deps);
  if (!settings.signup_enabled) return null;
  return {
    draft: signUpDraft(deps, (await headers()).get("cookie")),
    passwordCharactersMin: passwordCharactersMin(settings, false),
  };
}
