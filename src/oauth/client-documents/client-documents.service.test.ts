import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as consentRoute from "@app/oauth/consent/route.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings, resetSetting } from "@/instance/settings/service.ts";
import { readConfig } from "@/kernel/config/config.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { prune } from "@/operations/pruning/service.ts";
import {
  authorize,
  CHALLENGE,
  codeFor,
  type Fields,
  redirectParameters,
  refusal,
  requestToken,
  type SignedInUser,
  signedInUser,
  VERIFIER,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { enterUserCode, requestDevice, switchDeviceGrant } from "@/testing/device.ts";
import { revoke, tokensIn } from "@/testing/tokens.ts";
import { setBlocked } from "../applications/administration.ts";
import { admittedScopes } from "../applications/unregistered.ts";

const deps = await openTestDeps();
const LOOPBACK = "http://127.0.0.1/callback";

let ann: SignedInUser;
let site: Server;
let origin: string;
let path = "/client0.json";
let respond: RequestListener;
let requests: string[] = [];

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  site = createServer((request, response) => {
    requests.push(request.url ?? "");
    respond(request, response);
  });
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((closed) => site.close(closed)));

let documentCount = 0;
const clientId = () => origin + path;
const metadata = (changes: object = {}) =>
  JSON.stringify({ client_id: clientId(), client_name: "Agent", redirect_uris: [LOOPBACK], ...changes });
