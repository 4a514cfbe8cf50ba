import { ALL_SCOPES, type Scope } from "@/access/scopes";
import { DPOP_ALGORITHMS } from "@/oauth/dpop/rules";
import { MCP_PATH, type RESOURCE_PATHS } from "@/oauth/tokens/resource";
import { CORS } from "./cors";
import { documentEndpoint } from "./endpoint";

type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Returns the URL of the metadata of a protected resource (RFC 9728 §3.1). */
export const metadataUrlOf = (issuer: string, path: ResourcePath): string =>
  `${issuer}/.well-known/oauth-protected-resource${path}`;

const SCOPES: Readonly<Record<ResourcePath, readonly Scope[]>> = {
  "": ALL_SCOPES,
  "/api/v4": ALL_SCOPES.filter((scope) => scope !== "mcp"),
  [MCP_PATH]: ["mcp"],
};

/** Returns a handler of the metadata of a protected resource (RFC 9728 §2). */
export const protectedResource = (path: ResourcePath) =>
  documentEndpoint(
    {
      name: `protected resource ${path}`,
      read: async ({ config }) => [config.issuer],
      create: (issuer) => ({
        resource: issuer + path,
        authorization_servers: [issuer],
        scopes_supported: SCOPES[path],
        bearer_methods_supported: ["header"],
        dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
        dpop_bound_access_tokens_required: false,
        resource_documentation: `${issuer}/help/api`,
      }),
    },
    "public, no-cache",
    CORS.discovery,
  );
