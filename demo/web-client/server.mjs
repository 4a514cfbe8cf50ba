// A small application whose users sign in with Gatehouse. The only dependency of the application is the
// package openid-client.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createGatehouse } from "./gatehouse.mjs";
import { problemPage, profilePage, welcomePage } from "./pages.mjs";
import { endSession, newSession, sessionOf } from "./sessions.mjs";

const { PORT = "4000", ISSUER = "http://localhost:3000", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;
const BASE_URL = `http://127.0.0.1:${PORT}`;
const STYLE = readFileSync(new URL("./style.css", import.meta.url));

const gatehouse = createGatehouse({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  redirectUri: `${BASE_URL}/callback`,
});

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} Handler
 */

/** @type {Handler} */
const home = async (request, response) => {
  const token = sessionOf(request)?.accessToken;
  if (token === undefined) return send(response, 200, welcomePage());
  const profile = await gatehouse.profile(token);
  if (profile !== null) return send(response, 200, profilePage(profile));
  endSession(request);
  send(response, 200, welcomePage("Your sign-in has ended. Sign in again."));
};

/** @type {Handler} */
const signIn = async (request, response) => {
  endSession(request);
  const { url, attempt } = await gatehouse.begin();
  redirect(response, url, newSession({ attempt }));
};

/** @type {Handler} */
const callback = async (request, response) => {
  const attempt = sessionOf(request)?.attempt;
  // A sign-in attempt accepts only one authorization response.
  // Signing in creates a new session, which prevents session fixation.
  endSession(request);
  if (attempt === undefined)
    return send(response, 400, problemPage("No sign-in is in progress in this browser. Start again."));
  const outcome = await gatehouse.finish(new URL(request.url ?? "/", BASE_URL), attempt);
  if (outcome.problem !== undefined) return send(response, 400, problemPage(outcome.problem));
  redirect(response, "/", newSession({ accessToken: outcome.accessToken }));
};

/** @type {Handler} */
const signOut = (request, response) => {
  endSession(request);
  redirect(response, "/");
};

/** @type {Readonly<Record<string, Handler>>} */
const ROUTES = {
  "GET /": home,
  "POST /sign_in": signIn,
  "GET /callback": callback,
  "POST /sign_out": signOut,
  "GET /style.css": (_request, response) => send(response, 200, STYLE, { "content-type": "text/css" }),
};

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function answer(request, response) {
  const url = new URL(request.url ?? "/", BASE_URL);
  // The session cookie is valid for only one host name, which must be the host name of the redirect URI.
  if (request.headers.host !== new URL(BASE_URL).host) return redirect(response, `${BASE_URL}/`);
  if (request.method === "POST" && request.headers["sec-fetch-site"] === "cross-site")
    return send(
      response,
      403,
      problemPage("This form did not come from a page of this site. Go back, reload the page and try again."),
    );
  const route = ROUTES[`${request.method} ${url.pathname}`];
  if (route === undefined) return send(response, 404, problemPage("Page not found."));
  await route(request, response);
}

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  // `form-action` includes Gatehouse, because the response to a form redirects to Gatehouse.
  "content-security-policy": `default-src 'none'; style-src 'self'; form-action 'self' ${ISSUER}; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {string | Buffer} body
 * @param {Record<string, string>} [headers]
 */
const send = (response, status, body, headers = {}) =>
  response.writeHead(status, { ...HEADERS, ...headers }).end(body);

/**
 * @param {ServerResponse} response
 * @param {string | URL} location
 * @param {Record<string, string>} [headers]
 */
const redirect = (response, location, headers = {}) =>
  response.writeHead(303, { location: String(location), "cache-control": "no-store", ...headers }).end();

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    send(response, 502, problemPage("Gatehouse could not be reached. Try again in a moment."));
  });
}).listen(Number(PORT), "127.0.0.1");
