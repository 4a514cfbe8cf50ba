import * as groupToken from "@app/api/v4/groups/[id]/access_tokens/[token_id]/route.ts";
import * as groupTokens from "@app/api/v4/groups/[id]/access_tokens/route.ts";
import * as allTokens from "@app/api/v4/personal_access_tokens/route.ts";
import * as ownToken from "@app/api/v4/personal_access_tokens/self/route.ts";
import * as projectRotation from "@app/api/v4/projects/[id]/access_tokens/[token_id]/rotate/route.ts";
import * as projectToken from "@app/api/v4/projects/[id]/access_tokens/[token_id]/route.ts";
import * as projectTokens from "@app/api/v4/projects/[id]/access_tokens/route.ts";
import * as ownRotation from "@app/api/v4/projects/[id]/access_tokens/self/rotate/route.ts";
import * as projectMember from "@app/api/v4/projects/[id]/members/[user_id]/route.ts";
import * as projectMembers from "@app/api/v4/projects/[id]/members/route.ts";
import * as project from "@app/api/v4/projects/[id]/route.ts";
import * as projects from "@app/api/v4/projects/route.ts";
import * as user from "@app/api/v4/user/route.ts";
import * as userTokens from "@app/api/v4/users/[id]/personal_access_tokens/route.ts";
import * as users from "@app/api/v4/users/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { openSessionFor } from "@/identity/sessions/service.ts";
import { blockUserAsAdministrator } from "@/identity/users/administration.ts";
import { tryPassword } from "@/identity/users/password-attempt.ts";
import { findById } from "@/identity/users/service.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { NAMED_MAX } from "@/kernel/db/conditions.ts";
import { prune } from "@/operations/pruning/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import { resourceOf as groupResource } from "@/workspace/groups/service.ts";
import { changeMember } from "@/workspace/members/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { deleteProject, resourceOf } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "chief", { admin: true });
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");

let group: AuthorizedGroup;
let shop: AuthorizedProject;

beforeEach(async () => {
  group = await groupOf(deps, owner.user, `team-${crypto.randomUUID()}`, { visibility: "private" });
  shop = await projectOf(deps, owner.user, "shop", { group });
  await memberOf(deps, shop, maintainer.user, "maintainer");
});

type Token = Readonly<{ id: number; user_id: number; token: string }>;

const DRAFT = { name: "CI", scopes: ["api"], access_level: 30, expires_at: null };
const inShop = (more: object = {}) => ({ path: { id: String(shop.id), ...more } });
const create = (json: object = DRAFT, token = maintainer.token) =>
  callApi(projectTokens.POST, "POST", { token, ...inShop(), json });
async function created(json: object = DRAFT, token = maintainer.token): Promise<Token> {
  const { status, body } = await create(json, token);
  expect(status).toBe(201);
  return body as Token;
}
const stateOf = async (token: string): Promise<number> => (await callApi(user.GET, "GET", { token })).status;
const roleOfMaintainer = (role: "developer" | "maintainer") =>
  changeMember(deps, { resource: resourceOf(shop), by: owner.user, held: "owner" }, maintainer.user.id, {
    role,
  });

