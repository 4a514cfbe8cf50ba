import { parseKeySet } from "./key-set";
import { isServerUrl } from "./server-url";

/** The methods of client authentication with a signed assertion (RFC 7523, OpenID Connect Core §9). */
export const ASSERTION_METHODS = ["private_key_jwt", "client_secret_jwt"] as const;
export type AssertionMethod = (typeof ASSERTION_METHODS)[number];

/**
 * The way in which a confidential application authenticates. If `method` is null, the application sends its
 * client secret by HTTP Basic or in the body of the token request. `jwks` contains the public keys for
 * `private_key_jwt`, and `jwksUri` is the URL of these keys. At most one of `jwks` and `jwksUri` has a value.
 */
export type ClientAuthentication = Readonly<{
  method: AssertionMethod | null;
  jwks: string | null;
  jwksUri: string | null;
}>;

/**
 * The values of the form fields for client authentication, before validation. The field `jwks` contains a JWK
 * Set as text.
 */
export type ClientAuthenticationDraft = Readonly<{ method: string; jwks: string; jwksUri: string }>;

export const SECRET_AUTHENTICATION: ClientAuthentication = { method: null, jwks: null, jwksUri: null };

/** Returns whether an application has client secrets. */
export const hasSecrets = (application: {
  readonly confidential: boolean;
  readonly authMethod: AssertionMethod | null;
}): boolean => application.confidential && application.authMethod !== "private_key_jwt";

/**
 * Validates the form fields for the authentication of a confidential application.
 * @param plainHttp whether http URLs of loopback addresses are allowed.
 * @returns the validated values, or the error messages of the invalid values.
 */
export function validateAuthentication(
  draft: ClientAuthenticationDraft,
  plainHttp: boolean,
): ClientAuthentication | { readonly problems: readonly string[] } {
  const method = ASSERTION_METHODS.find((name) => name === draft.method) ?? null;
  if (method !== "private_key_jwt") return { ...SECRET_AUTHENTICATION, method };
  const [jwks, jwksUri] = [draft.jwks.trim(), draft.jwksUri.trim()];
  if (jwks !== "" && jwksUri !== "") return { problems: ["Enter the public keys or their URL, not both."] };
  if (jwksUri !== "")
    return isServerUrl(jwksUri, plainHttp)
      ? { method, jwks: null, jwksUri }
      : { problems: ["Enter an https URL without a username or a fragment."] };
  if (jwks === "") return { problems: ["Enter the public keys of the application, or their URL."] };
  const parsed = parseKeySet(jwks);
  if ("problem" in parsed) return { problems: [parsed.problem] };
  return { method, jwks: JSON.stringify({ keys: parsed.keys }), jwksUri: null };
}
