import { GET as getConsent } from "@app/oauth/consent/route.ts";
import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { decodeJwt } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authenticateGit } from "@/code/git-http/credentials.ts";
import { setBlocked, setResourceServer } from "@/oauth/applications/administration.ts";
import { narrowConsents } from "@/oauth/consents/service.ts";
import { validateIdentifiers } from "@/oauth/resource-servers/rules.ts";
import { identifiersOf, setIdentifiers } from "@/oauth/resource-servers/service.ts";
import {
  authorizationQuery,
  authorize,
  basicOf,
  bearerStatus,
  type Client,
  codeFor,
  encoded,
  exchangeOf,
  type Fields,
  ORIGIN,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { credentialsOf, grantedTokens, introspect, refreshOf, tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const WIKI = "https://wiki.example/api";

let ann: SignedInUser;
let client: Client;
let wiki: Client;
let other: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

beforeEach(async () => {
  await deps.db.application.deleteMany();
  client = await registeredClient(deps, ann.user, { scopes: ["openid", "read_user"] });
  wiki = await registeredClient(deps, ann.user, { name: "Wiki", scopes: ["read_api"] });
  other = await registeredClient(deps, ann.user, { name: "Other", scopes: ["openid", "read_user"] });
  for (const { application } of [wiki, other]) await setResourceServer(deps, ann.user, application.id, true);
  expect(await setIdentifiers(deps, ann.user, wiki.application.id, `${WIKI}\nurn:example:wiki`)).toBeNull();
});

const introspected = async (by: Client, token: string): Promise<Record<string, unknown>> =>
  (await introspect({ ...credentialsOf(by), token })).body;
const userinfoStatus = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await getUserinfo(new Request(`${ORIGIN}/oauth/userinfo`, { headers }))).status;
};
const gitCaller = (token: string) => {
  const headers = { authorization: basicOf("oauth2", token) };
  return authenticateGit(deps, new Request(`${ORIGIN}/a/b.git/info/refs`, { headers }));
};
const errorOf = async (resource: string) => {
  const response = await authorize(authorizationQuery(client, { resource }), ann);
  return new URL(response.headers.get("location") ?? ORIGIN).searchParams.get("error");
};

describe("a token for a resource server", () => {
  it(
    conformance(
      "RI-05",
      "a token for a resource server can be introspected only by this resource server, even after a token refresh",
    ),
    async () => {
      const first = await grantedTokens(deps, ann, client, { scope: "openid read_user", resource: WIKI });
      const second = tokensIn(await requestToken({ ...refreshOf(client, first.refresh), resource: WIKI }));
      const answer = { active: true, aud: WIKI, client_id: client.id, username: "ann" };
      expect(await introspected(wiki, second.access)).toMatchObject(answer);
      expect(await introspected(client, second.access)).toMatchObject(answer);
      expect(await introspected(other, second.access)).toEqual({ active: false });
      expect(await introspected(wiki, second.refresh)).toEqual({ active: false });
      const unlimited = await grantedTokens(deps, ann, client, { scope: "read_user" });
      expect(await introspected(wiki, unlimited.access)).toEqual({ active: false });
      expect(await introspected(other, unlimited.access)).toMatchObject({ active: true, aud: ORIGIN });
    },
  );

  it(
    conformance("RI-05", "a token for a resource server is refused by the API, userinfo and Git"),
    async () => {
      const scope = "openid read_user read_repository";
      const reader = await registeredClient(deps, ann.user, { scopes: scope.split(" ") });
      const { access } = await grantedTokens(deps, ann, reader, { scope, resource: WIKI });
      expect(await bearerStatus(access)).toBe(401);
      expect(await userinfoStatus(access)).toBe(401);
      await expect(gitCaller(access)).rejects.toMatchObject({ status: 401 });
      const unlimited = await grantedTokens(deps, ann, reader, { scope });
      expect(await bearerStatus(unlimited.access)).toBe(200);
      expect(await userinfoStatus(unlimited.access)).toBe(200);
      expect(await gitCaller(unlimited.access)).toMatchObject({ user: { username: "ann" } });
    },
  );

  it(
    conformance(
      "RI-05",
      "the client credentials grant issues a token for a resource server if the request names the resource server",
    ),
    async () => {
      const scopes = ["api", "read_user"];
      const machine = await registeredClient(deps, ann.user, { scopes, clientCredentialsScopes: scopes });
      const form = { grant_type: "client_credentials", ...credentialsOf(machine) };
      const { status, body } = await requestToken({ ...form, resource: WIKI });
      expect(status).toBe(200);
      const access = String(body["access_token"]);
      expect(await introspected(wiki, access)).toMatchObject({ active: true, aud: WIKI, sub: machine.id });
      expect(await introspected(other, access)).toEqual({ active: false });
      expect(await bearerStatus(access)).toBe(401);
      await setResourceServer(deps, ann.user, wiki.application.id, false);
      expect(await requestToken({ ...form, resource: WIKI })).toMatchObject(refusal("invalid_target"));
    },
  );

  it(
    conformance("RI-05", "a JWT for a resource server names the resource server as its audience"),
    async () => {
      const signing = await registeredClient(deps, ann.user, {
        tokens: { accessTokenFormat: "jwt", idTokenAlgorithm: "ES256" },
      });
      const { access } = await grantedTokens(deps, ann, signing, { resource: WIKI });
      expect(decodeJwt(access).aud).toBe(WIKI);
    },
  );

  it(
    conformance(
      "RI-05",
      "the token request of a trusted application may name the resource server if the authorization request named no resource",
    ),
    async () => {
      const trusted = await registeredClient(deps, ann.user, {}, true);
      const exchanged = async (by: Client, named: string | undefined, resource: string) => {
        const code = await codeFor(deps, ann, authorizationQuery(by, { resource: named }));
        return requestToken({ ...exchangeOf(by, code), resource });
      };
      const { access } = tokensIn(await exchanged(trusted, undefined, WIKI));
      expect(await introspected(wiki, access)).toMatchObject({ active: true, aud: WIKI });
      const refused = refusal("invalid_target");
      expect(await exchanged(client, undefined, WIKI)).toMatchObject(refused);
      const publicClient = await registeredClient(deps, ann.user, { confidential: false }, true);
      expect(await exchanged(publicClient, undefined, WIKI)).toMatchObject(refused);
      expect(await exchanged(client, WIKI, "urn:example:wiki")).toMatchObject(refused);
      expect(await exchanged(client, WIKI, ORIGIN)).toMatchObject(refused);
      expect(await exchanged(client, undefined, `${ORIGIN}/api/v4`)).toMatchObject({ status: 200 });
    },
  );

  it(
    conformance("RI-05", "the consent page names the resource server of the authorization request"),
    async () => {
      const query = encoded(authorizationQuery(client, { resource: WIKI, prompt: "consent" }));
      const request = new Request(`${ORIGIN}/oauth/consent?${query}`, { headers: { cookie: ann.cookie } });
      const html = await (await getConsent(request)).text();
      expect(html).toContain("The access is only for <strong>Wiki</strong>");
      expect(html).toContain(WIKI);
    },
  );
});

