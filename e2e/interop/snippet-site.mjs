// A web site that uses a pasted configuration: `node snippet-site.mjs KIND FILE PORT`.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";

const [kind = "", file = "", port = ""] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const secret = "a secret of this site for the length of a test";
/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} Site
 * @typedef {IncomingMessage & { user?: { accessToken?: string, refreshToken?: string } }} SignedIn
 */

/** @type {{ authOptions: import("next-auth").AuthOptions, providers: import("@auth/core").AuthConfig["providers"] }} */
const pasted = await import(pathToFileURL(file).href);

/**
 * The request handlers of each library on plain Node, as in the documentation of the library.
 * @type {Readonly<Record<string, () => Promise<Site>>>}
 */
const SITES = {
  "next-auth": async () => {
    process.env.NEXTAUTH_URL = origin;
    const { mountNextAuth } = await import("./next-auth-mount.mjs");
    // The default time limit of 3.5 seconds is too short for a busy machine.
    const httpOptions = { timeout: 60_000 };
    const providers = pasted.authOptions.providers.map((provider) => ({ httpOptions, ...provider }));
    return mountNextAuth({ ...pasted.authOptions, providers, secret }, origin).handler;
  },
  "auth-js": async () => {
    const { Auth } = await import("@auth/core");
    const config = { providers: pasted.providers, secret, trustHost: true, basePath: "/api/auth" };
    return getRequestListener((request) => Auth(request, config));
  },
  passport: () => passportSite("oauth2"),
  "passport-gitlab2": () => passportSite("gitlab"),
};

/**
 * Returns a site that signs users in with a strategy of passport, and has only one session.
 * @param {string} strategy
 * @returns {Promise<Site>}
 */
async function passportSite(strategy) {
  const { default: passport } = await import("passport");
  const session = {};
  const authenticate = passport.authenticate(strategy, { session: false });
  return (request, response) => {
    Object.assign(request, {
      query: Object.fromEntries(new URL(request.url ?? "", origin).searchParams),
      session,
    });
    authenticate(request, response, (error) => {
      const { user } = /** @type {SignedIn} */ (request);
      const { accessToken, refreshToken } = user ?? {};
      response.end(JSON.stringify({ error: error?.message, accessToken, refreshToken }));
    });
  };
}

const mount = SITES[kind];
if (mount === undefined) throw new Error(`There is no site ${kind}.`);
const answer = await mount();
createServer((request, response) =>
  request.url === "/" ? response.end("<h1>The site</h1>") : answer(request, response),
).listen(Number(port), "127.0.0.1");
