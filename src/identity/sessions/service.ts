import { isBot, type User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { RECORDED_EVERY_MS } from "@/instance/last-use/rules";
import { enqueueUse } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { csrfToken, csrfTokenMatches } from "@/kernel/crypto/keys";
import { digest, newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { setCookie } from "@/kernel/http/cookie";
import type { Browser } from "@/kernel/http/form-response";
import { keptUserAgent } from "@/kernel/http/user-agent";
import {
  type AuthenticationMethod,
  type AuthenticationMethods,
  isTimeKnown,
  methodsAfter,
  methodsFrom,
} from "./authentication-methods";
import { openSession, sealSession } from "./cookie";
import { isIdle } from "./rules";
import { announceSessionsEnded } from "./sessions-ended";
import * as store from "./store";
import { findByDigest, type SessionRow } from "./store.sql";
import { type Enrollment, enrollmentOf } from "./two-factor-enrollment";

/**
 * The session of a signed-in browser. `id` is the opaque session id, to which CSRF tokens are bound. The
 * server sends the id only in an encrypted cookie.
 */
export type Session = Readonly<{
  id: string;
  user: User;
  /** The time of the last authentication in this browser: the sign-in, or a later re-authentication. */
  signedInAt: Date;
  /**
   * The time of the last authentication, like `signedInAt`. The value is null if the last method was another
   * provider that does not state when the user authenticated there.
   */
  authTime: Date | null;
  /**
   * The time of the last sign-in or re-authentication at this server. The sign-in may rely on an older
   * authentication at another provider.
   */
  enteredAt: Date;
  /**
   * Whether the user has authenticated at a known time, or has re-authenticated in this session. The value is
   * false after a sign-in with another provider that does not state the time of the authentication. A
   * provider that does not state the time may have signed the user in without a new authentication.
   */
  isConfirmed: boolean;
  /** The methods of the sign-in and of later re-authentications; null when they are unknown. */
  methods: AuthenticationMethods | null;
  /**
   * The time at which the user was first required to set up a second factor; null if the user was never
   * required to set one up.
   */
  twoFactorAskedAt: Date | null;
}>;

/** The id of a new session, and the `Set-Cookie` line with the session cookie. */
export type OpenedSession = Readonly<{ sessionId: string; cookie: string }>;

/**
 * Creates a session for a user who has entered all required factors.
 * @param methods the methods with which the user has authenticated.
 * @param authenticatedAt the time of the authentication, if it is earlier than now.
 * @throws Error if the user is a bot.
 */
export async function openSessionFor(
  deps: Deps,
  user: User,
  browser: Browser,
  methods: AuthenticationMethods,
  authenticatedAt: Date | null = null,
): Promise<OpenedSession> {
  if (isBot(user)) throw new Error("A bot cannot sign in.");
  const now = deps.clock();
  const sessionId = newToken(deps.randomBytes, "session");
  const seconds = (await readSettings(deps)).session_expires_in;
  await store.insert(deps.db, {
    digest: digest(sessionId),
    userId: user.id,
    createdAt: now,
    provenAt: authenticatedAt,
    methods: methods.join(" "),
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
 * Records that the user of this session has re-authenticated.
 * @param method the method of the re-authentication.
 * @param ipAddress the IP address of the request, for the audit log.
 * @param authenticatedAt the time of the re-authentication, if it is earlier than now.
 */
export async function recordReauthentication(
  deps: Deps,
  session: Session,
  method: AuthenticationMethod,
  ipAddress: string,
  authenticatedAt: Date | null = null,
): Promise<void> {
  const methods = methodsAfter(session.methods, method).join(" ");
  await store.setAuthenticated(deps.db, digest(session.id), {
    provenAt: authenticatedAt ?? deps.clock(),
    methods,
  });
  await audit.record(deps, "sign_in.confirmed", { address: ipAddress }, { userId: session.user.id });
}

/**
 * Returns whether the user of this session must set up a second factor. The function reads the settings at
 * most once.
 */
export async function enrollmentOfSession(deps: Deps, session: Session): Promise<Enrollment> {
  const { user, twoFactorAskedAt: askedAt } = session;
  if (user.twoFactor) return { kind: "none" };
  return enrollmentOf(await readSettings(deps), { twoFactor: false, askedAt }, deps.clock());
}

/** Returns whether the two-factor page must be shown to the user before every other page. */
export async function enrollsFirst(deps: Deps, session: Session): Promise<boolean> {
  const { kind } = await enrollmentOfSession(deps, session);
  return kind === "tell" || kind === "due";
}

/**
 * Returns the active session of a `Cookie` header; null when the cookie is absent or forged, or its session
 * is not active.
 */
export async function sessionOf(deps: Deps, cookieHeader: string | null): Promise<Session | null> {
  const id = await openSession(deps.config, deps.keys, cookieHeader);
  return id === null ? null : sessionOfId(deps, id);
}

/**
 * Returns the active session with this opaque id; null if the session has ended or expired, or the user is
 * blocked.
 */
export async function sessionOfId(deps: Deps, id: string): Promise<Session | null> {
  const row = await findByDigest(deps.reads, digest(id));
  if (row === null || row.endedAt !== null || row.expiresAt <= deps.clock()) return null;
  if (row.user.state !== "active" || isBot(row.user)) return null;
  if (row.user.admin && (await endsByIdleness(deps, row))) {
    await endSession(deps, id);
    return null;
  }
  enqueueUse(deps, "session", { id: row.id, lastUsedAt: row.lastSeenAt });
  const { user, twoFactorAskedAt } = row;
  const methods = methodsFrom(row.methods);
  const signedInAt = row.provenAt ?? row.createdAt;
  const authTime = isTimeKnown(methods) ? signedInAt : null;
  const enteredAt = new Date(Math.max(signedInAt.getTime(), row.createdAt.getTime()));
  const isConfirmed = authTime !== null || row.provenAt !== null;
  return { id, user, signedInAt, authTime, enteredAt, isConfirmed, methods, twoFactorAskedAt };
}

/**
 * Uses of a session are recorded at intervals. A session may therefore end after the idle limit, by at most
 * one interval, but never before.
 */
async function endsByIdleness(deps: Deps, row: SessionRow): Promise<boolean> {
  const limit = (await readSettings(deps)).admin_session_idle_limit;
  return isIdle(row, limit, RECORDED_EVERY_MS, deps.clock());
}

/**
 * Ends the session of this browser, so that copies of the session cookie stop working.
 * @returns the `Set-Cookie` line that removes the cookie from this browser.
 */
export async function signOut(deps: Deps, session: Session | null): Promise<string> {
  if (session !== null) await endSession(deps, session.id);
  return setCookie(deps.config, "session", "", 0);
}

/** @param sessionId the opaque id that the session cookie contains. */
export const endSession = (deps: Deps, sessionId: string): Promise<void> =>
  deps.transaction(async (within) => {
    const userId = await store.end(within.db, digest(sessionId), within.clock());
    if (userId !== null) await announceSessionsEnded(within, userId);
  });

/** Ends every session of a user. */
export const endSessionsOf = (deps: Deps, user: User): Promise<void> =>
  deps.transaction(async (within) => {
    const count = await store.endAllOf(within.db, user.id, within.clock());
    if (count > 0) await announceSessionsEnded(within, user.id);
  });

/** Returns a CSRF token for a form of this session. `purpose` identifies the form. */
export const sessionCsrfToken = (deps: Deps, session: Session, purpose: string): string =>
  csrfToken(deps.keys, `${session.id} ${purpose}`);

/** Returns whether a CSRF token belongs to this session and this purpose. */
export const sessionCsrfTokenMatches = (
  deps: Deps,
  session: Session,
  purpose: string,
  given: string,
): boolean => csrfTokenMatches(deps.keys, `${session.id} ${purpose}`, given);
