import { text } from "node:stream/consumers";
import nextAuthModule from "next-auth";

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @import { NextApiRequest, NextApiResponse } from "next"
 * @import { AuthOptions, Session } from "next-auth"
 */

/** next-auth 4 is CommonJS. @type {typeof nextAuthModule & { default?: typeof nextAuthModule }} */
const commonJs = nextAuthModule;
const nextAuth = commonJs.default ?? commonJs;

/**
 * Mounts next-auth on a plain Node server, without Next.js. Returns the handler of `/api/auth/*` and a
 * function that returns the session of a request.
 * @param {AuthOptions} options
 * @param {string} origin
 */
export function mountNextAuth(options, origin) {
  return {
    handler: async (/** @type {IncomingMessage} */ request, /** @type {ServerResponse} */ response) => {
      const body = Object.fromEntries(new URLSearchParams(await text(request)));
      const [apiRequest, apiResponse] = withApiOfNext(request, response, origin, body);
      await nextAuth(apiRequest, apiResponse, options);
    },
    sessionOf: async (/** @type {IncomingMessage} */ request, /** @type {ServerResponse} */ response) => {
      const { getServerSession } = /** @type {typeof import("next-auth")} */ (
        /** @type {unknown} */ (nextAuthModule)
      );
      /** @type {Session | null} */
      const session = await getServerSession(...withApiOfNext(request, response, origin, {}), options);
      return session;
    },
  };
}

/**
 * Adds the properties that Next.js adds to the requests and responses of its API routes.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {string} origin
 * @param {Readonly<Record<string, string>>} body
 * @returns {[NextApiRequest, NextApiResponse]}
 */
function withApiOfNext(request, response, origin, body) {
  const url = new URL(request.url ?? "", origin);
  const cookies = (request.headers.cookie ?? "").split("; ").map((cookie) => cookie.split(/=(.*)/s));
  Object.assign(request, {
    query: { ...Object.fromEntries(url.searchParams), nextauth: url.pathname.split("/").slice(3) },
    cookies: Object.fromEntries(cookies.map(([name = "", value = ""]) => [name, decodeURIComponent(value)])),
    body,
  });
  Object.assign(response, {
    status: (/** @type {number} */ code) => Object.assign(response, { statusCode: code }),
    json: (/** @type {unknown} */ value) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(value)),
    send: (/** @type {unknown} */ value) =>
      response.end(typeof value === "string" ? value : JSON.stringify(value)),
    redirect: (/** @type {number} */ code, /** @type {string} */ location) =>
      response.writeHead(code, { location }).end(),
  });
  return [/** @type {NextApiRequest} */ (request), /** @type {NextApiResponse} */ (response)];
}
