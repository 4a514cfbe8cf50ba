import * as settingsRoute from "@app/api/v4/application/settings/route.ts";
import * as featureRoute from "@app/api/v4/features/[name]/route.ts";
import * as definitionsRoute from "@app/api/v4/features/definitions/route.ts";
import * as featuresRoute from "@app/api/v4/features/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as users from "@/identity/users/service.ts";
import { FLAGS } from "@/instance/flags/catalog.ts";
import { isOn } from "@/instance/flags/service.ts";
import { SETTINGS } from "@/instance/settings/catalog.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const ORIGIN = "http://localhost:3000";
const FLAG = "oauth2_device_grant_flow";

let rootId: number;
let admin: string;
let reader: string;
let user: string;

beforeAll(async () => {
  const tokenOf = async (username: string, isAdmin: boolean, scopes: readonly string[]) => {
    const email = `${username}@example.com`;
    const user = await users.create(deps, { username, email, password: "correct horse", admin: isAdmin });
    if ("problems" in user) throw new Error(JSON.stringify(user.problems));
    const token = await createPersonalToken(deps, user.user, { name: "t", scopes, expiresAt: null });
    if ("problems" in token) throw new Error(JSON.stringify(token.problems));
    return { id: user.user.id, value: token.value };
  };
  const root = await tokenOf("root", true, ["api"]);
  rootId = root.id;
  admin = root.value;
  reader = (await tokenOf("reader", true, ["read_api"])).value;
  user = (await tokenOf("person", false, ["api"])).value;
});

beforeEach(async () => {
  await deps.db.setting.deleteMany();
  await deps.db.featureFlag.deleteMany();
});

type Route = (request: Request, context?: { params: Promise<Record<string, unknown>> }) => Promise<Response>;
type RequestParts = Readonly<{
  token?: string;
  query?: string;
  body?: BodyInit;
  type?: string;
  name?: string;
}>;

