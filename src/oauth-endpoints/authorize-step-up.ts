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
 * Where a person has to set up a second factor before anything is allowed in their name; null where they need not. The
 * request stays in the address and is judged anew afterwards. A client that forbids to ask is told so.
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
  const description = "The person has to set up a second factor, and prompt=none forbids it.";
  return authorizationRequest.parameters.get("redirect_uri") === OUT_OF_BAND
    ? outOfBandErrorPage(description)
    : respondToClient(deps, authorizationRequest, {
        error: "login_required",
        error_description: description,
      });
}

/** Where a person proves anew who they are before they allow what reaches far; null where they need not. */
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
