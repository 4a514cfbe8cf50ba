import { z } from "zod";
import { scopesNamed } from "@/access/scopes";
import { type Query, textOf } from "@/kernel/http/query";
import type { ApplicationDraft } from "./rules";
import { tokenOptionsFrom } from "./token-options";

const text = z.string().max(120_000).catch("");

/**
 * The schema of the registration form. The schema ignores all fields that the registration form does not
 * have.
 */
const applicationForm = z.object({
  name: text,
  redirect_uris: text,
  confidential: z.enum(["true", "false"]).nullable().catch(null),
  scopes: z.array(z.string().max(64)).max(64).catch([]),
  requires_pkce: z.literal("true").nullable().catch(null),
  allows_password: z.literal("true").nullable().catch(null),
  requires_pushed_requests: z.literal("true").nullable().catch(null),
  requires_dpop: z.literal("true").nullable().catch(null),
  auth_method: z.string().max(64).catch(""),
  jwks: text,
  jwks_uri: z.string().max(2_048).catch(""),
  access_token_format: z.string().max(64).catch(""),
  id_token_algorithm: z.string().max(64).catch(""),
  client_credentials_scopes: z.array(z.string().max(64)).max(64).catch([]),
  backchannel_logout_uri: z.string().max(4_096).catch(""),
  backchannel_logout_session_required: z.literal("true").nullable().catch(null),
  revokes_uncovered: z.literal("true").nullable().catch(null),
});

/**
 * Parses the registration form. Missing and malformed fields of the form are read as empty values, and the
 * validation reports these fields.
 */
export function readApplicationForm(form: FormData): ApplicationDraft {
  const fields = applicationForm.parse({
    name: form.get("name"),
    redirect_uris: form.get("redirect_uris"),
    confidential: form.get("confidential"),
    scopes: form.getAll("scopes"),
    requires_pkce: form.get("requires_pkce"),
    allows_password: form.get("allows_password"),
    requires_pushed_requests: form.get("requires_pushed_requests"),
    requires_dpop: form.get("requires_dpop"),
    auth_method: form.get("auth_method"),
    jwks: form.get("jwks"),
    jwks_uri: form.get("jwks_uri"),
    access_token_format: form.get("access_token_format"),
    id_token_algorithm: form.get("id_token_algorithm"),
    client_credentials_scopes: form.getAll("client_credentials_scopes"),
    backchannel_logout_uri: form.get("backchannel_logout_uri"),
    backchannel_logout_session_required: form.get("backchannel_logout_session_required"),
    revokes_uncovered: form.get("revokes_uncovered"),
  });
  return {
    name: fields.name,
    redirectUris: fields.redirect_uris,
    confidential: fields.confidential === null ? null : fields.confidential === "true",
    scopes: fields.scopes,
    requiresPkce: fields.requires_pkce !== null,
    allowsPassword: fields.allows_password !== null,
    requiresPushedRequests: fields.requires_pushed_requests !== null,
    requiresDpop: fields.requires_dpop !== null,
    authentication: { method: fields.auth_method, jwks: fields.jwks, jwksUri: fields.jwks_uri },
    ...(form.has("access_token_format")
      ? {
          tokens: tokenOptionsFrom({
            accessTokenFormat: fields.access_token_format,
            idTokenAlgorithm: fields.id_token_algorithm,
          }),
        }
      : {}),
    clientCredentialsScopes: fields.client_credentials_scopes,
    ...(form.has("backchannel_logout_uri")
      ? {
          backchannelLogout: {
            uri: fields.backchannel_logout_uri,
            sessionRequired: fields.backchannel_logout_session_required !== null,
          },
        }
      : {}),
    revokesUncovered: fields.revokes_uncovered !== null,
  };
}

/**
 * Returns the values that a URL query contains for the registration form (`?name=&redirect_uri=&scopes=`).
 * Other programs link to the registration form with the parameters `name`, `redirect_uri` and `scopes`. The
 * result contains neither unknown scopes nor texts that are too long.
 */
export function readApplicationQuery(query: Query): Partial<ApplicationDraft> {
  const name = textOf(query, "name").slice(0, 255);
  const redirectUris = [query["redirect_uri"] ?? []].flat().join("\n").slice(0, QUERY_CHARACTERS_MAX);
  const scopes = scopesNamed(textOf(query, "scopes"));
  return {
    ...(name === "" ? {} : { name }),
    ...(redirectUris === "" ? {} : { redirectUris }),
    ...(scopes.length === 0 ? {} : { scopes }),
  };
}

const QUERY_CHARACTERS_MAX = 8_192;

/** Returns the id in a form field. Returns 0, which is never an id, for a value that is not an id. */
export const readId = (form: FormData, name: string): number => idFrom(form.get(name));

/** Returns the id in a path segment. Returns 0, which is never an id, for a segment that is not an id. */
export function idFrom(value: unknown): number {
  return typeof value === "string" && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0;
}
