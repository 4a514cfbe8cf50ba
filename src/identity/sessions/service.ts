import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { RECORDED_EVERY_MS } from "@/instance/last-use/rules";
import { enqueueUse } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { csrfToken, csrfTokenMatches } from "@/kernel/crypto/keys";
import { digest, newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { setCookie } from "@/kernel/http/cookie";
import type { Browser } from "@/kernel/http/form-answer";
import { keptUserAgent } from "@/kernel/http/user-agent";
import { openSession, sealSession } from "./cookie";
import { type Enrolment, enrolmentOf } from "./enrolment";
import { isIdle } from "./rules";
import * as store from "./store";

/** A browser that is signed in. `id` is the opaque session id: it binds form tokens and leaves the server sealed. */
export type Session = Readonly<{
  id: string;
  user: User;
  /** When the person last proved in this browser who they are: at sign-in, or later. */
  signedInAt: Date;
  /** When the person was first told to set up a second factor; null before. */
  twoFactorAskedAt: Date | null;
}>;

/** A new session: its id, and the `Set-Cookie` line that carries it. */
export type OpenedSession = Readonly<{ sessionId: string; cookie: string }>;

/** A new session of somebody who has proved all that it takes. */
export async function openSessionFor(deps: Deps, user: User, browser: Browser): Promise<OpenedSession> {
  const now = deps.clock();
  const sessionId = newToken(deps.randomBytes, "session");
  const seconds = (await readSettings(deps)).session_expires_in;
  await store.insert(deps.db, {
    digest: digest(sessionId),
    userId: user.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + seconds * 1000),
    address: browser.ipAddress,
    userAgent: keptUserAgent(browser.userAgent),
  });
  await audit.record(deps, "sign_in.succeeded", { address: browser.ipAddress }, { userId: user.id });
  const sealed = await sealSession(deps.keys, sessionId, seconds);
  return {
    sessionId,
    cookie: setCookie(deps.config, "session", sealed, seconds),
  };
}

/**
 * Keeps that the person of this session has just proved anew who they are.
 * @param address where from, for the audit.
 */
export async function recordProof(deps: Deps, session: Session, ipAddress: string): Promise<void> {
  await store.setProvenAt(deps.db, digest(session.id), deps.clock());
  await audit.record(deps, "sign_in.confirmed", { address: ipAddress }, { userId: session.user.id });
}

/** What the instance demands of this person who has no second factor yet. One look-up of the settings at most. */
export async function enrolmentOfSession(deps: Deps, session: Session): Promise<Enrolment> {
  const { user, twoFactorAskedAt: askedAt } = session;
  if (user.twoFactor) return { kind: "none" };
  return enrolmentOf(await readSettings(deps), { twoFactor: false, askedAt }, deps.clock());
}

/** Whether nothing else may happen in this session before the person has been told, or has set up a second factor. */
export async function enrolsFirst(deps: Deps, session: Session): Promise<boolean> {
  const { kind } = await enrolmentOfSession(deps, session);
  return kind === "tell" || kind === "due";
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
  if (row.user.admin && (await endsByIdleness(deps, row))) {
    await endSession(deps, id);
    return null;
  }
  enqueueUse(deps, "session", { id: row.id, lastUsedAt: row.lastSeenAt });
  const { user, twoFactorAskedAt } = row;
  return { id, user, signedInAt: row.provenAt ?? row.createdAt, twoFactorAskedAt };
}

/** A use is written down now and then only: the session ends that much later, and never early. */
async function endsByIdleness(deps: Deps, row: store.SessionRow): Promise<boolean> {
  const limit = (await readSettings(deps)).admin_session_idle_limit;
  return isIdle(row, limit, RECORDED_EVERY_MS, deps.clock());
}

/**
 * Ends the session row, so that no copy of the cookie works any more.
 * @returns the `Set-Cookie` line that removes the cookie from this browser.
 */
export async function signOut(deps: Deps, session: Session | null): Promise<string> {
  if (session !== null) await endSession(deps, session.id);
  return setCookie(deps.config, "session", "", 0);
}

/** @param sessionId the opaque id, as the cookie carries it. */
export const endSession = (deps: Deps, sessionId: string): Promise<void> =>
  store.end(deps.db, digest(sessionId), deps.clock());

/** Ends every session of a person: after a password reset. */
export const endSessionsOf = (deps: Deps, user: User): Promise<void> =>
  store.endAllOf(deps.db, user.id, deps.clock());

/** A form token for what one page of this session shows: `purpose` names it. */
export const sessionCsrfToken = (deps: Deps, session: Session, purpose: string): string =>
  csrfToken(deps.keys, `${session.id} ${purpose}`);

/** True when a form was made for this session and this purpose. */
export const sessionCsrfTokenMatches = (
  deps: Deps,
  session: Session,
  purpose: string,
  given: string,
): boolean => csrfTokenMatches(deps.keys, `${session.id} ${purpose}`, given);
