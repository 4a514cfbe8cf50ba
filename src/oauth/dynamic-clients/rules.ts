import { ALL_SCOPES, isScope, parseScope, type Scope } from "@/access/scopes";
import { type BackchannelLogout, statedBackchannelLogout } from "../applications/backchannel-logout";
import { isLoopback, OUT_OF_BAND, redirectUriProblem } from "../applications/redirect-uri";
import { stateableName } from "../applications/rules";
import type { ClientMetadata } from "./schema";

export type ApplicationType = "web" | "native";

/** The validated metadata with which a client is registered. */
export type DynamicRegistration = Readonly<{
  /** The name in the metadata of the client; null if the metadata contains no usable name. */
  clientName: string | null;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  applicationType: ApplicationType;
  backchannelLogout: BackchannelLogout;
}>;

/** The prefix of the names of dynamically registered clients, as in GitLab. */
const NAME_PREFIX = "[Unverified Dynamic Application] ";

/** Returns the name under which pages show the client. */
export const shownName = (clientName: string | null): string =>
  `${NAME_PREFIX}${clientName ?? "without a name"}`.slice(0, 255);

/** The error for client metadata that cannot be registered (RFC 7591 §3.2.2). */
export type RegistrationProblem = Readonly<{
  problem: string;
  code: "invalid_redirect_uri" | "invalid_client_metadata";
}>;

/**
 * Validates the metadata of a client. Scopes that the instance does not allow are removed, so that the
 * response contains the granted scopes (RFC 7591 §3.2.1).
 * @param admitted the scopes that the settings allow: only `mcp`, or all scopes.
 */
export function validateRegistration(
  metadata: ClientMetadata,
  {
    admitted,
    plainHttp,
    instanceNames,
  }: Readonly<{ admitted: "mcp" | "on"; plainHttp: boolean; instanceNames: readonly string[] }>,
): { readonly registration: DynamicRegistration } | RegistrationProblem {
  const redirectUris = [...new Set(metadata.redirect_uris)];
  for (const [index, uri] of redirectUris.entries()) {
    const problem = uri === OUT_OF_BAND ? "has no redirect" : redirectUriProblem(uri, plainHttp);
    if (problem !== null)
      return { code: "invalid_redirect_uri", problem: `Redirect URI ${index + 1} ${printable(problem)}.` };
  }
  const logout = {
    uri: metadata.backchannel_logout_uri ?? null,
    sessionRequired: metadata.backchannel_logout_session_required ?? false,
  };
  const backchannelLogout = statedBackchannelLogout(logout, redirectUris, plainHttp);
  if (backchannelLogout === null)
    return {
      code: "invalid_client_metadata",
      problem: "The backchannel_logout_uri must be an https URL on the origin of a redirect URI.",
    };
  return {
    registration: {
      backchannelLogout,
      clientName: stateableName(metadata.client_name, instanceNames),
      redirectUris,
      scopes: admitted === "mcp" ? ["mcp"] : registeredScopes(metadata.scope),
      applicationType: applicationType(metadata.application_type, redirectUris),
    },
  };
}

/** Removes the characters that are not allowed in `error_description` (RFC 6749 §5.2). */
const printable = (text: string): string =>
  text.replace(/[\u2026]/g, "...").replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "");

/**
 * Returns the known scopes in a text. If the text contains no known scope, the function returns all scopes.
 */
function registeredScopes(scope: string | undefined): readonly Scope[] {
  const scopes = (parseScope(scope ?? "") ?? []).filter(isScope);
  return scopes.length === 0 ? ALL_SCOPES : scopes;
}

/**
 * Returns the type of a client (OpenID Connect Dynamic Client Registration §2). A client is `native` if one
 * of its redirect URIs leads to a program on the computer of the user.
 */
function applicationType(
  stated: ApplicationType | undefined,
  redirectUris: readonly string[],
): ApplicationType {
  const isWeb = redirectUris.every((uri) => /^https?:/i.test(uri) && !isLoopback(uri));
  return isWeb ? (stated ?? "web") : "native";
}
