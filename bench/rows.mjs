import { REDIRECT_URI } from "./browser.mjs";
import { assertionOf, basic, dpopHeader } from "./credentials.mjs";

/**
 * The compared calls. A row has two calls, one to each server; `target` is the required ratio of requests per
 * second between the first and the second call. For a row with `processorTime`, `target` is the maximum ratio
 * of the processor time per request. With the value `"difference"`, `target` is the maximum difference in
 * microseconds. The rows of one part are measured together, and form one table of the report. A row with
 * `byHand` is measured only if the command line names the row.
 *
 * The tokens of a call are distributed over the connections, and each connection sends one request for each
 * of its tokens in turn. For a call with `next`, the following request uses the token of the response. For a
 * call with `once`, each token is used once, and a round ends after the last token. For a call with `fresh`,
 * each request is created separately, because a signed assertion or proof is valid once. Every response must
 * have the status of the call and pass `isRight`.
 *
 * @typedef {{ baseUrl: string, clientId: string, clientSecret: string, publicClientId: string, assertingClientId:
 * string, privateJwk: import("node:crypto").JsonWebKey }} Facts
 * @typedef {{ accessTokens: Take, refreshTokens: Take, codes: Take, deviceCodes: Take, noTokens: Take,
 * boundTokens: Take, storedTokens: Take }} Sources
 * @typedef {() => Promise<readonly string[]>} Take
 * @typedef {{ pid: number | undefined, facts: Facts, sources: Partial<Sources> }} Server
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} Request
 * @typedef {{ server: ServerName, label: string, tokens: keyof Sources, request: (facts: Facts, token:
 * string) => Request, status: number, isRight: (body: Record<string, unknown>) => boolean, next?: (body:
 * Record<string, unknown>) => string, once?: true, fresh?: true }} Call
 * @typedef {"gatehouse" | "silent" | "peer" | "bare" | "fewTokens" | "manyTokens" | "veryManyTokens" |
 * "twoWorkers" | "postgresql" | "postgresqlTwoWorkers"} ServerName
 * @typedef {"peer" | "bare" | "workers" | "tokens"} RowPart
 */

/** The names of the servers in a report. @type {Readonly<Record<ServerName, string>>} */
export const SERVERS = {
  gatehouse: "Gatehouse",
  silent: "Gatehouse, without log",
  peer: "oidc-provider",
  bare: "node:http",
  fewTokens: "Gatehouse, 10 tokens",
  manyTokens: "Gatehouse, 1,000,000 tokens",
  veryManyTokens: "Gatehouse, 10,000,000 tokens",
  twoWorkers: "Gatehouse, two workers",
  postgresql: "Gatehouse, PostgreSQL",
  postgresqlTwoWorkers: "Gatehouse, PostgreSQL, two workers",
};

export const CONNECTIONS = 32;

/** @type {(facts: Facts) => { authorization: string }} */
const asClient = ({ clientId, clientSecret }) => ({ authorization: basic(clientId, clientSecret) });

/** @type {(path: string, headers: Record<string, string>, form: Record<string, string>) => Request} */
const post = (path, headers, form) => ({
  method: "POST",
  path,
  headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
  body: String(new URLSearchParams(form)),
});

/** @type {(path: string) => Pick<Call, "label" | "request" | "status">} */
const bearerGet = (path) => ({
  label: `GET ${path}`,
  request: (_facts, token) => ({ method: "GET", path, headers: { authorization: `Bearer ${token}` } }),
  status: 200,
});

/** @type {(server: ServerName, path: string) => Call} */
const introspection = (server, path) => ({
  server,
  label: `POST ${path}`,
  tokens: "accessTokens",
  request: (facts, token) => post(path, asClient(facts), { token }),
  status: 200,
  isRight: ({ active }) => active === true,
});

/** @type {(server: ServerName, path: string) => Call} */
const refresh = (server, path) => ({
  server,
  label: `POST ${path}`,
  tokens: "refreshTokens",
  request: (facts, token) =>
    post(path, asClient(facts), { grant_type: "refresh_token", refresh_token: token }),
  status: 200,
  isRight: ({ access_token, refresh_token }) =>
    typeof access_token === "string" && typeof refresh_token === "string",
  next: ({ refresh_token }) => String(refresh_token),
});

/** A read with an access token that is bound to a key. @type {(server: ServerName, path: string) => Call} */
const boundRead = (server, path) => ({
  server,
  label: `GET ${path}, DPoP`,
  tokens: "boundTokens",
  request: (facts, token) => {
    const [accessToken = "", nonce = ""] = token.split(" ");
    const dpop = dpopHeader(facts, { method: "GET", path, nonce, accessToken });
    return { method: "GET", path, headers: { authorization: `DPoP ${accessToken}`, dpop } };
  },
  status: 200,
  isRight: ({ id, sub }) => id !== undefined || sub !== undefined,
  fresh: true,
});

/** A token request that the client signs. @type {(server: ServerName, path: string) => Call} */
const signedTokenRequest = (server, path) => ({
  server,
  label: `POST ${path}, private_key_jwt`,
  tokens: "noTokens",
  request: (facts) => post(path, {}, { grant_type: "client_credentials", ...assertionOf(facts) }),
  status: 200,
  isRight: ({ access_token }) => typeof access_token === "string",
  fresh: true,
});

/** @type {(server: ServerName, path: string) => Call} */
const codeExchange = (server, path) => ({
  server,
  label: `POST ${path}`,
  tokens: "codes",
  request: (facts, token) =>
    post(path, asClient(facts), {
      grant_type: "authorization_code",
      code: token,
      redirect_uri: REDIRECT_URI,
    }),
  status: 200,
  isRight: ({ access_token, refresh_token }) =>
    typeof access_token === "string" && typeof refresh_token === "string",
  once: true,
});

