import type { ServerMetadata } from "openid-client";
import type { Identity } from "../linked-identities/rules";
import type { Provider } from "../providers/rules";
import { readGithubEmails, readGithubUser } from "./schema";

/**
 * Returns the endpoints of GitHub, which supports OAuth 2.0 without OpenID Connect.
 * @param issuer the URL of GitHub.
 */
export const githubMetadata = (issuer: string): ServerMetadata => ({
  issuer,
  authorization_endpoint: new URL("/login/oauth/authorize", issuer).href,
  token_endpoint: new URL("/login/oauth/access_token", issuer).href,
  token_endpoint_auth_methods_supported: ["client_secret_post"],
});

/**
 * Returns the base URL of the GitHub API. The API of github.com has a separate host. The API of GitHub
 * Enterprise Server has a path on the host of the server.
 */
const apiOf = (issuer: string): string =>
  new URL(issuer).hostname === "github.com" ? "https://api.github.com" : new URL("/api/v3", issuer).href;

/**
 * Requests the user and the primary e-mail address of the user from the GitHub API. The public e-mail address
 * of a profile is not used, because GitHub does not state whether the public e-mail address is verified.
 * @param get sends a request with the access token.
 */
export async function githubIdentity(
  provider: Provider,
  get: (url: string) => Promise<Response>,
): Promise<Identity> {
  const api = apiOf(provider.issuer);
  const user = readGithubUser(await (await get(`${api}/user`)).json());
  const emails = readGithubEmails(await (await get(`${api}/user/emails`)).json());
  const primary = emails.find((entry) => entry.primary);
  return {
    provider: provider.name,
    issuer: provider.issuer,
    subject: String(user.id),
    email: primary?.email ?? null,
    emailVerified: primary?.verified === true,
    username: user.login,
    name: user.name ?? null,
    groups: null,
  };
}