describe("a project access token", () => {
  it("the list of access tokens contains only the tokens of its project, also if the project has many bots", async () => {
    const { id, user_id: userId } = await created();
    const other = await projectOf(deps, owner.user, "other", { group });
    const path = { id: String(other.id) };
    await callApi(projectTokens.POST, "POST", { token: owner.token, path, json: DRAFT });
    const { id: _, ...bot } = await deps.db.user.findUniqueOrThrow({ where: { id: userId } });
    const prefix = `bot-${crypto.randomUUID()}`;
    const bots = Array.from({ length: NAMED_MAX }, (_, index) => {
      const [username, email] = [`${prefix}-${index}`, `${prefix}-${index}@example.com`];
      return { ...bot, username, usernameLower: username, email, emailLower: email };
    });
    await deps.db.user.createMany({ data: bots });
    const where = { usernameLower: { startsWith: prefix } };
    const users = await deps.db.user.findMany({ where, select: { id: true } });
    const row = { projectId: shop.id, groupId: group.id, creatorId: maintainer.user.id };
    await deps.db.accessTokenBot.createMany({ data: users.map((user) => ({ ...row, userId: user.id })) });
    const idsOf = async (query: string) => {
      const { status, body } = await callApi(projectTokens.GET, "GET", {
        ...{ token: maintainer.token, query },
        ...inShop(),
      });
      return [status, ...(body as readonly Token[]).map((token) => token.id)];
    };
    expect(await idsOf("")).toEqual([200, id]);
    expect(await idsOf("?state=active")).toEqual([200, id]);
    expect(await idsOf("?state=inactive")).toEqual([200]);
  });

  it(
    conformance("MA-02", "a project access token stops working when the membership of its bot expires"),
    async () => {
      const { token, user_id: botId } = await created();
      expect(await stateOf(token)).toBe(200);
      await deps.db.projectMember.updateMany({ where: { userId: botId }, data: { expiresAt: deps.clock() } });
      expect(await stateOf(token)).toBe(401);
    },
  );

  it("a project access token belongs to a bot user that has the chosen role, and whose field `bot` is true in the API", async () => {
    const { status, body } = await create({ ...DRAFT, scopes: ["api", "read_repository"] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ name: "CI", scopes: ["api", "read_repository"], access_level: 30, revoked: false, active: true },
      ...{ last_used_at: null, description: null, token: expect.stringMatching(/^ghpt_/) },
    });
    const { token, user_id } = body as Token;
    expect((await callApi(user.GET, "GET", { token })).body).toMatchObject({
      ...{ id: user_id, bot: true, name: "CI", can_create_project: false },
      username: expect.stringMatching(new RegExp(`^project_${shop.id}_bot_[0-9a-f]{32}$`)),
    });
    expect(await callApi(project.GET, "GET", { token, ...inShop() })).toMatchObject({ status: 200 });
    expect((await callApi(ownToken.GET, "GET", { token })).body).toMatchObject({ user_id, active: true });
    const members = await callApi(projectMembers.GET, "GET", { token: owner.token, ...inShop() });
    expect(members.body).toContainEqual(expect.objectContaining({ id: user_id, access_level: 30 }));
  });

  it("a project access token has at most the role of its creator", async () => {
    expect(await create({ ...DRAFT, access_level: 50 })).toMatchObject({
      status: 400,
      body: { message: { access_level: ["Select a role that is not higher than your own."] } },
    });
    await created({ ...DRAFT, access_level: 50 }, owner.token);
  });

  it(
    conformance(
      "MA-02",
      "a request with a project access token cannot create or rotate other tokens, and the bot of the token has no namespace and no personal access tokens",
    ),
    async () => {
      const { token, user_id } = await created({ ...DRAFT, access_level: 40 });
      const { id } = await created();
      expect(await create(DRAFT, token)).toMatchObject({ status: 403 });
      const rotation = { token, ...inShop({ token_id: String(id) }), json: {} };
      expect(await callApi(projectRotation.POST, "POST", rotation)).toMatchObject({ status: 403 });
      expect(await callApi(projects.POST, "POST", { token, json: { name: "own" } })).toMatchObject({
        status: 403,
      });
      const personal = { name: "more", scopes: ["api"] };
      const request = { token: root.token, path: { id: String(user_id) }, json: personal };
      expect(await callApi(userTokens.POST, "POST", request)).toMatchObject({ status: 400 });
    },
  );

  it("when a project access token is revoked, the token stops working, and its bot is removed from the members", async () => {
    const { id, token, user_id } = await created();
    const one = inShop({ token_id: String(id) });
    expect(await callApi(projectToken.DELETE, "DELETE", { token: maintainer.token, ...one })).toMatchObject({
      status: 204,
    });
    expect(await stateOf(token)).toBe(401);
    expect((await callApi(projectToken.GET, "GET", { token: owner.token, ...one })).body).toMatchObject({
      ...{ revoked: true, active: false, access_level: null, user_id },
    });
  });

  it.each([
    [
      "the bot is removed from the members",
      async ({ user_id }: Token) => {
        const path = { id: String(shop.id), user_id: String(user_id) };
        await callApi(projectMember.DELETE, "DELETE", { token: owner.token, path });
      },
    ],
    [
      "the project is deleted",
      async () => {
        await deleteProject(deps, { ...shop, role: "owner" }, owner.user);
      },
    ],
    [
      "its creator is no longer a maintainer",
      async () => {
        await roleOfMaintainer("developer");
      },
    ],
  ])(conformance("MA-01", "a project access token stops working when %s"), async (_title, act) => {
    const token = await created();
    expect(await stateOf(token.token)).toBe(200);
    await act(token);
    expect(await stateOf(token.token)).toBe(401);
  });

  it(
    conformance(
      "MA-01",
      "a project access token stops working when the membership of its creator expires or the creator is blocked",
    ),
    async () => {
      const eve = await apiUser(deps, `eve-${crypto.randomUUID().slice(0, 8)}`);
      await memberOf(deps, shop, eve.user, "maintainer", new Date(deps.clock().getTime() + 86_400_000));
      const { token } = await created(DRAFT, eve.token);
      expect(await stateOf(token)).toBe(200);
      deps.advance(2 * 86_400);
      expect(await stateOf(token)).toBe(401);
      await memberOf(deps, shop, eve.user, "maintainer");
      expect(await stateOf(token)).toBe(200);
      await blockUserAsAdministrator(deps, root.user, eve.user.id);
      expect(await stateOf(token)).toBe(401);
    },
  );

  it(
    conformance(
      "MA-01",
      "a project access token becomes inactive when its creator loses the right to create it, and works again after another maintainer rotates it",
    ),
    async () => {
      const { id, token } = await created();
      await roleOfMaintainer("developer");
      const listed = async (query: string) => {
        const { body } = await callApi(projectTokens.GET, "GET", { token: owner.token, ...inShop(), query });
        return (body as { id: number; active: boolean }[]).map((row) => [row.id, row.active]);
      };
      expect(await listed("?state=active")).toEqual([]);
      expect(await listed("?state=inactive")).toEqual([[id, false]]);
      const everywhere = await callApi(allTokens.GET, "GET", { token: root.token });
      const inAll = everywhere.body as { id: number; active: boolean }[];
      expect(inAll.find((row) => row.id === id)).toMatchObject({ active: false });
      expect(inAll.some(({ active }) => active)).toBe(true);
      const request = { token: owner.token, ...inShop({ token_id: String(id) }), json: {} };
      const rotated = (await callApi(projectRotation.POST, "POST", request)).body as Token;
      expect(await stateOf(rotated.token)).toBe(200);
      expect(await listed("?state=active")).toEqual([[rotated.id, true]]);
      expect(await stateOf(token)).toBe(401);
    },
  );

  it("a project access token can revoke itself, and the pruning job removes the bot of the token from the members", async () => {
    const { token, user_id } = await created();
    expect((await callApi(ownToken.DELETE, "DELETE", { token })).status).toBe(204);
    expect(await stateOf(token)).toBe(401);
    const isMember = async () => (await deps.db.projectMember.count({ where: { userId: user_id } })) > 0;
    expect(await isMember()).toBe(true);
    deps.advance(60 * 86_400);
    await prune(deps);
    expect(await isMember()).toBe(false);
  });

  it("a project access token can rotate itself through the project access tokens API, but a personal access token cannot", async () => {
    const { token, user_id } = await created();
    const rotate = (by: string) => callApi(ownRotation.POST, "POST", { token: by, ...inShop(), json: {} });
    const { status, body } = await rotate(token);
    expect([status, (body as Token).user_id]).toEqual([200, user_id]);
    expect(await stateOf((body as Token).token)).toBe(200);
    expect((await rotate(token)).status).toBe(401);
    expect((await rotate(maintainer.token)).status).toBe(405);
  });
});

