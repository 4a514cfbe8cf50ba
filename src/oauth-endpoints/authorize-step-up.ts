import { enrolmentPath } from "@/identity/sessions/enrolment";
import { needsStepUp } from "@/identity/sessions/rules";
import { enrolsFirst, type Session } from "@/identity/sessions/service";
import { confirmPath } from "@/identity/sessions/sign-in-path";
import type { Deps } from "@/kernel/deps/deps";
import { OUT_OF_BAND } from "@/oauth/applications/redirect-uri";
import { promptsOf, queryFrom } from "@/oauth/authorizations/authorization-request";
import type { AuthorizationRequest } from "@/oauth/authorizations/rules";
import type { Prepared } from "@/oauth/authorizations/service";
import { respondToClient, seeOther } from "./authorization-response";
import { outOfBandErrorPage } from "./authorize-pages";

const returnTo = (authorizationRequest: AuthorizationRequest): string =>
  `/oauth/authorize?${queryFrom(authorizationRequest)}`;

/**
 * Sends the user to set up two-factor authentication before access is granted. The URL keeps the request, which is
 * checked again afterwards.
 * @returns null when the user need not set it up; the error `login_required` for the client with `prompt=none`.
 */
export async function enrolmentRedirect(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  session: Session | null,
  { verdict }: Prepared,
): Promise<Response | null> {
  if (session === null || (verdict.kind !== "ask_consent" && verdict.kind !== "issue_code")) return null;
  if (!(await enrolsFirst(deps, session))) return null;
  if (!promptsOf(authorizationRequest).includes("none"))
    return seeOther(deps.config.issuer + enrolmentPath(returnTo(authorizationRequest)));
  const description = "The user must set up two-factor authentication, and prompt=none does not allow it.";
  return authorizationRequest.parameters.get("redirect_uri") === OUT_OF_BAND
    ? outOfBandErrorPage(description)
    : respondToClient(deps, authorizationRequest, {
        error: "login_required",
        error_description: description,
      });
}

/** Sends the user to re-authenticate before granting far-reaching scopes; null when that is not necessary. */
export function stepUpRedirect(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  session: Session,
  { verdict }: Prepared,
): Response | null {
  if (verdict.kind !== "ask_consent") return null;
  const user = { provenAt: session.signedInAt, twoFactor: session.user.twoFactor };
  if (!needsStepUp(verdict.scopes, user, deps.clock())) return null;
  return seeOther(deps.config.issuer + confirmPath({ returnTo: returnTo(authorizationRequest) }));
}
