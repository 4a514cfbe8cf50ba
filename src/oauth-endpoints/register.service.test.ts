import { GET as getMetadata } from "@app/.well-known/oauth-authorization-server/route.ts";
import { DELETE, GET, PUT } from "@app/oauth/register/[client_id]/route.ts";
import * as route from "@app/oauth/register/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { setBlocked } from "@/oauth/applications/administration.ts";
import { prune } from "@/operations/pruning/service.ts";
import {
  authorize,
  CHALLENGE,
  codeFor,
  ORIGIN,
  requestToken,
  type SignedInUser,
  signedInUser,
  VERIFIER,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const LOOPBACK = "http://localhost:7777/callback";

let ann: SignedInUser;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

const admit = (dynamic_client_registration: string) =>
  changeSettings(deps, { dynamic_client_registration }, ann.user);

beforeEach(async () => {
  await deps.db.rateCounter.deleteMany();
  await admit("mcp");
});

type Registration = Readonly<{ status: number; body: Record<string, string> }>;

async function registrationOf(response: Response): Promise<Registration> {
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return { status: response.status, body: response.status === 204 ? {} : await response.json() };
}

const json = (method: string, url: string, body: unknown, token?: string) =>
  new Request(url, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });

const register = async (metadata: unknown = { client_name: "Agent", redirect_uris: [LOOPBACK] }) =>
  registrationOf(await route.POST(json("POST", `${ORIGIN}/oauth/register`, metadata)));

async function manage(
  method: "GET" | "PUT" | "DELETE",
  client: Registration["body"],
  body?: unknown,
  token?: string,
) {
  const request = json(
    method,
    client["registration_client_uri"] ?? "",
    body,
    token ?? client["registration_access_token"],
  );
  return registrationOf(await { GET, PUT, DELETE }[method](request));
}

const queryOf = (client: Registration["body"], changes = {}) => ({
  client_id: client["client_id"],
  redirect_uri: LOOPBACK,
  response_type: "code",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  ...changes,
});