async function call(route: Route, method: string, parts: RequestParts = {}) {
  const headers: Record<string, string> = { "private-token": parts.token ?? admin };
  if (parts.type !== undefined) headers["content-type"] = parts.type;
  const init = { method, headers, ...(parts.body === undefined ? {} : { body: parts.body }) };
  const request = new Request(`${ORIGIN}/api/v4/x${parts.query ?? ""}`, init);
  const response = await route(request, { params: Promise.resolve({ name: parts.name ?? FLAG }) });
  expect(response.headers.get("cache-control")).toContain("no-store");
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const FORBIDDEN = { status: 403, body: { message: "403 Forbidden" } };

const put = (parts: RequestParts) => call(settingsRoute.PUT, "PUT", parts);
const lastEvent = () => deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("the settings API", () => {
  it("the settings API returns all settings of the instance, with their defaults", async () => {
    const { status, body } = await call(settingsRoute.GET, "GET", { token: reader });
    expect(status).toBe(200);
    expect(body).toEqual(
      Object.fromEntries(Object.entries(SETTINGS).map(([key, row]) => [key, row.default])),
    );
  });

  it("the settings API allows only administrators to read and change the settings", async () => {
    expect(await call(settingsRoute.GET, "GET", { token: user })).toEqual(FORBIDDEN);
    expect(await put({ token: user, query: "?signup_enabled=true" })).toEqual(FORBIDDEN);
    expect((await call(settingsRoute.GET, "GET", { token: "ghpt_x" })).status).toBe(401);
    const narrow = await put({ token: reader, query: "?signup_enabled=true" });
    expect(narrow).toMatchObject({ status: 403, body: { error: "insufficient_scope", scope: "api" } });
    expect((await readSettings(deps)).signup_enabled).toBe(false);
  });

  const multipart = new FormData();
  multipart.set("signup_enabled", "true");
  multipart.set("oauth_code_expires_in", "60");

  it.each<[string, RequestParts]>([
    ["the query", { query: "?signup_enabled=true&oauth_code_expires_in=60" }],
    ["a form", { body: "signup_enabled=true&oauth_code_expires_in=60", type: FORM }],
    ["JSON", { body: '{"signup_enabled":true,"oauth_code_expires_in":60}', type: JSON_TYPE }],
    ["JSON of strings", { body: '{"signup_enabled":"true","oauth_code_expires_in":"60"}', type: JSON_TYPE }],
    ["a multipart form", { body: multipart }],
    ["query and form", { query: "?signup_enabled=1", body: "oauth_code_expires_in=60", type: FORM }],
    [
      "both, where the body overrides the query",
      { query: "?signup_enabled=0&oauth_code_expires_in=60", body: '{"signup_enabled":1}', type: JSON_TYPE },
    ],
    [
      "a form with an unknown parameter",
      { query: "?foo=bar&foo=baz", body: "signup_enabled=true&oauth_code_expires_in=60&id=7", type: FORM },
    ],
  ])(
    "the settings API changes several settings together by %s, and the changes apply from the next request on",
    async (_how, parts) => {
      const { status, body } = await put(parts);
      expect(status).toBe(200);
      expect(body).toEqual(await readSettings(deps));
      expect(body).toMatchObject({
        signup_enabled: true,
        oauth_code_expires_in: 60,
        id_token_expires_in: 120,
      });
      expect(await lastEvent()).toMatchObject({ name: "setting.changed", userId: rootId });
    },
  );

  it.each<[string, RequestParts, object]>([
    ["a word for a flag", { query: "?signup_enabled=maybe" }, { error: "signup_enabled is invalid" }],
    ["an empty value for a flag", { query: "?signup_enabled=" }, { error: "signup_enabled is empty" }],
    ["null", { body: '{"signup_enabled":null}', type: JSON_TYPE }, { error: "signup_enabled is empty" }],
    [
      "an array",
      { body: '{"signup_enabled":[true]}', type: JSON_TYPE },
      { error: "signup_enabled is invalid" },
    ],
    [
      "a word for a number",
      { query: "?oauth_code_expires_in=soon" },
      { error: "oauth_code_expires_in is invalid" },
    ],
    [
      "a fraction",
      { body: '{"oauth_code_expires_in":1.5}', type: JSON_TYPE },
      { error: "oauth_code_expires_in is invalid" },
    ],
    [
      "a negative number",
      { query: "?oauth_code_expires_in=-1" },
      { error: "oauth_code_expires_in is invalid" },
    ],
    [
      "two bad values",
      { query: "?signup_enabled=x&oauth_code_expires_in=y" },
      { error: "oauth_code_expires_in is invalid, signup_enabled is invalid" },
    ],
    [
      "a number out of range",
      { query: "?oauth_code_expires_in=601" },
      {
        message: { oauth_code_expires_in: ["oauth_code_expires_in must be a whole number from 10 to 600."] },
      },
    ],
    [
      "a good value next to a bad value",
      { query: "?signup_enabled=true&oauth_code_expires_in=1" },
      { message: { oauth_code_expires_in: [expect.any(String)] } },
    ],
    [
      "the same parameter twice",
      { query: "?signup_enabled=true&signup_enabled=true" },
      { error: "signup_enabled is sent more than once" },
    ],
    ["only unknown parameters", { query: "?foo=bar" }, { error: expect.stringMatching(/at least one/) }],
    ["a broken escape", { query: "?signup_enabled=%zz" }, { error: expect.any(String) }],
    ["U+0000", { body: "signup_enabled=%00", type: FORM }, { error: expect.any(String) }],
    ["broken JSON", { body: "{", type: JSON_TYPE }, { error: expect.any(String) }],
    ["a JSON array", { body: "[]", type: JSON_TYPE }, { error: expect.any(String) }],
    [
      "a broken multipart form",
      { body: "x", type: "multipart/form-data; boundary=y" },
      { error: expect.any(String) },
    ],
    [
      "half a character in JSON",
      { body: '{"signup_enabled":"\\ud800"}', type: JSON_TYPE },
      { error: expect.any(String) },
    ],
  ])("the settings API changes no setting for a request with %s", async (_what, parts, body) => {
    expect(await put(parts)).toEqual({ status: 400, body });
    expect((await readSettings(deps)).signup_enabled).toBe(false);
    expect(await deps.db.setting.count()).toBe(0);
  });

  it(
    conformance(
      "SC-20",
      "the settings API accepts an allowed value of a setting, and rejects any other value with a list of the allowed values",
    ),
    async () => {
      const changed = await put({ query: "?authorization_response_iss=always" });
      expect(changed).toMatchObject({ status: 200, body: { authorization_response_iss: "always" } });
      expect((await readSettings(deps)).authorization_response_iss).toBe("always");
      expect(await lastEvent()).toMatchObject({ name: "setting.changed" });
      for (const body of [
        '{"authorization_response_iss":"sometimes"}',
        '{"authorization_response_iss":true}',
      ])
        expect(await put({ body, type: JSON_TYPE })).toMatchObject({ status: 400 });
      expect((await readSettings(deps)).authorization_response_iss).toBe("always");
    },
  );

  it("the settings API changes no setting if the request body is too large or has an unsupported content type", async () => {
    const large = { body: `signup_enabled=true&x=${"x".repeat(300_000)}`, type: FORM };
    expect(await put(large)).toEqual({ status: 413, body: { message: "413 Payload Too Large" } });
    expect(await put({ body: "<a/>", type: "text/xml" })).toEqual({
      status: 415,
      body: { error: "The provided content-type 'text/xml' is not supported." },
    });
  });

  it(
    conformance(
      "AT-41",
      "the settings API ignores the parameters __proto__ and constructor in a request body",
    ),
    async () => {
      const body = '{"__proto__":{"signup_enabled":true},"constructor":1,"signup_enabled":false}';
      expect(await put({ body, type: JSON_TYPE })).toMatchObject({
        status: 200,
        body: { signup_enabled: false },
      });
    },
  );
});

const definition = {
  name: FLAG,
  introduced_by_url: null,
  rollout_issue_url: null,
  milestone: "17.1",
  type: "development",
  group: null,
  default_enabled: false,
};
const feature = (enabled: boolean) => ({
  name: FLAG,
  state: enabled ? "on" : "off",
  gates: [{ key: "boolean", value: enabled }],
  definition,
});

describe("features in the API", () => {
  const post = (parts: RequestParts) => call(featureRoute.POST, "POST", parts);
  const remove = (parts: RequestParts = {}) => call(featureRoute.DELETE, "DELETE", parts);

  it("the features API returns each feature with its state and its definition", async () => {
    const listed = await call(featuresRoute.GET, "GET", { token: reader });
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(Object.keys(FLAGS).length);
    expect(listed.body).toContainEqual(feature(false));
    const defined = await call(definitionsRoute.GET, "GET", { token: reader });
    expect(defined.body).toContainEqual(definition);
  });

  it.each<[string, RequestParts]>([
    ["the query", { query: "?value=true" }],
    ["a form", { body: "value=true", type: FORM }],
    ["JSON", { body: '{"value":true,"force":false}', type: JSON_TYPE }],
  ])("a feature is enabled by %s, and returns to the default after a reset", async (_how, parts) => {
    expect(await post(parts)).toEqual({ status: 201, body: feature(true) });
    expect(await isOn(deps, FLAG)).toBe(true);
    expect(await lastEvent()).toMatchObject({ name: "flag.changed", userId: rootId });
    expect((await call(featuresRoute.GET, "GET")).body).toContainEqual(feature(true));
    expect(await remove()).toEqual({ status: 204, body: null });
    expect(await isOn(deps, FLAG)).toBe(false);
    expect(await remove()).toEqual({ status: 204, body: null });
  });

  it("the features API can disable a feature", async () => {
    await post({ query: "?value=true" });
    expect(await post({ query: "?value=false" })).toEqual({ status: 201, body: feature(false) });
    expect(await isOn(deps, FLAG)).toBe(false);
  });

  it("the features API is accessible only to administrators with the scope api", async () => {
    for (const route of [featuresRoute.GET, definitionsRoute.GET])
      expect(await call(route, "GET", { token: user })).toEqual(FORBIDDEN);
    expect(await post({ token: user, query: "?value=true" })).toEqual(FORBIDDEN);
    expect(await remove({ token: user })).toEqual(FORBIDDEN);
    expect((await post({ token: reader, query: "?value=true" })).status).toBe(403);
    expect(await isOn(deps, FLAG)).toBe(false);
  });

  it.each<[string, RequestParts, object]>([
    ["without a value", {}, { error: "value is missing" }],
    ["with an empty value", { query: "?value=" }, { error: "value is empty" }],
    [
      "by a percentage",
      { query: "?value=25" },
      { message: expect.stringMatching(/percentages are not supported/) },
    ],
    [
      "by a percentage of actors",
      { query: "?value=25&key=percentage_of_actors" },
      { message: expect.stringMatching(/key is not supported/) },
    ],
    [
      "for one user",
      { query: "?value=true&user=ann" },
      { message: expect.stringMatching(/user is not supported/) },
    ],
    [
      "for one project",
      { body: '{"value":true,"project":"a/b"}', type: JSON_TYPE },
      { message: expect.stringMatching(/project is not supported/) },
    ],
    [
      "that do not exist",
      { name: "no_such_thing", query: "?value=true" },
      { message: expect.stringMatching(/no feature no_such_thing/) },
    ],
    [
      "that have the name of a prototype property",
      { name: "constructor", query: "?value=true" },
      { message: expect.stringMatching(/no feature/) },
    ],
  ])("features cannot be changed %s", async (_how, parts, body) => {
    expect(await post(parts)).toEqual({ status: 400, body });
    expect(await deps.db.featureFlag.count()).toBe(0);
  });

  it("the features API sends the same response to the reset of an unknown feature and to the reset of an existing feature", async () => {
    expect(await remove({ name: "no_such_thing" })).toEqual({ status: 204, body: null });
  });
});
