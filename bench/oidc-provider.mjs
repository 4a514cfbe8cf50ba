// The peer, in a process of its own: oidc-provider with its in-memory adapter, set up as its documentation says.
import Provider from "oidc-provider";

const { ISSUER = "", PORT = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;

const client = {
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  grant_types: ["client_credentials"],
  response_types: [],
  redirect_uris: [],
};

const provider = new Provider(ISSUER, {
  clients: [client],
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    devInteractions: { enabled: false },
  },
});

provider.listen(Number(PORT), "127.0.0.1");