const answer =
  (body: string, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

beforeEach(async () => {
  documentCount += 1;
  path = `/client${documentCount}.json`;
  requests = [];
  respond = (request, response) => answer(metadata())(request, response);
  deps.advance(3_600);
  await deps.db.rateCounter.deleteMany();
});

const query = (changes: Fields = {}): Fields => ({
  client_id: clientId(),
  redirect_uri: LOOPBACK,
  response_type: "code",
  scope: "mcp",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  ...changes,
});

/** Runs the authorization code flow. @returns the response of the token endpoint. */
async function exchange(changes: Fields = {}) {
  const code = await codeFor(deps, ann, query(changes));
  const form = { grant_type: "authorization_code", client_id: clientId(), redirect_uri: LOOPBACK };
  return requestToken({ ...form, code, code_verifier: VERIFIER });
}

const statusOf = async (changes: Fields = {}): Promise<number> =>
  (await authorize(query(changes), ann)).status;

const refreshWith = (refreshToken: string) =>
  requestToken({ grant_type: "refresh_token", client_id: clientId(), refresh_token: refreshToken });

describe("a client that identifies itself by a metadata document", () => {
  it(
    conformance(
      "CD-01",
      "a client with a metadata document gets tokens after consent, and can refresh and revoke the tokens",
    ),
    async () => {
      const { access, refresh } = tokensIn(await exchange());
      expect(access).toMatch(/^ghat_/);
      const refreshed = await refreshWith(refresh);
      expect(refreshed).toMatchObject({ status: 200, body: { scope: "mcp" } });
      expect((await authorize(query(), ann)).headers.get("location")).toContain("/oauth/consent?");
      const token = String(refreshed.body["access_token"]);
      expect((await revoke({ token, client_id: clientId() })).status).toBe(200);
      expect(requests).toEqual([path]);
    },
  );

  it("for a client with a metadata document, the consent page shows the host of the client and the name in the document", async () => {
    const location = (await authorize(query(), ann)).headers.get("location") ?? "";
    const page = await consentRoute.GET(new Request(location, { headers: { cookie: ann.cookie } }));
    const html = await page.text();
    expect(html).toContain("not registered here");
    expect(html).toContain(new URL(origin).host);
    expect(html).toContain("“Agent”");
    expect(html).toContain(clientId());
    expect(html).toContain("not used yet");
  });

  it("a client with a metadata document can use the device grant with the scopes that the instance allows, and the page for the device warns about the client", async () => {
    await switchDeviceGrant(deps, true);
    const response = await requestDevice({ client_id: clientId(), scope: "mcp api unknown" });
    expect(response.status).toBe(200);
    const device = await deps.db.deviceAuthorization.findFirst({ orderBy: { id: "desc" } });
    expect(device?.scopes).toBe("mcp");
    const card = await enterUserCode(ann, String(response.body["user_code"]));
    expect(card.html).toContain("This application is not registered here");
    expect(card.html).toContain(clientId());
    expect(card.html).not.toContain("Any program on this computer");
  });

  it(
    conformance("CD-07", "the metadata document of a client is requested only for a signed-in visitor"),
    async () => {
      const response = await authorize(query());
      expect(response.headers.get("location")).toContain("/users/sign_in?");
      expect(requests).toEqual([]);
    },
  );

  it.each<[string, () => RequestListener]>([
    ["names another client_id", () => answer(metadata({ client_id: `${origin}/other` }))],
    ["contains a secret", () => answer(metadata({ client_secret: "a" }))],
    ["is no JSON", () => answer("<html>")],
    ["has the media type of a text", () => answer(metadata(), { "content-type": "text/plain" })],
    ["has the status 404", () => answer(metadata(), {}, 404)],
    ["is larger than 5 KB", () => answer(metadata({ padding: "a".repeat(5_120) }))],
    ["is a redirect to a private address", () => answer("", { location: "http://169.254.169.254/" }, 302)],
    ["is a redirect to another origin", () => answer("", { location: "https://other.invalid/a" }, 302)],
  ])(
    conformance(
      "CD-02",
      "CD-06",
      "CD-09",
      "a client is refused with an error page if its metadata document %s",
    ),
    async (_kind, listener) => {
      respond = listener();
      const response = await authorize(query(), ann);
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
      expect(await response.text()).toContain("cannot be identified");
      expect(await deps.db.application.count({ where: { uid: clientId() } })).toBe(0);
    },
  );

  it("the URL of a metadata document may redirect once to another document on the same origin", async () => {
    respond = (request, response) =>
      request.url === path
        ? response.writeHead(302, { location: "/moved.json" }).end()
        : answer(metadata())(request, response);
    expect(await statusOf()).toBe(303);
  });

  it("a client may use only redirect URIs that its metadata document contains", async () => {
    expect(await statusOf({ redirect_uri: "https://other.example/callback" })).toBe(400);
  });

  it(conformance("CD-05", "a metadata document that is no longer fresh is requested again"), async () => {
    respond = (request, response) =>
      answer(metadata(), { "cache-control": "max-age=600" })(request, response);
    await statusOf();
    deps.advance(599);
    await statusOf();
    expect(requests.length).toBe(1);
    deps.advance(1);
    respond = answer(metadata({ redirect_uris: ["http://localhost/other"] }));
    expect(await statusOf()).toBe(400);
    expect(requests.length).toBe(2);
  });

  it(
    conformance(
      "CD-05",
      "a client with a stale metadata document still works, and the server requests the document at most once a minute",
    ),
    async () => {
      await statusOf();
      deps.advance(300);
      respond = answer("", {}, 503);
      expect([await statusOf(), await statusOf()]).toEqual([303, 303]);
      expect(requests.length).toBe(2);
      deps.advance(60);
      await statusOf();
      expect(requests.length).toBe(3);
    },
  );

  it(
    conformance(
      "CD-05",
      "simultaneous authorization requests of a client share one request for its document",
    ),
    async () => {
      const concurrent = () => Promise.all([statusOf(), statusOf(), statusOf()]);
      expect(await concurrent()).toEqual([303, 303, 303]);
      expect(requests).toEqual([path]);
      deps.advance(86_400);
      expect(await concurrent()).toEqual([303, 303, 303]);
      expect(requests).toEqual([path, path]);
    },
  );

  it.each<[string, () => RequestListener]>([
    ["responds with the status 500", () => answer("", {}, 500)],
    ["responds with the status 429", () => answer("", {}, 429)],
    ["closes the connection", () => (request) => request.destroy()],
  ])(
    conformance("CD-05", "a client works with a stale metadata document while its site %s"),
    async (_kind, listener) => {
      await statusOf();
      deps.advance(300);
      respond = listener();
      expect(await statusOf()).toBe(303);
    },
  );

  it.each<[string, () => RequestListener]>([
    ["is not found", () => answer("", {}, 404)],
    ["is gone", () => answer("", {}, 410)],
    ["is replaced by a text", () => answer(metadata(), { "content-type": "text/plain" })],
    ["names another client_id", () => answer(metadata({ client_id: `${origin}/other` }))],
    ["is a redirect to a private address", () => answer("", { location: "http://169.254.169.254/" }, 302)],
  ])(
    conformance(
      "CD-11",
      "when a new request shows that the metadata document of a client %s, the client is refused until the document is valid again",
    ),
    async (_kind, listener) => {
      await statusOf();
      deps.advance(300);
      respond = listener();
      expect(await statusOf()).toBe(400);
      respond = answer("", {}, 503);
      deps.advance(60);
      expect(await statusOf()).toBe(400);
      respond = answer(metadata());
      deps.advance(60);
      expect(await statusOf()).toBe(303);
    },
  );

  it.each<[string, () => RequestListener]>([
    ["is not found", () => answer("", {}, 404)],
    ["is gone", () => answer("", {}, 410)],
    ["names another client_id", () => answer(metadata({ client_id: `${origin}/other` }))],
  ])(
    conformance(
      "CD-11",
      "a public client cannot refresh its tokens after its metadata document %s, until the document is valid again",
    ),
    async (_kind, listener) => {
      const { refresh } = tokensIn(await exchange());
      respond = listener();
      const first = tokensIn(await refreshWith(refresh));
      expect(requests, "the document is still fresh").toEqual([path]);
      deps.advance(300);
      expect(await refreshWith(first.refresh)).toMatchObject(refusal("invalid_client"));
      respond = answer(metadata());
      expect(await refreshWith(first.refresh), "the document was just requested").toMatchObject(
        refusal("invalid_client"),
      );
      expect(requests.length).toBe(2);
      deps.advance(60);
      expect((await refreshWith(first.refresh)).status).toBe(200);
    },
  );

  it(
    conformance(
      "CD-05",
      "a public client can refresh its tokens for a day while the site of its metadata document does not respond",
    ),
    async () => {
      const first = tokensIn(await exchange());
      respond = answer("", {}, 503);
      deps.advance(300);
      const second = tokensIn(await refreshWith(first.refresh));
      deps.advance(86_400 - 300);
      const refused = await refreshWith(second.refresh);
      expect(refused).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
      expect(refused.headers.get("retry-after")).toBe("60");
      respond = answer(metadata());
      deps.advance(60);
      expect((await refreshWith(second.refresh)).status).toBe(200);
    },
  );

  it(conformance("CD-12", "an audit event names the changed members of a metadata document"), async () => {
    await statusOf();
    deps.advance(300);
    await statusOf();
    const { id } = await deps.db.application.findUniqueOrThrow({ where: { uid: clientId() } });
    const changes = async () =>
      (
        await deps.db.auditEvent.findMany({
          where: { applicationId: id, name: "application.metadata_changed" },
          orderBy: { id: "asc" },
        })
      ).map(({ userId, details }) => [userId, JSON.parse(details)]);
    expect(await changes()).toEqual([]);
    respond = answer(metadata({ redirect_uris: [LOOPBACK, `${origin}/callback`] }));
    deps.advance(300);
    await statusOf();
    const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x: "AAAA", kid: "a" }] };
    const keys = { token_endpoint_auth_method: "private_key_jwt", jwks, client_name: "Other" };
    respond = answer(metadata(keys));
    deps.advance(300);
    await statusOf();
    expect(await changes()).toEqual([
      [null, { by: "document", members: ["redirect_uris"] }],
      [
        null,
        {
          by: "document",
          members: ["redirect_uris", "token_endpoint_auth_method", "jwks", "client_name"],
        },
      ],
    ]);
  });

  it("a client with a metadata document is refused by every endpoint while the setting client_id_metadata_documents is off", async () => {
    const { refresh } = tokensIn(await exchange());
    await changeSettings(deps, { client_id_metadata_documents: "off" }, ann.user);
    expect(await statusOf()).toBe(400);
    expect(await refreshWith(refresh)).toMatchObject(refusal("invalid_client"));
    await resetSetting(deps, "client_id_metadata_documents", ann.user);
  });

  it("a client with a metadata document gets scopes other than mcp only if the setting client_id_metadata_documents is on", async () => {
    expect(redirectParameters(await authorize(query({ scope: "read_api" }), ann), LOOPBACK)).toMatchObject({
      error: "invalid_scope",
    });
    await changeSettings(deps, { client_id_metadata_documents: "on" }, ann.user);
    expect((await exchange({ scope: "read_api repo:all" })).body).toMatchObject({ scope: "read_api" });
    await resetSetting(deps, "client_id_metadata_documents", ann.user);
  });

  it("a client that an administrator has blocked is refused, and is not removed when it is unused", async () => {
    const { refresh } = tokensIn(await exchange());
    const application = await deps.db.application.findUniqueOrThrow({ where: { uid: clientId() } });
    await setBlocked(deps, ann.user, application.id, true);
    expect(await refreshWith(refresh)).toMatchObject(refusal("invalid_client"));
    deps.advance(30 * 86_400);
    await deps.db.consent.deleteMany({ where: { applicationId: application.id } });
    await deps.db.tokenFamily.deleteMany({ where: { applicationId: application.id } });
    await prune(deps);
    expect(await deps.db.application.count({ where: { uid: clientId() } })).toBe(1);
  });

  it("a client with a metadata document is removed after 7 days if no user has authorized it", async () => {
    ann = await signedInUser(deps, "ben");
    await statusOf();
    deps.advance(7 * 86_400);
    await prune(deps);
    expect(await deps.db.application.count({ where: { uid: clientId() } })).toBe(1);
    deps.advance(1);
    await prune(deps);
    expect(await deps.db.application.count({ where: { uid: clientId() } })).toBe(0);
  });

  it("a client whose client_id is an http URL is refused after the instance has moved to https", async () => {
    const https = { ...deps, config: readConfig({ BASE_URL: "https://id.example" }) };
    expect(await admittedScopes(https, { uid: clientId(), scopes: ["mcp"] })).toEqual([]);
    expect(await admittedScopes(deps, { uid: clientId(), scopes: ["mcp"] })).toEqual(["mcp"]);
    provideDeps(deps);
  });
});
