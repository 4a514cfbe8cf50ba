import * as oauth from "openid-client";

/**
 * The message for the OAuth error `access_denied` (RFC 6749 §4.1.2.1). Only the developer can resolve other
 * OAuth errors, so the page shows them without an explanation.
 */
const ACCESS_DENIED = "You denied the request, so no data was shared.";

/** @typedef {{ id?: unknown, username?: unknown, name?: unknown, email?: unknown }} Profile unvalidated values. */

/**
 * Returns the functions for sign-in with Gatehouse through the authorization code grant with PKCE (RFC 7636)
 * and `state`.
 * @param {{ issuer: string, clientId: string, clientSecret: string, redirectUri: string }} settings
 */
export function createGatehouse({ issuer, clientId, clientSecret, redirectUri }) {
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
  };
  const config = new oauth.Configuration(server, clientId, undefined, oauth.ClientSecretBasic(clientSecret));
  if (issuer.startsWith("http:")) oauth.allowInsecureRequests(config);

  return {
    /**
     * Returns the URL to which the browser is redirected, and the values that the client must store until the
     * browser returns.
     */
    async begin() {
      const attempt = { state: oauth.randomState(), codeVerifier: oauth.randomPKCECodeVerifier() };
      const url = oauth.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "read_user",
        state: attempt.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url, attempt };
    },

    /**
     * Checks the authorization response and exchanges the authorization code.
     * @param {URL} url the redirect URI with the response.
     * @param {{ state: string, codeVerifier: string }} attempt
     * @returns {Promise<{ accessToken: string, problem?: undefined } | { problem: string }>}
     */
    async finish(url, { state, codeVerifier }) {
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      try {
        const tokens = await oauth.authorizationCodeGrant(config, url, checks);
        return { accessToken: tokens.access_token };
      } catch (error) {
        if (error instanceof TypeError || !(error instanceof Error)) throw error;
        if (error instanceof oauth.AuthorizationResponseError && error.error === "access_denied")
          return { problem: ACCESS_DENIED };
        const { message } = error.cause instanceof Error ? error.cause : error;
        return { problem: `The sign-in failed: ${message}` };
      }
    },

    /**
     * Returns the profile of the user to whom a token belongs.
     * @param {string} accessToken
     * @returns {Promise<Profile | null>} null when the token is no longer valid.
     */
    async profile(accessToken) {
      try {
        const url = new URL("/api/v4/user", issuer);
        const response = await oauth.fetchProtectedResource(config, accessToken, url, "GET");
        return await response.json();
      } catch (error) {
        if (error instanceof oauth.WWWAuthenticateChallengeError) return null;
        throw error;
      }
    },
  };
}
