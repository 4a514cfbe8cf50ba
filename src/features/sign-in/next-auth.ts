import type { AuthOptions } from "next-auth";
import { systemDeps } from "@/platform/deps";
import { sessionCookieName } from "./cookie";
import { endSession, sessionOfId } from "./service";

/**
 * next-auth reads and ends the session that our sign-in form made. It has no providers, so none of its own ways in
 * is open; the session id stays inside the sealed cookie and never reaches a script.
 */
export function authOptions(): AuthOptions {
  const deps = systemDeps();
  return {
    secret: deps.keys.session,
    providers: [],
    session: { strategy: "jwt" },
    pages: { signIn: "/users/sign_in", signOut: "/", error: "/users/sign_in" },
    cookies: {
      sessionToken: {
        name: sessionCookieName(deps.config),
        options: {
          httpOnly: true,
          sameSite: "lax",
          path: "/",
          secure: deps.config.baseUrl.protocol === "https:",
        },
      },
    },
    callbacks: {
      session: async ({ session, token }) => {
        const live = typeof token["sid"] === "string" ? await sessionOfId(deps, token["sid"]) : null;
        if (live === null) return { expires: deps.clock().toISOString() };
        return { ...session, user: { name: live.user.name, email: live.user.email } };
      },
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token["sid"] === "string") await endSession(deps, token["sid"]);
      },
    },
  };
}
