/**
 * A text that pages must escape. Each special character of the text is between the letters `fz`, which pages
 * do not contain elsewhere.
 */
export const MARKER = "fz<fz>fz\"fz'fz&fz";

const CLIENT = { client_id: "{client_id}", client_secret: "{client_secret}" };
const PUBLIC = { client_id: "{public_id}" };
const AUTHORIZATION_REQUEST = {
  client_id: "{client_id}",
  redirect_uri: "{redirect_uri}",
  response_type: "code",
  state: "xyz",
};
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * The parameters of valid requests, by path. Most fuzzed requests are valid requests to which a flaw was
 * added.
 */
export const VALID_FORMS: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  "/oauth/token": [
    { ...CLIENT, grant_type: "authorization_code", code: "{code}", redirect_uri: "{redirect_uri}" },
    {
      ...PUBLIC,
      grant_type: "authorization_code",
      code: "{public_code}",
      redirect_uri: "{redirect_uri}",
      code_verifier: "{verifier}",
    },
    { ...CLIENT, grant_type: "refresh_token", refresh_token: "{refresh_token}" },
    { grant_type: "password", username: "ann", password: "{password}" },
    { ...PUBLIC, grant_type: DEVICE_GRANT, device_code: "{device_code}" },
  ],
  "/oauth/par": [{ ...AUTHORIZATION_REQUEST, ...CLIENT, scope: "openid" }],
  "/oauth/revoke": [{ ...CLIENT, token: "{access_token}", token_type_hint: "refresh_token" }],
  "/oauth/introspect": [{ ...CLIENT, token: "{access_token}" }],
  "/oauth/token/info": [{ access_token: "{access_token}" }],
  "/oauth/userinfo": [{ access_token: "{access_token}" }],
  "/oauth/authorize_device": [{ ...PUBLIC, scope: "openid" }],
  "/oauth/device": [{ user_code: "{user_code}", form_token: "{device_form_token}" }],
  "/oauth/device/decision": [
    {
      request: "{decision_request}",
      user_code: "{decision_code}",
      decision: "allow",
      form_token: "{decision_form_token}",
    },
  ],
  "/.well-known/webfinger": [{ resource: "acct:ann@localhost" }],
  "/oauth/end_session": [
    { id_token_hint: "{id_token}", post_logout_redirect_uri: "{redirect_uri}" },
    { form_token: "{leaving_form_token}" },
  ],
  "/oauth/authorize": [
    { ...AUTHORIZATION_REQUEST, scope: "openid" },
    {
      ...AUTHORIZATION_REQUEST,
      scope: "read_user",
      prompt: "none",
      response_mode: "form_post",
      nonce: MARKER,
    },
    { ...AUTHORIZATION_REQUEST, scope: "read_user", decision: "allow", form_token: "{form_token}" },
    { ...AUTHORIZATION_REQUEST, ...PUBLIC, code_challenge: "{challenge}", code_challenge_method: "S256" },
  ],
  "/oauth/consent": [
    { ...AUTHORIZATION_REQUEST, scope: "read_user", prompt: "consent", nonce: MARKER },
    {
      ...AUTHORIZATION_REQUEST,
      ...PUBLIC,
      prompt: "consent",
      code_challenge: "{challenge}",
      code_challenge_method: "S256",
    },
  ],
};