/** @type {(server: ServerName) => Call} */
const currentUser = (server) => ({
  ...bearerGet("/api/v4/user"),
  server,
  tokens: "accessTokens",
  isRight: ({ username, state }) => username === "root" && state === "active",
});

/** @type {(server: ServerName, path: string, isRight: Call["isRight"]) => Call} */
const publicGet = (server, path, isRight) => ({
  server,
  label: `GET ${path}`,
  tokens: "noTokens",
  request: () => ({ method: "GET", path }),
  status: 200,
  isRight,
});

/** @type {(server: ServerName) => Call} */
const health = (server) => publicGet(server, "/-/health", ({ status }) => status === "ok");

/** @type {(server: ServerName, path: string) => Call} */
const pendingPoll = (server, path) => ({
  server,
  label: `POST ${path}`,
  tokens: "deviceCodes",
  request: ({ publicClientId }, token) =>
    post(
      path,
      {},
      {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: token,
        client_id: publicClientId,
      },
    ),
  status: 400,
  isRight: ({ error }) => error === "authorization_pending",
});

/** @type {(server: ServerName) => Call} */
const tokenInfo = (server) => ({
  ...bearerGet("/oauth/token/info"),
  server,
  tokens: server === "gatehouse" ? "accessTokens" : "storedTokens",
  isRight: ({ scope }) => Array.isArray(scope) && scope[0] === "read_user",
});

/**
 * @type {readonly { name: string, part: RowPart, target: number, processorTime?: "ratio" | "difference", byHand?: true,
 * calls: readonly [Call, Call] }[]}
 */
export const ROWS = [
  {
    name: "Bearer-checked read",
    part: "peer",
    target: 2,
    calls: [currentUser("gatehouse"), introspection("peer", "/token/introspection")],
  },
  {
    name: "Introspection",
    part: "peer",
    target: 2,
    calls: [introspection("gatehouse", "/oauth/introspect"), introspection("peer", "/token/introspection")],
  },
  {
    name: "Token info",
    part: "peer",
    target: 1,
    calls: [tokenInfo("gatehouse"), introspection("peer", "/token/introspection")],
  },
  {
    name: "Refresh rotation",
    part: "peer",
    target: 2,
    calls: [refresh("gatehouse", "/oauth/token"), refresh("peer", "/token")],
  },
  {
    name: "Code exchange",
    part: "peer",
    target: 1.5,
    calls: [codeExchange("gatehouse", "/oauth/token"), codeExchange("peer", "/token")],
  },
  {
    name: "Poll with a pending device code",
    part: "peer",
    target: 2,
    calls: [pendingPoll("gatehouse", "/oauth/token"), pendingPoll("peer", "/token")],
  },
  {
    name: "Read with a DPoP-bound token",
    part: "peer",
    target: 1,
    calls: [boundRead("gatehouse", "/api/v4/user"), boundRead("peer", "/me")],
  },
  {
    name: "Token request with a client assertion",
    part: "peer",
    target: 1,
    calls: [signedTokenRequest("gatehouse", "/oauth/token"), signedTokenRequest("peer", "/token")],
  },
  {
    name: "Current user, compared with a bare node:http server",
    part: "bare",
    target: 0.35,
    calls: [currentUser("gatehouse"), currentUser("bare")],
  },
  {
    name: "Health endpoint, compared with a bare node:http server",
    part: "bare",
    target: 1.8,
    processorTime: "ratio",
    calls: [health("gatehouse"), health("bare")],
  },
  {
    name: "Introspection, compared with a bare node:http server",
    part: "bare",
    target: 3,
    processorTime: "ratio",
    calls: [introspection("gatehouse", "/oauth/introspect"), introspection("bare", "/oauth/introspect")],
  },
  {
    name: "Access log",
    part: "bare",
    target: 8,
    processorTime: "difference",
    calls: [health("gatehouse"), health("silent")],
  },
  {
    name: "Public keys, compared with the health endpoint",
    part: "bare",
    target: 0.9,
    calls: [
      publicGet("gatehouse", "/oauth/discovery/keys", ({ keys }) => Array.isArray(keys)),
      health("gatehouse"),
    ],
  },
  {
    name: "Discovery document, compared with the health endpoint",
    part: "bare",
    target: 0.9,
    calls: [
      publicGet("gatehouse", "/.well-known/openid-configuration", ({ issuer }) => typeof issuer === "string"),
      health("gatehouse"),
    ],
  },
  {
    name: "Reads with two workers, compared with one process",
    part: "workers",
    target: 1.7,
    calls: [currentUser("twoWorkers"), currentUser("gatehouse")],
  },
  {
    name: "Refreshes with two workers, compared with one process",
    part: "workers",
    target: 1.4,
    calls: [refresh("twoWorkers", "/oauth/token"), refresh("gatehouse", "/oauth/token")],
  },
  {
    name: "Reads on PostgreSQL with two workers, compared with one process",
    part: "workers",
    target: 1.7,
    calls: [currentUser("postgresqlTwoWorkers"), currentUser("postgresql")],
  },
  {
    name: "Refreshes on PostgreSQL with two workers, compared with one process",
    part: "workers",
    target: 1.4,
    calls: [refresh("postgresqlTwoWorkers", "/oauth/token"), refresh("postgresql", "/oauth/token")],
  },
  {
    name: "Token info with many stored tokens",
    part: "tokens",
    target: 0.95,
    calls: [tokenInfo("manyTokens"), tokenInfo("fewTokens")],
  },
  {
    name: "Token info with very many stored tokens",
    part: "tokens",
    target: 0.9,
    byHand: true,
    calls: [tokenInfo("veryManyTokens"), tokenInfo("fewTokens")],
  },
];
