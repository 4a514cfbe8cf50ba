import type { AuthOptions, CookiesOptions } from "next-auth";
import { confirmedEmail } from "@/access/principal";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieAttributes, cookieName } from "@/kernel/http/cookie";
import { decodeSession } from "../sessions/cookie";
import { endSession, sessionOfId } from "../sessions/service";

/** The names of all cookies that next-auth can set. */
const COOKIES = {
  sessionToken: "session",
  callbackUrl: "callback_url",
  csrfToken: "csrf",
  pkceCodeVerifier: "pkce_code_verifier",
  state: "state",
  nonce: "nonce",
} as const satisfies Record<keyof CookiesOptions, string>;

/**
 * Returns the options of next-auth. With the returned options, next-auth can read and end sessions that the
 * sign-in form created, but cannot sign a user in. The session id stays inside the encrypted cookie, so that
 * JavaScript cannot read the session id.
 */
export function authOptions(): AuthOptions {
  const deps = systemDeps();
  return {
    secret: deps.keys.session,
    providers: [],
    session: { strategy: "jwt" },
    jwt: { decode: ({ token }) => decodeSession(deps.keys, token ?? "") },
    pages: { signIn: "/users/sign_in", signOut: "/", error: "/users/sign_in" },
    cookies: Object.fromEntries(
      Object.entries(COOKIES).map(([purpose, name]) => [
        purpose,
        { name: cookieName(deps.config, name), options: cookieAttributes(deps.config) },
      ]),
    ),
    callbacks: {
      session: async ({ session, token }) => {
        const live = typeof token["sid"] === "string" ? await sessionOfId(deps, token["sid"]) : null;
        if (live === null) return { expires: deps.clock().toISOString() };
        return { ...session, user: { name: live.user.name, email: confirmedEmail(live.user) } };
      },
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token["sid"] === "string") await endSession(deps, token["sid"]);
      },
    },
  };
}