describe("a group access token", () => {
  const inGroup = (more: object = {}) => ({ path: { id: String(group.id), ...more } });

  it("a group access token gives its role in all projects of the group, and is not listed as an access token of a project", async () => {
    const { status, body } = await callApi(groupTokens.POST, "POST", {
      ...{ token: owner.token, ...inGroup(), json: { ...DRAFT, access_level: 40 } },
    });
    expect(status).toBe(201);
    const { id, token } = body as Token;
    expect((await callApi(project.GET, "GET", { token, ...inShop() })).status).toBe(200);
    const created = await callApi(projects.POST, "POST", {
      ...{ token, json: { name: "by bot", namespace_id: group.id } },
    });
    expect(created.status).toBe(201);
    const one = { token: owner.token, path: { id: String(shop.id), token_id: String(id) } };
    expect(await callApi(projectToken.GET, "GET", one)).toMatchObject({ status: 404 });
    await changeMember(
      deps,
      { resource: groupResource(group), by: root.user, held: "owner" },
      owner.user.id,
      { role: "maintainer" },
    );
    const gone = { token: root.token, ...inGroup({ token_id: String(id) }) };
    expect((await callApi(groupToken.DELETE, "DELETE", gone)).status).toBe(204);
    expect(await stateOf(token)).toBe(401);
  });

  it("the bot of a group access token does not count as the last owner of the group", async () => {
    await callApi(groupTokens.POST, "POST", {
      ...{ token: owner.token, ...inGroup(), json: { ...DRAFT, access_level: 50 } },
    });
    const change = { resource: groupResource(group), by: owner.user, held: "owner" } as const;
    expect(await changeMember(deps, change, owner.user.id, { role: "guest" })).toBe("last_owner");
  });
});

describe("a bot", () => {
  it(
    conformance(
      "MA-02",
      "the bot of an access token cannot sign in and cannot join other projects, and the filters of the users API find the bot",
    ),
    async () => {
      const { user_id } = await created();
      const bot = await findById(deps, user_id);
      if (bot === null) throw new Error("The bot does not exist.");
      const browser = { ipAddress: "192.0.2.1", userAgent: "" };
      await expect(openSessionFor(deps, bot, browser, ["password"])).rejects.toThrow("A bot cannot sign in.");
      const attempt = { login: bot.username, password: "", ipAddress: "192.0.2.1", way: "sign_in" } as const;
      expect(await tryPassword(deps, await readSettings(deps), attempt)).toEqual({ refused: "wrong" });
      const other = await projectOf(deps, owner.user, `other-${crypto.randomUUID()}`);
      const joining = {
        token: owner.token,
        path: { id: String(other.id) },
        json: { user_id, access_level: 10 },
      };
      expect((await callApi(projectMembers.POST, "POST", joining)).status).toBe(403);
      const ids = async (query: string) => {
        const { body } = await callApi(users.GET, "GET", { token: root.token, query });
        return (body as { id: number; bot: boolean }[]).map(({ id }) => id);
      };
      expect(await ids("?per_page=100")).toContain(user_id);
      expect(await ids("?exclude_humans=true")).toContain(user_id);
      expect(await ids("?exclude_humans=true")).not.toContain(owner.user.id);
      expect(await ids("?humans=true&per_page=100")).not.toContain(user_id);
      expect(await ids("?without_project_bots=true&per_page=100")).not.toContain(user_id);
    },
  );
});
