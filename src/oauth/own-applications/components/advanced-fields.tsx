import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { NO_BACKCHANNEL_LOGOUT } from "../../applications/backchannel-logout";
import type { ApplicationDraft, ApplicationProblems } from "../../applications/rules";
import { DEFAULT_TOKEN_OPTIONS } from "../../applications/token-options";
import { BackchannelLogoutFields } from "./backchannel-logout-fields";
import { ClientAuthenticationFields } from "./client-authentication-fields";
import { ClientCredentialsFields } from "./client-credentials-fields";
import { TokenOptionFields } from "./token-option-fields";

/**
 * Shows the fields that most applications leave at their defaults, in a section that is open if a field differs from
 * its default or has a problem.
 */
export function AdvancedFields(props: {
  readonly draft: ApplicationDraft;
  readonly problems: ApplicationProblems;
}) {
  const { draft, problems } = props;
  const shown = [problems.authentication, problems.clientCredentialsScopes, problems.backchannelLogout];
  const open = differsFromDefaults(draft) || shown.some((texts) => (texts?.length ?? 0) > 0);
  return (
    <details open={open} className="rounded-group border border-line">
      <summary className="cursor-pointer rounded-group px-4 py-3 hover:bg-panel">
        <span className="font-semibold">Advanced</span>
        <span className="block text-small text-muted">
          Client authentication, tokens, pushed authorization requests, DPoP, client credentials grant and
          back-channel logout.
        </span>
      </summary>
      <div className="grid gap-6 border-line border-t p-4">
        <ClientAuthenticationFields draft={draft.authentication} problems={problems.authentication} />
        <TokenOptionFields {...(draft.tokens === undefined ? {} : { options: draft.tokens })} />
        <ChoiceGroup id="requests" legend="Requests of the application">
          <ChoiceRow
            id="requires-pushed-requests"
            type="checkbox"
            name="requires_pushed_requests"
            value="true"
            defaultChecked={draft.requiresPushedRequests === true}
            label="Require pushed authorization requests"
            detail="The application must send each authorization request to /oauth/par before it opens the browser, so that users cannot change the request."
          />
          <ChoiceRow
            id="requires-dpop"
            type="checkbox"
            name="requires_dpop"
            value="true"
            defaultChecked={draft.requiresDpop === true}
            label="Require tokens that are bound to a key (DPoP)"
            detail="The application must prove with each request that it holds its key, so that a stolen token is useless."
          />
        </ChoiceGroup>
        <ClientCredentialsFields
          scopes={draft.clientCredentialsScopes}
          problems={problems.clientCredentialsScopes}
        />
        <BackchannelLogoutFields
          logout={draft.backchannelLogout ?? NO_BACKCHANNEL_LOGOUT}
          problems={problems.backchannelLogout}
        />
      </div>
    </details>
  );
}

function differsFromDefaults({
  authentication = { method: "", jwks: "", jwksUri: "" },
  tokens = DEFAULT_TOKEN_OPTIONS,
  requiresPushedRequests = false,
  requiresDpop = false,
  clientCredentialsScopes = [],
  backchannelLogout = NO_BACKCHANNEL_LOGOUT,
}: ApplicationDraft): boolean {
  const { method, jwks, jwksUri } = authentication;
  const texts = [method, jwks.trim(), jwksUri.trim()];
  return (
    texts.some((text) => text !== "") ||
    tokens.accessTokenFormat !== DEFAULT_TOKEN_OPTIONS.accessTokenFormat ||
    tokens.idTokenAlgorithm !== DEFAULT_TOKEN_OPTIONS.idTokenAlgorithm ||
    requiresPushedRequests ||
    requiresDpop ||
    clientCredentialsScopes.length > 0 ||
    (backchannelLogout.uri ?? "") !== ""
  );
}
