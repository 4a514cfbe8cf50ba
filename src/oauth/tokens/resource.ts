/** The paths of the protected resources of this instance: the whole instance, the API, and the MCP server. */
export const RESOURCE_PATHS = ["", "/api/v4", "/api/v4/mcp"] as const;
type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** The path of the MCP server. */
export const MCP_PATH = "/api/v4/mcp" satisfies ResourcePath;

const V5 = /^\/api\/v5(?=\/|$)/;

/**
 * Returns the protected resource that the parameter `resource` names (RFC 8707 §2), without a final slash.
 * @returns null for a URI that is not a protected resource of this instance.
 */
export function readResource(text: string, issuer: string): string | null {
  const path = text.startsWith(issuer) ? text.slice(issuer.length).replace(/\/$/, "") : null;
  const resourcePath = RESOURCE_PATHS.find((candidate) => candidate === path);
  return resourcePath === undefined ? null : issuer + resourcePath;
}

/**
 * Returns whether a token may be used for a request. A token without a resource may be used for every
 * request. A token with a resource may be used only for paths below its resource (RFC 8707 §2.2).
 * @param resource the resource of the grant of the token.
 * @param pathname the path of the HTTP request.
 */
export function isAudience(resource: string | null, issuer: string, pathname: string): boolean {
  if (resource === null || resource === issuer) return true;
  const path = issuer + pathname.replace(V5, "/api/v4");
  return path === resource || path.startsWith(`${resource}/`);
}

/**
 * Returns whether a token request may have this protected resource. A token request that names a resource is
 * refused if the grant has no resource, because the tokens of the grant are valid for more than the requested
 * resource.
 * @param requested the resource of the token request; undefined if the request names no resource, null for an
 * unknown URI.
 * @param granted the resource of the grant; null for a grant without a resource.
 */
export const isSameResource = (requested: string | null | undefined, granted: string | null): boolean =>
  requested === undefined || (requested !== null && requested === granted);

/**
 * Returns whether a token request may begin a grant with this protected resource. If the authorization request
 * named no resource, the token request may name a resource that the caller allows. The function has the same
 * parameters as `isSameResource`.
 */
export const maySetResource = (requested: string | null | undefined, authorized: string | null): boolean =>
  authorized === null ? requested !== null : isSameResource(requested, authorized);

/**
 * Returns the scopes that a user allows for the whole instance when the user allows access to a resource. If
 * the resource is only a part of the instance, the result contains at most the scope `mcp`, which gives access
 * only to the MCP server. If the resource belongs to another server, the result is empty.
 * @param resource the protected resource of the authorization request; null if it names no resource.
 */
export function scopesForInstance<Name extends string>(
  scopes: readonly Name[],
  resource: string | null,
  issuer: string,
): readonly Name[] {
  if (resource === null || resource === issuer) return scopes;
  return readResource(resource, issuer) === null ? [] : scopes.filter((scope) => scope === "mcp");
}
