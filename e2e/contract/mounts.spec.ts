import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";

/**
 * The headers that clients may rely on. `Date`, `Vary`, `Content-Length` and `Allow` differ between the
 * servers of `npm start` and `next start`.
 */
const HEADERS = [
  "content-type",
  "cache-control",
  "pragma",
  "www-authenticate",
  "x-content-type-options",
  "x-frame-options",
  "referrer-policy",
  "location",
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-expose-headers",
  "retry-after",
] as const;

type Row = Readonly<{
  requestLine: string;
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /**
   * Whether the response is a page of Next.js. The body of a Next.js page is not compared, because it
   * contains build names and a nonce.
   */
  page?: true;
  /** The title of the test, if this row checks a rule of the conformance catalog. */
  title?: string;
}>;

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const BASIC = { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" };

const PREFLIGHT = {
  origin: "https://spa.example",
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization",
};
const X_REQUESTED_WITH = { "access-control-request-headers": "x-requested-with" };

/** The method and the request target, which is sent unchanged. */
const ROWS: readonly Row[] = [
  { requestLine: "GET /-/health", status: 200 },
  { requestLine: "GET /-/health/", status: 200 },
  { requestLine: "GET /-/health?x=//../%zz", status: 200 },
  { requestLine: "HEAD /-/health", status: 200 },
  { requestLine: "OPTIONS /-/health", status: 204 },
  { requestLine: "POST /-/health", status: 405 },
  { requestLine: "PROPFIND /-/health", status: 405 },
  { requestLine: "TRACE /-/health", status: 405 },
  { requestLine: "PROPFIND /api/v4/user", status: 405 },
  { requestLine: "TRACE /oauth/token", status: 405 },
  { requestLine: "PUT /api/v5/geo_nodes", status: 404 },
  { requestLine: "GET /-/liveness", status: 200 },
  { requestLine: "GET /-/readiness", status: 200 },
  { requestLine: "GET /-/search?search=projects", status: 200 },
  { requestLine: "GET /-/errors/1", status: 404 },
  { requestLine: "GET /search?search=projects", status: 200, page: true },
  { requestLine: "GET /-/nothing", status: 404, page: true },
  { requestLine: "GET /nothing/at/all", status: 404, page: true },
  { requestLine: "GET /api/v4/nothing", status: 404 },
  { requestLine: "GET /api/v6/user", status: 404 },
  { requestLine: "POST /api/v6", status: 404 },
  { requestLine: "GET /api/V5/user", status: 401 },
  { requestLine: "GET /api/auth/session", status: 200 },
  { requestLine: "POST /api/v4/nothing/at/all", status: 404 },
  { requestLine: "GET /api/v4/openapi.json", status: 200 },
  { requestLine: "POST /api/graphql", status: 401 },
  { requestLine: "GET /api/v5/openapi.json", status: 200 },
  {
    requestLine: "POST /api/v4/openapi.json",
    status: 405,
    title: conformance("SC-27", "POST /api/v4/openapi.json returns 405"),
  },
  {
    requestLine: "DELETE /api/v5/user",
    status: 405,
    title: conformance("SC-27", "DELETE /api/v5/user returns 405"),
  },
  {
    requestLine: "PUT /api/graphql",
    status: 405,
    title: conformance("SC-27", "PUT /api/graphql returns 405"),
  },
  {
    requestLine: "HEAD /api/v4/jobs/request",
    status: 405,
    title: conformance("SC-27", "HEAD /api/v4/jobs/request returns 405"),
  },
  { requestLine: "GET /help/api", status: 200, page: true },
  { requestLine: "GET /api/v3", status: 410 },
  { requestLine: "GET /api/v3/user", status: 410 },
  { requestLine: "POST /api/v3/projects/1/members/", status: 410 },
  { requestLine: "GET /api/v4/version", status: 401 },
  { requestLine: "GET /api/v4/users/1", status: 401 },
  { requestLine: "GET /api/v4/personal_access_tokens/self", status: 401 },
  { requestLine: "DELETE /api/v5/personal_access_tokens/1", status: 401 },
  { requestLine: "GET //", status: 307, page: true, title: conformance("SC-23", "GET // returns 307") },
  {
    requestLine: "GET //evil.example/",
    status: 404,
    page: true,
    title: conformance("SC-23", "GET //evil.example/ returns 404"),
  },
  {
    requestLine: "POST /oauth//token",
    status: 400,
    title: conformance("SC-23", "POST /oauth//token returns 400"),
  },
  {
    requestLine: "GET //api///v4//user",
    status: 401,
    title: conformance("SC-23", "GET //api///v4//user returns 401"),
  },
  {
    requestLine: "GET http://other.example/-/health",
    status: 200,
    title: conformance("SC-23", "GET http://other.example/-/health returns 200"),
  },
  {
    requestLine: "GET http://other.example/help/connect",
    status: 200,
    page: true,
    title: conformance("SC-23", "GET http://other.example/help/connect returns 200"),
  },
  {
    requestLine: "GET http://a:b@other.example/-/health",
    status: 400,
    title: conformance("SC-23", "GET http://a:b@other.example/-/health returns 400"),
  },
  { requestLine: "GET /oauth/./token", status: 400 },
  { requestLine: "GET /oauth/../api/v4/user", status: 400 },
  { requestLine: "GET /oauth/%2e%2e/api/v4/user", status: 400 },
  { requestLine: "GET /oauth\\token", status: 400 },
  { requestLine: "GET /api/v4/%zz", status: 400 },
  { requestLine: "GET /api/v4/%00", status: 400 },
  { requestLine: "GET /api/v4/%c3%28", status: 400 },
  { requestLine: "GET /-/user_settings/applications", status: 303 },
  { requestLine: "GET /profile/applications", status: 303 },
  { requestLine: "POST /oauth/token", status: 400 },
  {
    requestLine: "POST /oauth/token/",
    status: 400,
    title: conformance("XC-14", "POST /oauth/token/ returns 400"),
  },
  { requestLine: "POST /oauth/token", headers: FORM, body: "grant_type=nothing", status: 400 },
  {
    requestLine: "POST /oauth/token",
    headers: { ...FORM, ...BASIC },
    body: "grant_type=authorization_code&code=x",
    status: 401,
  },
  {
    requestLine: "POST /oauth/token",
    headers: { "content-type": "text/plain" },
    body: "grant_type=x",
    status: 400,
  },
  {
    requestLine: "GET /oauth/token",
    status: 405,
    title: conformance("XC-01", "GET /oauth/token returns 405"),
  },
  { requestLine: "HEAD /oauth/revoke", status: 405 },
  { requestLine: "GET /oauth/introspect", status: 405 },
  { requestLine: "POST /oauth/token/info", status: 405 },
  { requestLine: "PATCH /oauth/register/unknown", status: 405 },
  { requestLine: "DELETE /oauth/device", status: 405 },
  { requestLine: "OPTIONS /oauth/token", headers: PREFLIGHT, status: 204 },
  { requestLine: "OPTIONS /oauth/token", headers: { ...PREFLIGHT, ...X_REQUESTED_WITH }, status: 204 },
  { requestLine: "OPTIONS /oauth/revoke", headers: PREFLIGHT, status: 204 },
  { requestLine: "OPTIONS /oauth/userinfo", headers: PREFLIGHT, status: 204 },
  { requestLine: "OPTIONS /oauth/token/info", headers: PREFLIGHT, status: 204 },
  { requestLine: "OPTIONS /oauth/discovery/keys", headers: PREFLIGHT, status: 204 },
  { requestLine: "OPTIONS /oauth/introspect", headers: PREFLIGHT, status: 204 },
  { requestLine: "OPTIONS /api/v4/user", headers: PREFLIGHT, status: 204 },
  {
    requestLine: "POST /oauth/token",
    headers: FORM,
    body: "grant_type=password&username=nobody",
    status: 400,
  },
  {
    requestLine: "POST /oauth/token",
    headers: FORM,
    body: "grant_type=refresh_token&refresh_token=x",
    status: 400,
  },
  { requestLine: "POST /oauth/revoke", headers: FORM, body: "", status: 400 },
  { requestLine: "POST /oauth/revoke", headers: FORM, body: "token=unknown", status: 200 },
  { requestLine: "POST /oauth/revoke", headers: { ...FORM, ...BASIC }, body: "token=unknown", status: 403 },
  { requestLine: "POST /oauth/introspect", headers: FORM, body: "token=unknown", status: 401 },
  {
    requestLine: "POST /oauth/introspect",
    headers: { ...FORM, ...BASIC },
    body: "token=unknown",
    status: 401,
  },
  { requestLine: "GET /oauth/token/info", status: 401 },
  { requestLine: "GET /oauth/token/info?access_token=unknown", status: 401 },
  { requestLine: "GET /oauth/userinfo", status: 401 },
  { requestLine: "POST /oauth/userinfo", headers: { authorization: "Bearer unknown" }, status: 401 },
  { requestLine: "POST /oauth/authorize_device", headers: FORM, body: "client_id=x", status: 404 },
  { requestLine: "GET /oauth/device", status: 404 },
  { requestLine: "GET /oauth/consent?client_id=nobody", status: 303 },
  { requestLine: "POST /oauth/consent", headers: FORM, body: "client_id=nobody", status: 405 },
  { requestLine: "GET /oauth/end_session", status: 200 },
  { requestLine: "GET /oauth/end_session?client_id=a&client_id=b", status: 400 },
  { requestLine: "POST /oauth/end_session", headers: FORM, body: "client_id=nobody", status: 303 },
  {
    requestLine: "POST /oauth/par",
    headers: FORM,
    body: "client_id=x",
    status: 401,
    title: conformance("PR-05", "POST /oauth/par refuses an unknown client"),
  },
  {
    requestLine: "POST /oauth/registration",
    status: 404,
    page: true,
    title: conformance("DC-05", "POST /oauth/registration returns 404"),
  },
  {
    requestLine: "GET /oauth/token/info/x.css",
    status: 404,
    page: true,
    title: conformance("AT-38", "GET /oauth/token/info/x.css returns 404"),
  },
  { requestLine: "GET /.well-known/openid-configuration", status: 200 },
  { requestLine: "GET /.well-known/oauth-authorization-server", status: 200 },
  { requestLine: "GET /api/v4/application/settings", status: 401 },
  { requestLine: "GET /api/v4/features", status: 401 },
  { requestLine: "GET /oauth/authorize", status: 400 },
  { requestLine: "GET /oauth/authorize?client_id=nobody&redirect_uri=https://app.example/", status: 400 },
  { requestLine: "GET /admin/audit_events/export", status: 303 },
  { requestLine: "HEAD /admin/audit_events/export?format=csv&person=ann", status: 303 },
  { requestLine: "POST /admin/audit_events/export", status: 405 },
  { requestLine: "GET /api/v4/user", status: 401 },
  { requestLine: "GET /api/v4/user/", status: 401 },
  { requestLine: "GET /api/v5/user", status: 401 },
  { requestLine: "GET /api/v4/user", headers: { authorization: "Bearer nothing" }, status: 401 },
  { requestLine: "GET /api/v4/user?access_token=nothing", status: 401 },
];

const MOUNTS = ["server", "next"] as const;
let mounts: readonly Instance[] = [];

test.beforeAll(async () => {
  mounts = await Promise.all(MOUNTS.map((mount) => startInstance({ mount })));
});

test.afterAll(async () => {
  await Promise.all(mounts.map((mount) => mount.stop()));
});

async function send({ baseUrl }: Instance, row: Row) {
  const [method = "", path = ""] = row.requestLine.split(" ");
  const { hostname, port } = new URL(baseUrl);
  const outgoing = httpRequest({ hostname, port, method, path, headers: row.headers, agent: false });
  outgoing.end(row.body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
  const headers = Object.fromEntries(HEADERS.map((name) => [name, incoming.headers[name] ?? null]));
  return {
    status: incoming.statusCode,
    // Error pages contain the URL of the instance and the id of the request, which differ between the two
    // servers.
    headers: JSON.parse(JSON.stringify(headers).replaceAll(baseUrl, "BASE_URL")),
    body:
      row.page === true
        ? null
        : body.replaceAll(baseUrl, "BASE_URL").replaceAll(String(incoming.headers["x-request-id"]), "NUMBER"),
  };
}

for (const [index, row] of ROWS.entries())
  test(
    row.title ??
      `${index + 1}. the servers of npm start and next start return ${row.status} for ${row.requestLine} ${row.body ?? ""}`.trim(),
    async () => {
      const [direct, next] = await Promise.all(mounts.map((mount) => send(mount, row)));
      expect(direct).toEqual(next);
      expect(direct?.status).toBe(row.status);
    },
  );

test("the servers that `npm start` and `next start` run add a request id to every response, and log each request once, without the query", async () => {
  for (const mount of mounts) {
    const id = crypto.randomUUID();
    const secret = "ghat_contractcontractcontract";
    const headers = { "x-request-id": id, authorization: `Bearer ${secret}`, cookie: `a=${secret}` };
    const response = await fetch(`${mount.baseUrl}/api/v4/user?access_token=${secret}`, { headers });
    expect(response.headers.get("x-request-id")).toBe(id);
    await expect.poll(() => mount.log().split(id).length - 1).toBe(1);
    expect(mount.log()).not.toContain(secret);
  }
});

for (const [index, mount] of MOUNTS.entries())
  test(
    conformance("SC-45", `a request with a malformed body gets 400, in the server mode ${mount}`),
    async () => {
      const baseUrl = mounts[index]?.baseUrl;
      const post = async (path: string, type: string, body: string) => {
        const response = await fetch(`${baseUrl}${path}`, {
          method: "POST",
          headers: { "content-type": type, "x-request-id": "0123456789abcdef" },
          body,
          redirect: "manual",
        });
        return { status: response.status, text: await response.text() };
      };
      for (const [type, body] of [
        ["multipart/form-data", "x"],
        ["multipart/form-data; boundary=a", ""],
        ["multipart/form-data; boundary=a", "no boundary at all"],
        ["multipart/form-data; boundary=a", "--a\r\nbroken header\r\n\r\n"],
        ["multipart/form-data; boundary=a", '--a\r\nContent-Disposition: form-data; name="b"\r\n\r\nno end'],
      ] as const)
        for (const path of ["/", "/help/connect", "/projects", "/nothing/here"]) {
          const { status, text } = await post(path, type, body);
          expect(status, `${path} ${type} ${body}`).toBe(400);
          expect(text).toContain("This form is invalid");
          expect(text).toContain("0123456789abcdef");
        }
      const form = '--a\r\nContent-Disposition: form-data; name="b"\r\n\r\nc\r\n--a--\r\n';
      // Next.js itself refuses a form that names no server action.
      const readable = await post("/help/connect", "multipart/form-data; boundary=a", form);
      expect(readable.status).toBe(400);
      expect(readable.text).not.toContain("This form is invalid");
      for (const body of ["{", "null", "[]", ""])
        for (const path of ["/api/auth/session", "/api/auth/signout"])
          expect((await post(path, "application/json", body)).status, `${path} ${body}`).toBe(400);
    },
  );
