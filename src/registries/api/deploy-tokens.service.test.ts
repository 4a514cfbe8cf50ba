import * as groupTokens from "@app/api/v4/groups/[id]/deploy_tokens/route.ts";
import * as projectToken from "@app/api/v4/projects/[id]/deploy_tokens/[token_id]/route.ts";
import * as projectTokens from "@app/api/v4/projects/[id]/deploy_tokens/route.ts";
import {
  GET as download,
  PUT as publish,
} from "@app/api/v4/projects/[id]/packages/generic/[package_name]/[package_version]/[file_name]/route.ts";
import * as packages from "@app/api/v4/projects/[id]/packages/route.ts";
import * as project from "@app/api/v4/projects/[id]/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { apiUser, callApi } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import { changeMember } from "@/workspace/members/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { resourceOf } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");

let group: AuthorizedGroup;
let shop: AuthorizedProject;
let apart: AuthorizedProject;

beforeEach(async () => {
  group = await groupOf(deps, owner.user, `team-${crypto.randomUUID()}`, { visibility: "private" });
  shop = await projectOf(deps, owner.user, "shop", { group });
  apart = await projectOf(deps, owner.user, `apart-${crypto.randomUUID()}`);
  await memberOf(deps, shop, maintainer.user, "maintainer");
});

type Token = Readonly<{ id: number; username: string; token: string }>;

const DRAFT = { name: "Deploy", scopes: ["read_package_registry", "write_package_registry"] };
const inShop = (more: object = {}) => ({ path: { id: String(shop.id), ...more } });

async function created(json: object = DRAFT): Promise<Token> {
  const { status, body } = await callApi(projectTokens.POST, "POST", {
    ...{ token: maintainer.token, ...inShop(), json },
  });
  expect(status).toBe(201);
  return body as Token;
}

const FILE = { package_name: "tool", package_version: "1.0", file_name: "tool.bin" };

/** Sends a request to download or publish a package file, and returns the status of the response. */
async function fileStatus(
  method: "GET" | "PUT",
  headers: Record<string, string>,
  { id }: AuthorizedProject = shop,
): Promise<number> {
  const init = { method, headers, ...(method === "PUT" ? { body: "content", duplex: "half" } : {}) };
  const params = Promise.resolve({ id: String(id), ...FILE });
  const handle = method === "GET" ? download : publish;
  return (await handle(new Request(`${ORIGIN}/api/v4/x`, init), { params })).status;
}

const basic = (username: string, token: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${token}`).toString("base64")}`,
});

describe("a deploy token", () => {
  it(
    conformance(
      "MA-03",
      "a client can publish and download packages with a deploy token in a header, or with the username and the token in HTTP Basic",
    ),
    async () => {
      const { id, username, token } = await created();
      expect(username).toBe(`gitlab+deploy-token-${id}`);
      expect(token).toMatch(/^ghdt_/);
      expect(await fileStatus("PUT", { "deploy-token": token })).toBe(201);
      expect(await fileStatus("GET", basic(username, token))).toBe(200);
      expect(await fileStatus("GET", basic("somebody", token))).toBe(401);
      const list = { headers: { "deploy-token": token } };
      const response = await packages.GET(new Request(`${ORIGIN}/api/v4/x`, list), {
        params: Promise.resolve({ id: String(shop.id) }),
      });
      expect(response.status).toBe(200);
    },
  );

  it(
    conformance(
      "MA-03",
      "a deploy token gives access only to the package endpoints of its project, within the scopes of the token",
    ),
    async () => {
      const { token } = await created({ ...DRAFT, scopes: ["read_package_registry"] });
      expect(await fileStatus("PUT", { "deploy-token": token })).toBe(403);
      expect(await fileStatus("GET", { "deploy-token": token }, apart)).toBe(404);
      expect((await callApi(project.GET, "GET", { token, ...inShop() })).status).toBe(401);
    },
  );

  it(
    conformance(
      "MA-03",
      "a deploy token stops working when the user who created the token is no longer a maintainer",
    ),
    async () => {
      const { id, token } = await created();
      expect(await fileStatus("PUT", { "deploy-token": token })).toBe(201);
      const change = { resource: resourceOf(shop), by: owner.user, held: "owner" } as const;
      await changeMember(deps, change, maintainer.user.id, { role: "developer" });
      expect(await fileStatus("GET", { "deploy-token": token })).toBe(401);
      const one = { token: owner.token, ...inShop({ token_id: String(id) }) };
      expect((await callApi(projectToken.GET, "GET", one)).body).toMatchObject({ id, revoked: true });
    },
  );

  it("an expired deploy token is rejected but stays in the list of inactive tokens, and a revoked deploy token is deleted", async () => {
    const expires_at = new Date(deps.clock().getTime() + 3_600_000).toISOString();
    const { id, token } = await created({ ...DRAFT, username: "deploy-bot", expires_at });
    expect(await fileStatus("PUT", basic("deploy-bot", token))).toBe(201);
    deps.advance(3_600);
    expect(await fileStatus("GET", { "deploy-token": token })).toBe(401);
    const one = { token: owner.token, ...inShop({ token_id: String(id) }) };
    expect((await callApi(projectToken.GET, "GET", one)).body).toMatchObject({ expired: true, expires_at });
    const listed = async (query: string) =>
      (await callApi(projectTokens.GET, "GET", { token: owner.token, ...inShop(), query })).body;
    expect(await listed("?active=true")).toEqual([]);
    expect(await listed("?active=false")).toHaveLength(1);
    expect((await callApi(projectToken.DELETE, "DELETE", one)).status).toBe(204);
    expect((await callApi(projectToken.GET, "GET", one)).status).toBe(404);
  });

  it("a deploy token of a group gives access to the projects of the group and of its subgroups", async () => {
    const inner = await groupOf(deps, owner.user, "inner", { visibility: "private", parent: group });
    const deep = await projectOf(deps, owner.user, "deep", { group: inner });
    const { status, body } = await callApi(groupTokens.POST, "POST", {
      ...{ token: owner.token, path: { id: String(group.id) }, json: DRAFT },
    });
    expect(status).toBe(201);
    const headers = { "deploy-token": (body as Token).token };
    expect(await fileStatus("PUT", headers)).toBe(201);
    expect(await fileStatus("PUT", headers, deep)).toBe(201);
    expect(await fileStatus("PUT", headers, apart)).toBe(404);
  });
});
