// An OpenID Connect provider with its default pages for sign-in and consent: `node oidc-provider-site.mjs
// ISSUER`. The environment variables CLIENT_ID, CLIENT_SECRET and REDIRECT_URI describe the only client of
// the provider.
import Provider from "oidc-provider";

const [issuer = ""] = process.argv.slice(2);
const { CLIENT_ID = "", CLIENT_SECRET = "", REDIRECT_URI = "" } = process.env;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_types: ["authorization_code"],
      response_types: ["code"],
      redirect_uris: [REDIRECT_URI],
    },
  ],
  pkce: { required: () => true },
  // The provider accepts every login name, and uses the login name as the subject (`sub`) of the account.
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `Dr. ${id}`,
      preferred_username: id,
      email: `${id}@acme.example`,
      email_verified: true,
    }),
  }),
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
  features: { devInteractions: { enabled: true } },
});

provider.listen(Number(new URL(issuer).port), "127.0.0.1");
