import { parseScope } from "@/access/scopes";
import type { Settings } from "@/instance/settings/catalog";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { withFragment, withParameters } from "@/oauth/applications/redirect-uri";
import { responseModeOf } from "@/oauth/authorizations/authorization-request";
import type { AuthorizationRequest } from "@/oauth/authorizations/rules";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { staticPage } from "@/ui/static-page";

/** An authorization response without `state` and `iss`. */
export type AuthorizationResponse =
  | Readonly<{ code: string }>
  | Readonly<{ error: string; error_description: string }>;

/** These parameters of a registered redirect URI are removed, because the client would read them as the response. */
const RESPONSE_PARAMETERS = { code: undefined, error: undefined, error_description: undefined };

/** Sends an authorization response to the client's redirect URI in the response mode of the request. */
export async function respondToClient(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  response: AuthorizationResponse,
): Promise<Response> {
  const { authorization_response_iss: when } = await readSettings(deps);
  const redirectUri = authorizationRequest.parameters.get("redirect_uri") ?? "";
  const state = authorizationRequest.repeated.has("state")
    ? undefined
    : authorizationRequest.parameters.get("state");
  const iss = carriesIssuer(when, authorizationRequest, response) ? deps.config.issuer : undefined;
  const parameters = { ...RESPONSE_PARAMETERS, ...response, state, iss };
  switch (responseModeOf(authorizationRequest)) {
    case "query":
      return seeOther(withParameters(redirectUri, parameters));
    case "fragment":
      return seeOther(withFragment(redirectUri, parameters));
    case "form_post":
      return formPostPage(deps, redirectUri, parameters);
  }
}

/**
 * Returns whether the authorization response includes the parameter `iss` (RFC 9207, docs/decisions/0035).
 */
function carriesIssuer(
  when: Settings["authorization_response_iss"],
  authorizationRequest: AuthorizationRequest,
  response: AuthorizationResponse,
): boolean {
  if (when !== "openid") return when === "always";
  return (
    "code" in response &&
    (parseScope(authorizationRequest.parameters.get("scope") ?? "") ?? []).includes("openid")
  );
}

/**
 * Returns a redirect with status 303. With status 307, the browser would post the submitted form to the
 * client (RFC 9700 §4.12).
 */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, "cache-control": "no-store", pragma: "no-cache" } });

/**
 * Returns a page with a form that a script submits. Without scripts, the user submits the form with a button
 * (OAuth 2.0 Form Post Response Mode §2).
 */
function formPostPage(
  deps: Deps,
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<Response> {
  const nonce = Buffer.from(deps.randomBytes(16)).toString("base64");
  return staticPage(
    200,
    "Returning to the application",
    <DecisionCard title="Returning to the application">
      <form method="post" action={redirectUri} className="grid">
        {Object.entries(parameters).map(([name, value]) =>
          value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <Button kind="primary">Continue</Button>
      </form>
      <script nonce={nonce}>document.forms[0].submit()</script>
    </DecisionCard>,
    { formLeaves: true, nonce, sendsOrigin: true },
  );
}
