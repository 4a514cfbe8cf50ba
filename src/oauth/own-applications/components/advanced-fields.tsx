import { ChoiceGroup } from "@/ui/choice";
import { FormChoice, FormDetails } from "@/ui/form-fields";
import { DEFAULT_TOKEN_OPTIONS } from "../../applications/token-options";
import { BackchannelLogoutFields } from "./backchannel-logout-fields";
import { ClientAuthenticationFields } from "./client-authentication-fields";
import { ClientCredentialsFields } from "./client-credentials-fields";
import { TokenOptionFields } from "./token-option-fields";

/** The default values of the advanced fields. */
const DEFAULTS = {
  auth_method: "",
  jwks: "",
  jwks_uri: "",
  access_token_format: DEFAULT_TOKEN_OPTIONS.accessTokenFormat,
  id_token_algorithm: DEFAULT_TOKEN_OPTIONS.idTokenAlgorithm,
  requires_pushed_requests: "",
  requires_dpop: "",
  client_credentials_scopes: "",
  backchannel_logout_uri: "",
};

/** Shows the fields that most applications leave at their defaults. */
export const AdvancedFields = () => (
  <FormDetails
    defaults={DEFAULTS}
    problemKeys={["authentication", "clientCredentialsScopes", "backchannelLogout"]}
    summary={
      <>
        <span className="font-semibold">Advanced</span>
        <span className="block text-small text-muted">
          Client authentication, tokens, pushed authorization requests, DPoP, client credentials grant and
          back-channel logout.
        </span>
      </>
    }
  >
    <ClientAuthenticationFields />
    <TokenOptionFields />
    <ChoiceGroup id="requests" legend="Requests of the application">
      <FormChoice
        id="requires-pushed-requests"
        type="checkbox"
        name="requires_pushed_requests"
        value="true"
        label="Require pushed authorization requests"
        detail="The application must send each authorization request to /oauth/par before the application opens the browser, so that users cannot change the request."
      />
      <FormChoice
        id="requires-dpop"
        type="checkbox"
        name="requires_dpop"
        value="true"
        label="Require tokens that are bound to a key (DPoP)"
        detail="The application must prove with each request that it has the private key, so that a stolen token is useless."
      />
    </ChoiceGroup>
    <ClientCredentialsFields />
    <BackchannelLogoutFields />
  </FormDetails>
);
