import type { User } from "@/access/principal";
import { formToken, formTokenMatches } from "@/platform/crypto/keys";
import { digest, newToken } from "@/platform/crypto/token";
import type { Deps } from "@/platform/deps";
import { setCookie } from "@/platform/http/cookie";
import * as audit from "../audit/service";
import { noteUse } from "../last-use/service";
import { readSettings } from "../settings/service";
import { type PasswordOutcome, tryPassword } from "../users/password-attempt";
import { openSession, sealSession, sessionCookieName } from "./cookie";
import * as store from "./store";

/** A browser that is signed in. `id` is the opaque session id: it binds form tokens and leaves the server sealed. */
export type Session = Readonly<{ id: string; user: User; signedInAt: Date }>;

/** What a person typed, and where the request came from. */
export type Credentials = Readonly<{ login: string; password: string; address: string }>;

/**
 * Signs a person in: a new session each time, never one that was there before (session fixation).
 * @returns the `Set-Cookie` line, or why there is none.
 * @throws PasswordsBusy when too many passwords are being checked at once.
 */
export async function signIn(
  deps: Deps,
  credentials: Credentials,
): Promise<{ readonly cookie: string } | Exclude<PasswordOutcome, { readonly user: User }>> {
  const settings = await readSettings(deps);
  const outcome = await tryPassword(deps, settings, { ...credentials, way: "sign_in" });
  if ("refused" in outcome) return outcome;
  const { user } = outcome;
  const now = deps.clock();
  const sessionId = newToken(deps.randomBytes, "session");
  const seconds = settings.session_expires_in;
  const expiresAt = new Date(now.getTime() + seconds * 1000);
  await store.insert(deps.db, { digest: digest(sessionId), userId: user.id, createdAt: now, expiresAt });
  await audit.record(deps, "sign_in.succeeded", { address: credentials.address }, { userId: user.id });
  const sealed = await sealSession(deps.keys, sessionId, seconds);
  return { cookie: setCookie(deps.config, sessionCookieName(deps.config), sealed, "/", seconds) };
}

/** The live session behind a `Cookie` header; null when the cookie is absent or forged, or its session not live. */
export async function sessionOf(deps: Deps, cookieHeader: string | null): Promise<Session | null> {
  const id = await openSession(deps.config, deps.keys, cookieHeader);
  return id === null ? null : sessionOfId(deps, id);
}

/** The live session with this opaque id; null when it has ended or expired or its person is blocked. */
export async function sessionOfId(deps: Deps, id: string): Promise<Session | null> {
  const row = await store.findByDigest(deps.db, digest(id));
  if (row === null || row.endedAt !== null || row.expiresAt <= deps.clock()) return null;
  if (row.user.state !== "active") return null;
  noteUse(deps, "session", { id: row.id, lastUsedAt: row.lastSeenAt });
  return { id, user: row.user, signedInAt: row.createdAt };
}

/**
 * Ends the session row, so that no copy of the cookie works any more.
 * @returns the `Set-Cookie` line that removes the cookie from this browser.
 */
export async function signOut(deps: Deps, session: Session | null): Promise<string> {
  if (session !== null) await endSession(deps, session.id);
  return setCookie(deps.config, sessionCookieName(deps.config), "", "/", 0);
}

/** @param sessionId the opaque id, as the cookie carries it. */
export const endSession = (deps: Deps, sessionId: string): Promise<void> =>
  store.end(deps.db, digest(sessionId), deps.clock());

/** Ends every session of a person: after a password reset. */
export const endSessionsOf = (deps: Deps, user: User): Promise<void> =>
  store.endAllOf(deps.db, user.id, deps.clock());

/** A form token for what one page of this session shows: `purpose` names it. */
export const sessionFormToken = (deps: Deps, session: Session, purpose: string): string =>
  formToken(deps.keys, `${session.id} ${purpose}`);

/** True when a form was made for this session and this purpose. */
export const sessionFormTokenMatches = (
  deps: Deps,
  session: Session,
  purpose: string,
  given: string,
): boolean => formTokenMatches(deps.keys, `${session.id} ${purpose}`, given);
