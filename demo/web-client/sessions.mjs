import { randomBytes } from "node:crypto";

const COOKIE = "demo_client_session";
const SESSIONS_MAX = 1000;

/** @typedef {{ attempt?: { state: string, codeVerifier: string }, accessToken?: string }} Session */

/**
 * The sessions by their ids. Tokens stay in this process. The browser has only a random session id.
 * @type {Map<string, Session>}
 */
const sessions = new Map();

/**
 * Returns the session of a request, or undefined if the request has no valid session.
 * @param {import("node:http").IncomingMessage} request
 */
export const sessionOf = (request) => sessions.get(idOf(request));

/** @param {import("node:http").IncomingMessage} request */
export const endSession = (request) => sessions.delete(idOf(request));

/**
 * Creates a session with a new id.
 * @param {Session} session
 * @returns the headers that set the cookie of the session.
 */
export function newSession(session) {
  const id = randomBytes(32).toString("base64url");
  sessions.set(id, session);
  const [oldest = ""] = sessions.keys();
  if (sessions.size > SESSIONS_MAX) sessions.delete(oldest);
  return { "set-cookie": `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=/` };
}

/** @param {import("node:http").IncomingMessage} request */
function idOf({ headers: { cookie = "" } }) {
  const pair = cookie.split("; ").find((candidate) => candidate.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1) ?? "";
}
