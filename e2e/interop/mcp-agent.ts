import { randomUUID } from "node:crypto";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

/** The method by which an agent identifies itself to the authorization server. */
export type Identity =
  | Readonly<{ kind: "document"; url: string }>
  | Readonly<{ kind: "registration" }>
  | Readonly<{ kind: "static"; clientId: string }>;

/** An agent that uses the MCP library, including the authorization functions of the library. */
export type Agent = Readonly<{
  /**
   * Connects to the MCP server and calls a tool.
   * @throws UnauthorizedError if the user has to authorize the agent first.
   */
  callTool: (name: string, input?: Record<string, unknown>) => Promise<string>;
  /** The URL that the library asks the agent to open in the browser. */
  authorizationUrl: () => URL;
  /** Continues the authorization with the request that arrived at the redirect URI. */
  finish: (callback: URL) => Promise<void>;
  clientId: () => string | undefined;
  tokens: () => OAuthTokens | undefined;
  /** Replaces the access token with an invalid token, as if the access token had expired. */
  loseAccessToken: () => void;
}>;

/** Creates an agent without tokens. */
export function createAgent(server: string, redirectUri: string, identity: Identity): Agent {
  let information: OAuthClientInformationMixed | undefined =
    identity.kind === "static" ? { client_id: identity.clientId } : undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let authorizationUrl: URL | undefined;
  const state = randomUUID();
  const authProvider: OAuthClientProvider = {
    ...(identity.kind === "document" ? { clientMetadataUrl: identity.url } : {}),
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: "Acme Agent",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: (url) => {
      authorizationUrl = url;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
  const newTransport = () => new StreamableHTTPClientTransport(new URL(server), { authProvider });
  let transport = newTransport();

  return {
    callTool: async (name, input = {}) => {
      transport = newTransport();
      const client = new Client({ name: "acme-agent", version: "1.0.0" });
      // The type declaration of the library contains `sessionId?: string` without `undefined`.
      await client.connect(transport as unknown as Parameters<Client["connect"]>[0]);
      const result = await client.callTool({ name, arguments: input });
      await client.close();
      return JSON.stringify(result);
    },
    authorizationUrl: () => {
      if (authorizationUrl === undefined) throw new Error("The library opened no URL.");
      return authorizationUrl;
    },
    finish: async ({ searchParams }) => {
      if (searchParams.get("state") !== state) throw new Error("The response has another state.");
      await transport.finishAuth(searchParams.get("code") ?? "");
    },
    clientId: () => information?.client_id,
    tokens: () => tokens,
    loseAccessToken: () => {
      if (tokens !== undefined) tokens = { ...tokens, access_token: "ghat_expired" };
    },
  };
}
