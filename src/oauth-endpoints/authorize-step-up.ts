import { needsStepUp } from "@/identity/sessions/rules";
import { enrollsFirst, type Session } from "@/identity/sessions/service";
import { confirmPath, type RequestedFactor } from "@/identity/sessions/sign-in-path";
import { enrollmentPath } from "@/identity/sessions/two-factor-enrollment";
import type { Deps } from "@/kernel/deps/deps";
import { OUT_OF_BAND } from "@/oauth/applications/redirect-uri";
import { promptsOf, queryFrom, returnPathFrom } from "@/oauth/authorizations/authorization-request";
import { factorToKeep } from "@/oauth/authorizations/requested-claims";
import type { AuthorizationRequest } from "@/oauth/authorizations/rules";
import type { Prepared } from "@/oauth/authorizations/service";
import { respondToClient, seeOther } from "./authorization-response";
import { outOfBandErrorPage } from "./authorize-pages";

/**
 * Redirects the user to the setup of two-factor authentication before the user grants access. The URL of the
 * setup page contains the authorization request, which is checked again after the setup.
 * @returns null when the user need not set up two-factor authentication; for `prompt=none`, the response with
 * the error `login_required`.
 */
export async function enrollmentRedirect(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  session: Session | null,
  { decision }: Prepared,
): Promise<Response | null> {
  const isUnmet = decision.kind === "redirect_error" && decision.code === "unmet_authentication_requirements";
  const isDecided = decision.kind === "ask_consent" || decision.kind === "issue_code";
  if (session === null || !(isDecided || isUnmet)) return null;
  if (!(await enrollsFirst(deps, session))) return null;
  if (!promptsOf(authorizationRequest).includes("none"))
    return seeOther(deps.config.issuer + enrollmentPath(returnPathFrom(authorizationRequest)));
  const description = "The user must set up two-factor authentication, but prompt=none does not allow it.";
  return authorizationRequest.parameters.get("redirect_uri") === OUT_OF_BAND
    ? outOfBandErrorPage(description)
    : respondToClient(deps, authorizationRequest, {
        error: "login_required",
        error_description: description,
      });
}

/**
 * Redirects the user to re-authenticate with the factor that the client requests, and then back to the
 * authorization request.
 */
export const requestedFactorRedirect = (
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  { factor, isRequired }: RequestedFactor,
): Response =>
  seeOther(
    deps.config.issuer +
      confirmPath({ returnTo: returnPathFrom(authorizationRequest), requested: { factor, isRequired } }),
  );

/**
 * Redirects the user to the re-authentication page before the user grants scopes with write or full access.
 * Returns null when no re-authentication is necessary. The re-authentication page requires a factor with
 * which the session still has the requested authentication class (`acr`).
 */
export function stepUpRedirect(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  session: Session,
  { decision, application }: Prepared,
): Response | null {
  if (decision.kind !== "ask_consent" || application === null) return null;
  const user = { provenAt: session.signedInAt, twoFactor: session.user.twoFactor };
  if (!needsStepUp(decision.scopes, user, deps.clock())) return null;
  const requested = factorToKeep(authorizationRequest, decision.scopes, application);
  return seeOther(
    deps.config.issuer +
      confirmPath({ returnTo: `/oauth/authorize?${queryFrom(authorizationRequest)}`, requested }),
  );
}