describe("consent for a resource server", () => {
  /** Returns the decision about an authorization request: a code, an error, or the consent page. */
  const outcomeOf = async (by: Client, changes: Fields) => {
    const response = await authorize(authorizationQuery(by, changes), ann);
    const url = new URL(response.headers.get("location") ?? ORIGIN);
    if (url.pathname === "/oauth/consent") return "consent page";
    return url.searchParams.has("code") ? "code" : url.searchParams.get("error");
  };
  const outcomesOf = async (by: Client, changes: Fields) => [
    await outcomeOf(by, changes),
    await outcomeOf(by, { ...changes, prompt: "none" }),
  ];
  const ASKED = ["consent page", "consent_required"];
  const API = `${ORIGIN}/api/v4`;

  it.each<[string, boolean]>([
    ["a confidential application", true],
    ["a public application", false],
  ])(
    conformance(
      "RI-07",
      "consent for a resource server applies only to one authorization request, and every further request requires consent: %s",
    ),
    async (_what, confidential) => {
      const by = await registeredClient(deps, ann.user, { confidential });
      await codeFor(deps, ann, authorizationQuery(by, { resource: WIKI }));
      for (const resource of [undefined, API, WIKI, "urn:example:wiki"])
        expect(await outcomesOf(by, { resource })).toEqual(ASKED);
    },
  );

  it.each<[string, boolean]>([
    ["a confidential application", true],
    ["a public application", false],
  ])(
    conformance("RI-07", "consent for the API does not apply to a resource server: %s"),
    async (_what, confidential) => {
      const by = await registeredClient(deps, ann.user, { confidential });
      await codeFor(deps, ann, authorizationQuery(by));
      expect(await outcomesOf(by, { resource: WIKI })).toEqual(ASKED);
      await codeFor(deps, ann, authorizationQuery(by, { resource: WIKI }));
      for (const resource of [undefined, API])
        expect(await outcomeOf(by, { resource, prompt: "none" })).toBe("code");
      const where = { applicationId: by.application.id };
      expect(await deps.db.consent.findMany({ where })).toMatchObject([{ scopes: "read_user" }]);
    },
  );

  it(conformance("RI-07", "a trusted application needs no consent for a resource server"), async () => {
    const trusted = await registeredClient(deps, ann.user, {}, true);
    expect(await outcomesOf(trusted, { resource: WIKI })).toEqual(["code", "code"]);
  });

  it("the consent page for a resource server marks no scope as already allowed", async () => {
    await codeFor(deps, ann, authorizationQuery(client));
    const query = encoded(authorizationQuery(client, { scope: "openid read_user", resource: WIKI }));
    const request = new Request(`${ORIGIN}/oauth/consent?${query}`, { headers: { cookie: ann.cookie } });
    expect(await (await getConsent(request)).text()).not.toContain("already allowed");
  });

  it("a user is notified only of the first access of an application to a resource server", async () => {
    const notices = () => deps.db.mailMessage.count({ where: { kind: "application_authorized" } });
    const before = await notices();
    for (const resource of [WIKI, WIKI, "urn:example:wiki"])
      await codeFor(deps, ann, authorizationQuery(client, { resource }));
    expect(await notices()).toBe(before + 1);
    const where = { applicationId: client.application.id };
    await narrowConsents(deps, { id: client.application.id, scopes: ["openid"] });
    expect(await deps.db.consent.findMany({ where })).toMatchObject([{ scopes: "" }]);
    await codeFor(deps, ann, authorizationQuery(client));
    expect(await deps.db.consent.findMany({ where })).toMatchObject([{ scopes: "read_user" }]);
  });
});

