// A web site that signs users in with express-openid-connect.
import { once } from "node:events";
import express from "express";
import openIdConnect from "express-openid-connect";

/**
 * Opens the site at an origin with a free port.
 * @param {Readonly<{ origin: string, issuer: string, clientId: string, clientSecret: string }>} options
 * @returns {Promise<{ close: () => Promise<void> }>}
 */
export async function openExpressSite({ origin, issuer, clientId, clientSecret }) {
  const app = express();
  app.use(
    openIdConnect.auth({
      issuerBaseURL: issuer,
      baseURL: origin,
      clientID: clientId,
      clientSecret,
      secret: "a secret of this site for the duration of a test",
      authRequired: false,
      idpLogout: true,
      httpTimeout: 60_000,
      authorizationParams: { response_type: "code", scope: "openid profile email read_user" },
    }),
  );
  app.get("/", (request, response) => {
    const user = request.oidc.user;
    response.send(
      user === undefined
        ? '<h1>Signed out</h1><a href="/login">Sign in</a>'
        : `<h1>Hello, ${user["name"]} (${user["email"]})</h1><a href="/logout">Sign out</a>`,
    );
  });
  app.get("/refresh", openIdConnect.requiresAuth(), async (request, response) => {
    const { accessToken } = request.oidc;
    if (accessToken === undefined) throw new Error("The session has no access token.");
    const before = accessToken.access_token;
    const after = await accessToken.refresh();
    const userInfo = await request.oidc.fetchUserInfo();
    const statusOf = async (/** @type {string} */ token) =>
      (await fetch(`${issuer}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;
    response.json({
      sub: userInfo.sub,
      before: await statusOf(before),
      after: await statusOf(after.access_token),
    });
  });
  const { port, hostname } = new URL(origin);
  const server = app.listen(Number(port), hostname);
  await once(server, "listening");
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
