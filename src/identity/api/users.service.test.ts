import * as currentRoute from "@app/api/v4/user/route.ts";
import * as blockRoute from "@app/api/v4/users/[id]/block/route.ts";
import * as userRoute from "@app/api/v4/users/[id]/route.ts";
import * as unblockRoute from "@app/api/v4/users/[id]/unblock/route.ts";
import * as usersRoute from "@app/api/v4/users/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tryPassword } from "@/identity/users/password-attempt.ts";
import { changeSettings, readSettings } from "@/instance/settings/service.ts";
import { type ApiRequest, type ApiUser, apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { openSessionFor, sessionOf } from "../sessions/service.ts";

const deps = await openTestDeps();
const NOT_FOUND = { status: 404, body: { message: "404 User Not Found" } };
const FORBIDDEN = { status: 403, body: { message: "403 Forbidden" } };

let root: ApiUser;
let ann: ApiUser;
let bob: ApiUser;

beforeAll(async () => {
  root = await apiUser(deps, "root", { admin: true });
  ann = await apiUser(deps, "ann");
  bob = await apiUser(deps, "Bobby");
});

const list = (user: ApiUser, query = "") => callApi(usersRoute.GET, "GET", { token: user.token, query });
const get = (user: ApiUser, id: number | string) =>
  callApi(userRoute.GET, "GET", { token: user.token, path: { id: String(id) } });
const create = (json: object, options: ApiRequest = {}) =>
  callApi(usersRoute.POST, "POST", { token: root.token, json, ...options });
const update = (id: number, json: object, options: ApiRequest = {}) =>
  callApi(userRoute.PUT, "PUT", { token: root.token, path: { id: String(id) }, json, ...options });

const namesIn = (body: unknown): unknown => (body as { username: string }[]).map(({ username }) => username);
const brief = async (response: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await response;
  return { status, body };
};
const passwordWorks = async (login: string, password: string): Promise<boolean> =>
  "user" in
  (await tryPassword(deps, await readSettings(deps), { login, password, ipAddress: "::1", way: "sign_in" }));

const BASICS = ["id", "username", "name", "state", "locked", "avatar_url", "web_url"];

describe("GET /users", () => {
  it("GET /users lists the public profiles of users, and shows account fields only to administrators", async () => {
    const { status, headers, body } = await list(ann);
    expect(status).toBe(200);
    expect(headers.get("x-total")).toBe("3");
    expect(namesIn(body)).toEqual(["Bobby", "ann", "root"]);
    for (const user of body as object[]) expect(Object.keys(user)).toEqual(BASICS);
    const all = (await list(root)).body as Record<string, unknown>[];
    expect(all[1]).toMatchObject({ username: "ann", email: "ann@example.com", is_admin: false });
    expect(JSON.stringify(all)).not.toMatch(/argon2|digest|password/i);
  });

  it.each<[string, () => ApiUser, string, readonly string[]]>([
    ["a username, in any case", () => ann, "?username=BOBBY", ["Bobby"]],
    ["the beginning of a username", () => ann, "?search=bob", ["Bobby"]],
    [
      "an e-mail address: none, if the caller is not an administrator",
      () => ann,
      "?search=bobby@example",
      [],
    ],
    ["an e-mail address, if the caller is an administrator", () => root, "?search=bobby@example", ["Bobby"]],
    ["the administrator filter, if the caller is an administrator", () => root, "?admins=true", ["root"]],
    ["the administrator filter with the value false", () => ann, "?admins=false", ["Bobby", "ann", "root"]],
    ["a page number", () => ann, "?per_page=1&page=2", ["ann"]],
    ["a keyset cursor", () => ann, "?pagination=keyset&per_page=2", ["Bobby", "ann"]],
    ["the first keyset page", () => ann, "?pagination=keyset&sort=asc&per_page=1", ["root"]],
    ["a search without matches", () => ann, "?username=nobody", []],
  ])("GET /users lists the expected users for %s", async (_how, caller, query, expected) => {
    expect(namesIn((await list(caller(), query)).body)).toEqual(expected);
  });

  it("GET /users refuses the filters of administrators if the caller is not an administrator", async () => {
    const refused = (error: string) => ({ status: 400, body: { error } });
    const admins = "admins is supported only for administrators";
    const twoFactor = "two_factor is supported only for administrators";
    expect(await brief(list(ann, "?admins=true"))).toEqual(refused(admins));
    for (const value of ["enabled", "disabled"])
      expect(await brief(list(ann, `?two_factor=${value}`))).toEqual(refused(twoFactor));
    expect(await brief(list(ann, "?admins=1&two_factor=enabled"))).toEqual(
      refused(`${admins}, ${twoFactor}`),
    );
    expect(namesIn((await list(root, "?two_factor=disabled")).body)).toEqual(["Bobby", "ann", "root"]);
  });

  it("GET /users returns a link to the next keyset page of users, and the pages contain each user exactly once", async () => {
    const first = await list(ann, "?pagination=keyset&per_page=2");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(namesIn((await list(ann, new URL(next).search)).body)).toEqual(["root"]);
  });

  it("GET /users shows blocked users only to administrators, and lets administrators filter by state", async () => {
    const eve = await apiUser(deps, "eve");
    await callApi(blockRoute.POST, "POST", { token: root.token, path: { id: String(eve.user.id) } });
    expect(namesIn((await list(root, "?blocked=true")).body)).toEqual(["eve"]);
    expect(namesIn((await list(root, "?active=true")).body)).not.toContain("eve");
    expect(namesIn((await list(root, "?active=true&blocked=true")).body)).toEqual([]);
    expect(namesIn((await list(ann)).body)).not.toContain("eve");
    expect(namesIn((await list(ann, "?blocked=true")).body)).toEqual([]);
    await deps.db.user.delete({ where: { id: eve.user.id } });
  });

  it("GET /users refuses a token without a scope that allows reading users", async () => {
    expect((await callApi(usersRoute.GET, "GET")).status).toBe(401);
    for (const [scope, status] of [
      ["read_user", 200],
      ["read_repository", 403],
    ] as const)
      expect((await list({ ...ann, token: await tokenWith(deps, ann.user, [scope]) })).status).toBe(status);
  });
});

describe("GET /users/:id", () => {
  it("GET /users/:id shows the complete public profile of a user, but only the basic fields of a private profile", async () => {
    const shown = (await get(ann, bob.user.id)).body as object;
    expect(shown).toMatchObject({ username: "Bobby", private_profile: false, bio: "" });
    expect(Object.keys(shown)).not.toContain("email");
    await update(bob.user.id, { private_profile: true });
    expect(Object.keys((await get(ann, bob.user.id)).body as object)).toEqual([...BASICS, "private_profile"]);
    expect((await get(bob, bob.user.id)).body).toMatchObject({ private_profile: true, bio: "" });
    expect((await get(root, bob.user.id)).body).toMatchObject({ email: "Bobby@example.com", bio: "" });
    const own = await callApi(currentRoute.GET, "GET", { token: bob.token });
    expect(own.body).toMatchObject({ private_profile: true });
    await update(bob.user.id, { private_profile: false });
  });

  it("GET /users/:id responds with 404 to an unknown user id and with 400 to a malformed user id", async () => {
    expect(await brief(get(ann, 999_999))).toEqual(NOT_FOUND);
    expect(await brief(get(ann, "bob"))).toEqual({ status: 400, body: { error: "id is invalid" } });
    expect(await brief(get(ann, "0"))).toMatchObject({ status: 400 });
  });
});

const NEW = { username: "new", email: "new@example.com", name: "New", password: "long enough" };

describe("POST /users", () => {
  beforeEach(async () => {
    await deps.db.user.deleteMany({ where: { usernameLower: "new" } });
    await deps.db.setting.deleteMany();
  });

  it("POST /users creates a user who can sign in, and the audit log records the administrator", async () => {
    const { status, body } = await create({ ...NEW, admin: true, skip_confirmation: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: "new", email: NEW.email, is_admin: true, private_profile: false });
    expect(await passwordWorks("new", NEW.password)).toBe(true);
    expect(await deps.db.auditEvent.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      name: "user.created",
      actorId: root.user.id,
    });
  });

  it("POST /users generates a random password for a new user if the request asks for a random password", async () => {
    const { password: _, ...rest } = NEW;
    expect((await create({ ...rest, force_random_password: true })).status).toBe(201);
    expect(await passwordWorks("new", "")).toBe(false);
  });

  it.each<[string, object, boolean, boolean]>([
    ["null as the default of the instance", { private_profile: null }, true, true],
    ["a missing value as the default", {}, true, true],
    ["an empty string as the default", { private_profile: "" }, true, true],
    ["false as false", { private_profile: false }, true, false],
    ["true as true", { private_profile: "true" }, false, true],
    ["null as a changed default", { private_profile: null }, false, false],
  ])("POST /users interprets the value of private_profile: %s", async (_what, field, standard, expected) => {
    await changeSettings(deps, { user_defaults_to_private_profile: String(standard) });
    expect((await create({ ...NEW, ...field })).body).toMatchObject({ private_profile: expected });
  });

  it.each([null, ""])("POST /users rejects the value %j of private_profile in v5", async (value) => {
    const options = { pathname: "/api/v5/users" };
    expect(await brief(create({ ...NEW, private_profile: value }, options))).toEqual({
      status: 400,
      body: { error: "private_profile is empty" },
    });
    expect((await create({ ...NEW, private_profile: true }, options)).status).toBe(201);
  });

  it.each<[string, object, number, object]>([
    ["without a username", { username: undefined }, 400, { error: "username is missing" }],
    [
      "without a password",
      { password: undefined },
      400,
      { error: "password, force_random_password are missing, at least one parameter must be provided" },
    ],
    ["with a short password", { password: "short" }, 400, { message: { password: [expect.any(String)] } }],
    ["with an invalid username", { username: "a b" }, 400, { message: { username: [expect.any(String)] } }],
    [
      "with a hidden character in the name",
      { name: "a\u202eb" },
      400,
      { message: { name: [expect.any(String)] } },
    ],
    ["with an invalid e-mail address", { email: "here" }, 400, { message: { email: [expect.any(String)] } }],
    ["with a value that is not a string", { username: ["x"] }, 400, { error: "username is invalid" }],
    [
      "with the username of another user",
      { username: "ANN" },
      409,
      { message: "Username has already been taken" },
    ],
    ["with the path of a group", { username: "team" }, 409, { message: "Username has already been taken" }],
    [
      "with the e-mail address of another user",
      { email: "ANN@example.com" },
      409,
      { message: "Email has already been taken" },
    ],
    [
      "with the username and the e-mail address of another user",
      { username: "ann", email: "ann@example.com" },
      409,
      { message: "Email has already been taken" },
    ],
  ])("POST /users rejects a new user %s", async (_what, changes, status, body) => {
    await groupOf(deps, root.user, "team").catch(() => null);
    const before = await deps.db.user.count();
    expect(await brief(create({ ...NEW, ...changes }))).toEqual({ status, body });
    expect(await deps.db.user.count()).toBe(before);
  });

  it("POST /users creates only one user for several simultaneous requests with the same username", async () => {
    const answers = await Promise.all([1, 2, 3].map((at) => create({ ...NEW, email: `n${at}@example.com` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  it("POST /users allows only an administrator whose token has the scope api to create a user", async () => {
    expect(await brief(create(NEW, { token: ann.token }))).toEqual(FORBIDDEN);
    const narrow = await tokenWith(deps, root.user, ["read_user", "read_api"]);
    expect(await brief(create(NEW, { token: narrow }))).toMatchObject({
      status: 403,
      body: { scope: "api" },
    });
  });
});

describe("PUT /users/:id", () => {
  it("PUT /users/:id changes either all requested fields of an account or no field, and the audit log records the changed fields", async () => {
    const { user } = await apiUser(deps, "carl");
    const opened = await openSessionFor(deps, user, { ipAddress: "::1", userAgent: null }, ["password"]);
    const cookie = opened.cookie.split(";")[0] ?? "";
    expect(await sessionOf(deps, cookie)).not.toBeNull();
    const changes = { username: "Carla", email: "carla@example.com", name: "Carla", password: "another one" };
    const { status, body } = await update(user.id, changes);
    expect({ status, body }).toMatchObject({ status: 200, body: { username: "Carla", name: "Carla" } });
    expect((body as { confirmed_at: unknown }).confirmed_at).not.toBeNull();
    expect(await passwordWorks("carla", "another one")).toBe(true);
    expect(await sessionOf(deps, cookie)).toBeNull();
    const event = await deps.db.auditEvent.findFirstOrThrow({
      where: { name: "user.changed" },
      orderBy: { id: "desc" },
    });
    expect(event).toMatchObject({ userId: user.id, actorId: root.user.id });
    expect(JSON.parse(event.details)).toEqual({ fields: ["username", "email", "name", "password"] });
    const taken = await update(user.id, { name: "Not this", username: "ann" });
    expect(taken).toMatchObject({ status: 409, body: { message: "Username has already been taken" } });
    expect((await get(root, user.id)).body).toMatchObject({ username: "Carla", name: "Carla" });
  });

  it("PUT /users/:id rejects a new username for a user who has projects", async () => {
    const { user } = await apiUser(deps, "paula");
    await projectOf(deps, user, "tool");
    expect(await brief(update(user.id, { username: "Paul", name: "Paul" }))).toEqual({
      status: 400,
      body: { message: { username: ["cannot change while the user has projects"] } },
    });
    expect((await update(user.id, { username: "paula", name: "Paul" })).status).toBe(200);
  });

  it("PUT /users/:id accepts the current username and e-mail address of the user in a different letter case", async () => {
    const response = await update(ann.user.id, { username: "Ann", email: "Ann@example.com" });
    expect(response).toMatchObject({ status: 200, body: { username: "Ann", email: "Ann@example.com" } });
    await update(ann.user.id, { username: "ann", email: "ann@example.com" });
  });

  it("PUT /users/:id promotes and demotes administrators, but never demotes the caller", async () => {
    expect(await update(bob.user.id, { admin: true })).toMatchObject({ body: { is_admin: true } });
    expect(await update(bob.user.id, { admin: false })).toMatchObject({ body: { is_admin: false } });
    expect((await update(root.user.id, { admin: false })).status).toBe(403);
    expect((await update(root.user.id, { admin: true })).status).toBe(200);
  });

  it("in API v4, but not in v5, the value null of private_profile selects the default of the instance", async () => {
    await update(bob.user.id, { private_profile: true });
    const options = { pathname: `/api/v5/users/${bob.user.id}` };
    expect(await brief(update(bob.user.id, { private_profile: null }, options))).toEqual({
      status: 400,
      body: { error: "private_profile is empty" },
    });
    expect((await get(root, bob.user.id)).body).toMatchObject({ private_profile: true });
    expect((await update(bob.user.id, { private_profile: null })).body).toMatchObject({
      private_profile: false,
    });
  });

  it("PUT /users/:id rejects a request with an empty body, an unknown parameter or an invalid value", async () => {
    expect((await update(bob.user.id, {})).status).toBe(400);
    expect(await brief(update(999_999, { name: "x" }))).toEqual(NOT_FOUND);
    expect(await brief(update(bob.user.id, { name: "" }))).toMatchObject({
      status: 400,
      body: { message: { name: [expect.any(String)] } },
    });
    expect(await brief(update(bob.user.id, { name: "x" }, { token: ann.token }))).toEqual(FORBIDDEN);
  });
});

describe("POST /users/:id/block and /unblock", () => {
  it(
    conformance(
      "SC-06",
      "blocking a user revokes the tokens of the user, and the tokens stay revoked after unblocking",
    ),
    async () => {
      const path = { id: String(bob.user.id) };
      const block = () => callApi(blockRoute.POST, "POST", { token: root.token, path });
      expect(await brief(block())).toEqual({ status: 201, body: true });
      expect(await brief(block())).toEqual({ status: 201, body: true });
      expect((await list(bob)).status).toBe(401);
      expect(await brief(callApi(unblockRoute.POST, "POST", { token: root.token, path }))).toEqual({
        status: 201,
        body: true,
      });
      expect((await list(bob)).status).toBe(401);
    },
  );

  it("the users API refuses to block the caller's own account or an unknown user, and refuses callers without administrator rights", async () => {
    const block = (user: ApiUser, id: number) =>
      brief(callApi(blockRoute.POST, "POST", { token: user.token, path: { id: String(id) } }));
    expect(await block(root, root.user.id)).toMatchObject({ status: 403 });
    expect(await block(root, 999_999)).toEqual(NOT_FOUND);
    expect(await block(ann, bob.user.id)).toEqual(FORBIDDEN);
  });
});
