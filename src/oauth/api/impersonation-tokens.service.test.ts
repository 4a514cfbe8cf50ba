import * as group from "@app/api/v4/groups/route.ts";
import * as personalTokens from "@app/api/v4/personal_access_tokens/route.ts";
import * as self from "@app/api/v4/personal_access_tokens/self/route.ts";
import * as user from "@app/api/v4/user/route.ts";
import * as one from "@app/api/v4/users/[id]/impersonation_tokens/[impersonation_token_id]/route.ts";
import * as many from "@app/api/v4/users/[id]/impersonation_tokens/route.ts";
import * as userTokens from "@app/api/v4/users/[id]/personal_access_tokens/route.ts";
import { describe, expect, it } from "vitest";
import { setAdministrator } from "@/identity/users/administration.ts";
import { rotatePersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "chief", { admin: true });
const support = await apiUser(deps, "helpdesk", { admin: true });
const ann = await apiUser(deps, "ann");

type Token = Readonly<{ id: number; token: string }>;

const ofAnn = (more: object = {}) => ({ path: { id: String(ann.user.id), ...more } });

async function created(by = root): Promise<Token> {
  const json = { name: "support", scopes: ["api"] };
  const { status, body } = await callApi(many.POST, "POST", { token: by.token, ...ofAnn(), json });
  expect(status).toBe(201);
  expect(body).toMatchObject({ impersonation: true, user_id: ann.user.id, active: true });
  return body as Token;
}

const stateOf = async (token: string): Promise<number> => (await callApi(user.GET, "GET", { token })).status;

const events = (name: string) => deps.db.auditEvent.findMany({ where: { name }, orderBy: { id: "desc" } });

describe("an impersonation token", () => {
  it(
    conformance(
      "MA-04",
      "an impersonation token acts for its user, and audit events name the user and the administrator",
    ),
    async () => {
      const { token } = await created();
      expect((await callApi(user.GET, "GET", { token })).body).toMatchObject({ username: "ann" });
      expect((await callApi(group.POST, "POST", { token, json: { name: "g", path: "g" } })).status).toBe(201);
      const both = { userId: ann.user.id, actorId: root.user.id };
      expect((await events("group.created"))[0]).toMatchObject(both);
      expect((await events("impersonation_token.created"))[0]).toMatchObject(both);
      expect((await callApi(self.GET, "GET", { token })).status).toBe(200);
    },
  );

  it("an impersonation token is listed, shown and revoked only by the endpoints for impersonation tokens", async () => {
    const { id, token } = await created();
    const list = { token: root.token, ...ofAnn() };
    const ids = async (query: string) =>
      ((await callApi(many.GET, "GET", { ...list, query })).body as Token[]).map((row) => row.id);
    expect(await ids("")).toContain(id);
    expect(await ids("?state=inactive")).not.toContain(id);
    const own = (await callApi(personalTokens.GET, "GET", { token: ann.token })).body as Token[];
    expect(own.map((row) => row.id)).not.toContain(id);
    const path = ofAnn({ impersonation_token_id: String(id) });
    expect((await callApi(one.DELETE, "DELETE", { token: root.token, ...path })).status).toBe(204);
    expect(await stateOf(token)).toBe(401);
    expect((await callApi(one.GET, "GET", { token: root.token, ...path })).body).toMatchObject({
      revoked: true,
    });
    expect(await ids("?state=inactive")).toContain(id);
  });

  it("an impersonated user cannot rotate the impersonation token, because the response would show the new token to the user", async () => {
    const { id, token } = await created();
    expect(await rotatePersonalToken(deps, { id, userId: ann.user.id }, null)).toBeNull();
    expect(await stateOf(token)).toBe(200);
  });

  it("an impersonation token can show and revoke itself, and the audit event names the user and the administrator", async () => {
    const { id, token } = await created();
    expect((await callApi(self.GET, "GET", { token })).body).toMatchObject({ id, user_id: ann.user.id });
    expect((await callApi(self.DELETE, "DELETE", { token })).status).toBe(204);
    expect(await stateOf(token)).toBe(401);
    const both = { userId: ann.user.id, actorId: root.user.id };
    expect((await events("personal_token.revoked"))[0]).toMatchObject(both);
  });

  it(conformance("MA-04", "an impersonation token cannot create other tokens"), async () => {
    const json = { name: "support", scopes: ["api"] };
    const path = { id: String(root.user.id) };
    const { body } = await callApi(many.POST, "POST", { token: support.token, path, json });
    const request = { token: (body as Token).token, ...ofAnn(), json };
    expect((await callApi(userTokens.POST, "POST", request)).status).toBe(403);
    expect((await callApi(many.POST, "POST", request)).status).toBe(403);
  });

  it(
    conformance(
      "MA-04",
      "an impersonation token stops working when its creator is no longer an administrator",
    ),
    async () => {
      const { token } = await created(support);
      expect(await stateOf(token)).toBe(200);
      await setAdministrator(deps, root.user, support.user.id, false);
      expect(await stateOf(token)).toBe(401);
    },
  );
});