describe("the consent to access to a part of the instance", () => {
  const API = `${ORIGIN}/api/v4`;
  const MCP = `${API}/mcp`;
  const locationOf = async (by: Client, changes: Fields) =>
    (await authorize(authorizationQuery(by, changes), ann)).headers.get("location") ?? "";

  it.each([
    ["MCP server", MCP],
    ["API", API],
  ])(
    conformance(
      "RI-08",
      "the consent to access to the %s is not valid for the whole instance, except for the scope mcp",
    ),
    async (_name, resource) => {
      const by = await registeredClient(deps, ann.user, { scopes: ["api", "mcp"] });
      const limited = await grantedTokens(deps, ann, by, { scope: "api mcp", resource });
      expect(await bearerStatus(limited.access)).toBe(resource === API ? 200 : 401);
      expect(await locationOf(by, { scope: "api" })).toContain("/oauth/consent?");
      expect(await locationOf(by, { scope: "api", prompt: "none" })).toContain("error=consent_required");
      expect(await locationOf(by, { scope: "mcp" })).toContain("code=");
    },
  );

  it(
    conformance(
      "RI-08",
      "a consent without a resource is valid for a request that is limited to the MCP server, and the API, userinfo and Git refuse the token",
    ),
    async () => {
      const by = await registeredClient(deps, ann.user, { scopes: ["openid", "api", "mcp"] });
      const scope = "openid api mcp";
      expect(await bearerStatus((await grantedTokens(deps, ann, by, { scope })).access)).toBe(200);
      const code = new URL(await locationOf(by, { scope, resource: MCP, prompt: "none" })).searchParams.get(
        "code",
      );
      const { access } = tokensIn(await requestToken(exchangeOf(by, code ?? "")));
      expect([await bearerStatus(access), await userinfoStatus(access)]).toEqual([401, 401]);
      await expect(gitCaller(access)).rejects.toThrow();
      expect(await introspected(by, access)).toMatchObject({ active: true, aud: MCP });
    },
  );
});

describe("the identifiers of a resource server", () => {
  it(
    conformance(
      "RI-06",
      "the identifiers of a resource server have an effect only while the application is a resource server",
    ),
    async () => {
      expect(await errorOf(WIKI)).not.toBe("invalid_target");
      for (const uri of ["https://wiki.example/", `${WIKI}/`, "https://wiki.example/api?a"])
        expect(await errorOf(uri)).toBe("invalid_target");
      const { access } = await grantedTokens(deps, ann, client, { resource: WIKI });
      await setBlocked(deps, ann.user, wiki.application.id, true);
      expect(await errorOf(WIKI)).toBe("invalid_target");
      await setBlocked(deps, ann.user, wiki.application.id, false);
      await setResourceServer(deps, ann.user, wiki.application.id, false);
      expect(await errorOf(WIKI)).toBe("invalid_target");
      expect(await introspected(wiki, access)).toEqual({ active: false });
    },
  );

  it(
    conformance(
      "RI-06",
      "each identifier of a resource server belongs to one application, and changes of the identifiers are audited",
    ),
    async () => {
      expect(await setIdentifiers(deps, ann.user, other.application.id, WIKI)).toContain(
        "another application",
      );
      expect(await setIdentifiers(deps, ann.user, other.application.id, "https://other.example")).toBeNull();
      expect(await identifiersOf(deps, other.application.id)).toEqual(["https://other.example"]);
      expect(await setIdentifiers(deps, ann.user, client.application.id, "urn:example:client")).toContain(
        "not a resource server",
      );
      expect(await setIdentifiers(deps, ann.user, wiki.application.id, "")).toBeNull();
      expect(await identifiersOf(deps, wiki.application.id)).toEqual([]);
      const name = "application.resource_identifiers_changed";
      expect(await deps.db.auditEvent.count({ where: { name, applicationId: wiki.application.id } })).toBe(2);
    },
  );

  it.each([
    `${ORIGIN}/api/v4/other`,
    "http://wiki.example",
    "/api",
    "https://wiki.example/#part",
    "https://user@wiki.example",
    "javascript:alert(1)",
    "https://wïki.example",
    `https://wiki.example/${"a".repeat(512)}`,
    Array.from({ length: 11 }, (_, index) => `https://wiki.example/${index}`).join("\n"),
  ])(conformance("RI-06", "the identifiers of a resource server are refused: %s"), (text) => {
    expect(validateIdentifiers(text, ORIGIN)).toHaveProperty("problem");
  });
});