describe("dynamic client registration", () => {
  it(
    conformance(
      "CR-01",
      "dynamic client registration registers a public client, which still needs the consent of each user",
    ),
    async () => {
      const { status, body } = await register({
        client_name: "Agent",
        redirect_uris: [LOOPBACK],
        scope: "mcp api offline_access repo:all",
        token_endpoint_auth_method: "client_secret_basic",
        software_statement: "eyJ",
        logo_uri: 5,
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        client_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        client_id_issued_at: expect.any(Number),
        client_name: "Agent",
        redirect_uris: [LOOPBACK],
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: "mcp",
        registration_access_token: expect.stringMatching(/^ghcr_/),
        registration_client_uri: `${ORIGIN}/oauth/register/${body["client_id"]}`,
      });
      const query = queryOf(body, { scope: "mcp api" });
      expect(
        (await authorize({ ...query, code_challenge: undefined }, ann)).headers.get("location"),
      ).toContain("error=invalid_request");
      const code = await codeFor(deps, ann, query);
      const form = { grant_type: "authorization_code", client_id: body["client_id"], redirect_uri: LOOPBACK };
      const issued = await requestToken({ ...form, code, code_verifier: VERIFIER });
      expect(tokensIn(issued).access).toMatch(/^ghat_/);
      expect(issued.body["scope"]).toBe("mcp");
      const stored = await deps.db.dynamicClient.findFirstOrThrow({ include: { application: true } });
      expect(stored.application).toMatchObject({
        name: "[Unverified Dynamic Application] Agent",
        ownerId: null,
      });
      expect(JSON.stringify(stored)).not.toContain(body["registration_access_token"]);
    },
  );

  it("while the setting allows clients to register for all scopes, a new client may use the scopes that it requests, by default all scopes", async () => {
    await admit("on");
    expect((await register({ redirect_uris: [LOOPBACK], scope: "read_api x" })).body["scope"]).toBe(
      "read_api",
    );
    expect((await register({ redirect_uris: [LOOPBACK] })).body["scope"]).toContain("api");
  });

  it.each<[string, unknown, string]>([
    ["a text that is not JSON", "{", "invalid_client_metadata"],
    ["a JSON array", [], "invalid_client_metadata"],
    ["metadata without a redirect URI", { redirect_uris: [] }, "invalid_client_metadata"],
    ["a large body", { redirect_uris: [LOOPBACK], padding: "a".repeat(65_536) }, "invalid_client_metadata"],
    ["a javascript redirect URI", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [
      "a redirect URI with a fragment",
      { redirect_uris: [LOOPBACK, "https://a.example/#b"] },
      "invalid_redirect_uri",
    ],
    ["the out-of-band URI", { redirect_uris: ["urn:ietf:wg:oauth:2.0:oob"] }, "invalid_redirect_uri"],
  ])(conformance("CR-02", "dynamic client registration refuses %s"), async (_kind, metadata, error) => {
    expect(await register(metadata)).toMatchObject({ status: 400, body: { error } });
  });

  it("a dynamically registered client cannot use a name that imitates the instance", async () => {
    const { body } = await register({ client_name: "Gatehouse Login", redirect_uris: [LOOPBACK] });
    expect(body).not.toHaveProperty("client_name");
  });

  it(
    conformance(
      "CR-03",
      "the server announces and accepts dynamic client registration only while the setting allows clients to register themselves",
    ),
    async () => {
      const { body } = await register();
      const metadata = async () => (await getMetadata(new Request(ORIGIN))).json();
      expect(await metadata()).toMatchObject({ registration_endpoint: `${ORIGIN}/oauth/register` });
      await admit("off");
      expect(await metadata()).not.toHaveProperty("registration_endpoint");
      expect(await register()).toMatchObject({ status: 403, body: { error: "access_denied" } });
      expect((await authorize(queryOf(body), ann)).status).toBe(400);
    },
  );

  it(
    conformance(
      "CR-03",
      "a dynamically registered client gets tokens only for scopes that the setting still allows",
    ),
    async () => {
      await admit("on");
      const { body } = await register({ redirect_uris: [LOOPBACK], scope: "mcp api" });
      const by = { client_id: body["client_id"], redirect_uri: LOOPBACK };
      const exchange = (code: string) =>
        requestToken({ ...by, grant_type: "authorization_code", code, code_verifier: VERIFIER });
      const refreshed = (refresh_token: string) =>
        requestToken({ ...by, grant_type: "refresh_token", refresh_token });
      const narrow = tokensIn(await exchange(await codeFor(deps, ann, queryOf(body, { scope: "mcp" }))));
      const wide = tokensIn(await exchange(await codeFor(deps, ann, queryOf(body, { scope: "mcp api" }))));
      const code = await codeFor(deps, ann, queryOf(body, { scope: "mcp api" }));
      await admit("mcp");
      const refused = { status: 400, body: { error: "invalid_grant" } };
      expect(await exchange(code)).toMatchObject(refused);
      expect(await refreshed(wide.refresh)).toMatchObject(refused);
      expect((await refreshed(narrow.refresh)).status).toBe(200);
      await admit("on");
      expect((await refreshed(wide.refresh)).status).toBe(200);
    },
  );

  it(
    conformance("CR-04", "the number of dynamic client registrations is limited for each IP address"),
    async () => {
      await changeSettings(deps, { limit_client_registration_per_address: "2" }, ann.user);
      expect([await register(), await register(), await register()].map(({ status }) => status)).toEqual([
        201, 201, 429,
      ]);
      await changeSettings(deps, { limit_client_registration_per_address: "20" }, ann.user);
    },
  );

  it(
    conformance(
      "BL-07",
      "dynamic client registration registers a backchannel_logout_uri on the origin of a redirect URI",
    ),
    async () => {
      const redirect_uris = ["https://app.example/callback"];
      const logout = {
        backchannel_logout_uri: "https://app.example/logout",
        backchannel_logout_session_required: true,
      };
      const { status, body } = await register({ redirect_uris, ...logout });
      expect(status).toBe(201);
      expect(body).toMatchObject(logout);
      expect((await manage("GET", body)).body).toMatchObject(logout);
      expect((await manage("PUT", body, { redirect_uris })).body).not.toHaveProperty(
        "backchannel_logout_uri",
      );
      const foreign = { redirect_uris, backchannel_logout_uri: "https://victim.example/" };
      expect(await register(foreign)).toMatchObject({
        status: 400,
        body: { error: "invalid_client_metadata" },
      });
    },
  );
});

describe("the management of a registration", () => {
  it(
    conformance(
      "CR-05",
      "a client can read, replace and delete its registration with the registration access token",
    ),
    async () => {
      const { body } = await register();
      expect(await manage("GET", body)).toEqual({ status: 200, body });
      const redirect_uris = ["https://agent.example/callback"];
      const changed = await manage("PUT", body, { client_id: body["client_id"], redirect_uris });
      expect(changed).toMatchObject({ status: 200, body: { redirect_uris, application_type: "web" } });
      expect((await authorize(queryOf(body), ann)).status).toBe(400);
      expect(await manage("DELETE", body)).toEqual({ status: 204, body: {} });
      expect(await manage("GET", body)).toMatchObject({ status: 401, body: { error: "invalid_token" } });
      expect((await authorize(queryOf(body), ann)).status).toBe(400);
    },
  );

  it(
    conformance("SC-17", "CR-08", "audit events record how a client changes and deletes its registration"),
    async () => {
      const { body } = await register();
      const { id } = await deps.db.application.findUniqueOrThrow({ where: { uid: body["client_id"] ?? "" } });
      await manage("PUT", body, { client_name: "Agent", redirect_uris: [LOOPBACK] });
      const redirect_uris = ["https://agent.example/callback"];
      await manage("PUT", body, { client_name: "Other", redirect_uris });
      await manage("DELETE", body);
      const events = await deps.db.auditEvent.findMany({
        where: { applicationId: id },
        orderBy: { id: "asc" },
      });
      const members = ["client_name", "redirect_uris", "application_type"];
      expect(events.map(({ name, details }) => [name, JSON.parse(details)])).toEqual([
        ["application.admitted", { by: "registration", uid: body["client_id"] }],
        ["application.metadata_changed", { by: "registration", members }],
        ["application.removed", { name: "[Unverified Dynamic Application] Other" }],
      ]);
    },
  );

  it(
    conformance(
      "CR-05",
      "the endpoint that manages a registration refuses requests with the token of another client, requests without a token, and requests of blocked clients",
    ),
    async () => {
      const [first, second] = [(await register()).body, (await register()).body];
      expect((await manage("GET", first, undefined, second["registration_access_token"])).status).toBe(401);
      expect((await manage("DELETE", first, undefined, "")).status).toBe(401);
      const { id } = await deps.db.application.findUniqueOrThrow({
        where: { uid: first["client_id"] ?? "" },
      });
      await setBlocked(deps, ann.user, id, true);
      expect((await manage("DELETE", first)).status).toBe(401);
    },
  );

  it(
    conformance(
      "CR-05",
      "the endpoint that manages a registration accepts the registration access token only in the header",
    ),
    async () => {
      const { body } = await register();
      const url = `${body["registration_client_uri"]}?access_token=${body["registration_access_token"]}`;
      expect((await registrationOf(await GET(new Request(url)))).status).toBe(401);
    },
  );

  it(
    conformance("CR-07", "a client cannot replace its registration with the metadata of another client"),
    async () => {
      const [first, second] = [(await register()).body, (await register()).body];
      const redirect_uris = ["https://agent.example/callback"];
      for (const client_id of [second["client_id"], 7, null])
        expect(await manage("PUT", first, { client_id, redirect_uris })).toMatchObject({
          status: 400,
          body: { error: "invalid_client_metadata" },
        });
      expect((await manage("GET", first)).body).toEqual(first);
    },
  );

  it(
    conformance("CR-06", "a registration ends after 7 days if no user has authorized the client"),
    async () => {
      const { body } = await register();
      deps.advance(7 * 86_400 + 1);
      await prune(deps);
      expect((await manage("GET", body)).status).toBe(401);
    },
  );
});
