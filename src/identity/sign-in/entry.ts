import type { Deps } from "@/kernel/deps/deps";
import { seeOther } from "@/kernel/http/form-response";
import {
  enrollmentOfSession,
  type OpenedSession,
  sessionOf,
  sessionOfId,
  signOut,
} from "../sessions/service";
import { enrollmentPath } from "../sessions/two-factor-enrollment";
import { deviceCookie } from "./known-device";
import { notifyOfNewSignIn } from "./new-sign-in";

/**
 * Redirects a user who has just signed in to the return path. If the instance requires a second factor, the
 * user is first redirected to the page that sets up a second factor.
 * @param cookies additional `Set-Cookie` lines.
 */
export async function enter(
  deps: Deps,
  request: Request,
  entered: OpenedSession & Readonly<{ returnTo: string }>,
  cookies: readonly string[] = [],
): Promise<Response> {
  // Ends the previous session of this browser, so that copies of its cookie stop working.
  await signOut(deps, await sessionOf(deps, request.headers.get("cookie")));
  const session = await sessionOfId(deps, entered.sessionId);
  if (session !== null) await notifyOfNewSignIn(deps, request, session.user);
  const enrolls = session !== null && (await enrollmentOfSession(deps, session)).kind !== "none";
  const path = enrolls ? enrollmentPath(entered.returnTo) : entered.returnTo;
  const device = session === null ? [] : [deviceCookie(deps, request.headers.get("cookie"), session.user.id)];
  return seeOther(deps, path, [entered.cookie, ...device, ...cookies]);
}
