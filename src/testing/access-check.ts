import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect } from "vitest";
import { VISIBILITIES, type Visibility } from "@/access/visibility.ts";
import type { Handler } from "@/http-api/endpoint.ts";
import { operationsOf } from "@/http-api/operations.ts";
import { type Deps, provideDeps } from "@/kernel/deps/deps.ts";
import { versions } from "@/server/api-versions.ts";
import { apiRoutes } from "@/server/generated/api-routes.ts";
import { ACTORS, type Actor, INVITED_EMAIL, OPEN_IID, WAITING_IID } from "./access-resources.ts";
import { type AccessRow, SCOPE_LISTS } from "./access-table/row.ts";
import { type AccessWorld, type ActorToken, accessWorld, hookPathOf } from "./access-world.ts";
import { type ApiRequest, callApi } from "./api.ts";
import { PASSWORD } from "./authorization.ts";
import { openTestDeps } from "./deps.ts";
import { fakeRegistry } from "./registry.ts";

let deps: Deps;
let world: AccessWorld;

/** Creates the users and resources of the access table before the tests of the file. */
export function openAccessWorld(): void {
  beforeAll(async () => {
    const registry = await fakeRegistry();
    const opened = await openTestDeps();
    deps = { ...opened, config: { ...opened.config, registry: registry.config } };
    provideDeps(deps);
    world = await accessWorld(deps, registry);
  });
}

/** The declarations of the route files by method and path. */
export const endpoints = new Map(
  operationsOf(apiRoutes).map(({ method, path, declaration }) => [
    `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
    declaration,
  ]),
);

function handlerOf({ endpoint }: AccessRow): Handler {
  const [method = "", path] = endpoint.split(" ");
  const route = apiRoutes.find(
    ({ segments }) => `/${segments.join("/")}`.replace(/\[(\w+)\]/g, ":$1") === path,
  );
  const handler = route?.module[method];
  if (typeof handler !== "function") throw new Error(`No route file handles ${endpoint}.`);
  return handler as Handler;
}

/** The request bodies of valid API requests, by endpoint. */
const BODIES: Readonly<Record<string, (world: AccessWorld) => object>> = {
  "PUT /application/settings": () => ({ signup_enabled: true }),
  "POST /features/:name": () => ({ value: true }),
  "POST /applications": () => ({ name: "Wiki", redirect_uri: "https://wiki.example/", scopes: "api" }),
  "PUT /applications/:id": () => ({ scopes: "api" }),
  "POST /users": () => ({ username: "new", email: "new@example.com", password: "long enough" }),
  "PUT /users/:id": () => ({ name: "Another" }),
  "PUT /user/avatar": () => ({ avatar: "" }),
  "POST /user/emails": () => ({ email: "another@example.com", current_password: PASSWORD }),
  "POST /users/:id/emails": () => ({ email: "another@example.com" }),
  "POST /users/:id/personal_access_tokens": () => ({ name: "new", scopes: ["read_user"] }),
  "POST /users/:id/impersonation_tokens": () => ({ name: "new", scopes: ["read_user"] }),
  "POST /user/runners": () => ({ runner_type: "instance_type" }),
  "POST /runners": ({ runners }) => ({ token: runners.pooled.token }),
  "DELETE /runners": ({ runners }) => ({ token: runners.pooled.token }),
  "POST /runners/verify": ({ runners }) => ({ token: runners.pooled.token }),
  "POST /runners/reset_authentication_token": ({ runners }) => ({ token: runners.pooled.token }),
  "POST /jobs/request": ({ runners }) => ({ token: runners.pooled.token }),
  "PUT /runners/:id": () => ({ paused: true }),
  "POST /projects/:id/runners": ({ runners }) => ({ runner_id: runners.pooled.runner.id }),
  "POST /geo_sites": () => ({ name: "third", url: "https://third.example.com" }),
  "PUT /geo_sites/:id": () => ({ enabled: false }),
  "POST /geo_nodes": () => ({ name: "third", url: "https://third.example.com" }),
  "PUT /geo_nodes/:id": () => ({ enabled: false }),
  "POST /projects": () => ({ name: "new" }),
  "PUT /projects/:id": () => ({ name: "Another" }),
  "PUT /projects/:id/transfer": () => ({ namespace: "group-public" }),
  "POST /projects/:id/members": ({ newcomerId }) => ({ user_id: newcomerId, access_level: 10 }),
  "PUT /projects/:id/members/:user_id": () => ({ access_level: 30 }),
  "PUT /projects/:id/error_tracking/settings": () => ({ active: true, integrated: true }),
  "PATCH /projects/:id/error_tracking/settings": () => ({ active: false }),
  "PUT /projects/:id/error_tracking/errors/:error_id": () => ({ status: "resolved" }),
  "POST /projects/:id/error_tracking/errors/:error_id/notes": () => ({ body: "Fixed." }),
  "POST /projects/:id/repository/branches": () => ({ branch: `new-${randomUUID()}`, ref: "main" }),
  "DELETE /projects/:id/registry/repositories/:repository_id/tags": () => ({ name_regex_delete: ".*" }),
  "POST /projects/:id/protected_branches": () => ({ name: "release/*" }),
  "PATCH /projects/:id/protected_branches/:name": () => ({ allow_force_push: true }),
  "POST /projects/:id/hooks": () => ({ url: "https://ci.example.com/hook" }),
  "PUT /projects/:id/hooks/:hook_id": () => ({ push_events: false }),
  "POST /groups/:id/hooks": () => ({ url: "https://ci.example.com/hook" }),
  "PUT /groups/:id/hooks/:hook_id": () => ({ push_events: false }),
  "POST /hooks": () => ({ url: "https://ci.example.com/hook" }),
  "PUT /hooks/:hook_id": () => ({ push_events: false }),
  "POST /projects/:id/merge_requests": () => ({ source_branch: "v2", target_branch: "into", title: "New" }),
  "PUT /projects/:id/merge_requests/:iid": () => ({ title: "Another" }),
  "POST /projects/:id/approvals": () => ({ approvals_before_merge: 1 }),
  "POST /projects/:id/approval_rules": () => ({ name: "New", approvals_required: 1 }),
  "PUT /projects/:id/approval_rules/:rule_id": () => ({ approvals_required: 2 }),
  "POST /projects/:id/managed_licenses": () => ({ name: "MIT", approval_status: "allowed" }),
  "PATCH /projects/:id/managed_licenses/:managed_license_id": () => ({ approval_status: "denied" }),
  "POST /projects/:id/license_approval_policies": () => ({ name: "New", deny_list: ["MIT"] }),
  "PUT /projects/:id/license_approval_policies/:policy_id": () => ({ enabled: false }),
  "POST /projects/:id/access_tokens": () => ({ name: "new", scopes: ["read_api"], access_level: 20 }),
  "POST /groups/:id/access_tokens": () => ({ name: "new", scopes: ["read_api"], access_level: 20 }),
  "POST /projects/:id/deploy_tokens": () => ({ name: "new", scopes: ["read_repository"] }),
  "POST /groups/:id/deploy_tokens": () => ({ name: "new", scopes: ["read_repository"] }),
  "POST /projects/:id/invitations": ({ newcomerId }) => ({ user_id: newcomerId, access_level: 10 }),
  "PUT /projects/:id/invitations/:email": () => ({ access_level: 30 }),
  "POST /groups/:id/invitations": ({ newcomerId }) => ({ user_id: newcomerId, access_level: 10 }),
  "PUT /groups/:id/invitations/:email": () => ({ access_level: 30 }),
  "POST /groups": () => ({ name: "new", path: "new" }),
  "PUT /groups/:id": () => ({ name: "Another" }),
  "POST /groups/:id/members": ({ newcomerId }) => ({ user_id: newcomerId, access_level: 10 }),
  "PUT /groups/:id/members/:user_id": () => ({ access_level: 30 }),
};

/** The queries of valid API requests, by endpoint. */
const QUERIES: Readonly<Record<string, string>> = {
  "GET /projects/:id/repository/compare": "?from=v1&to=main",
  "GET /merge_requests": "?scope=all",
};

function requestOf(row: AccessRow, visibility: Visibility, token: string | undefined): ApiRequest {
  const { resources, targets, memberId } = world;
  const visibleResources = resources[visibility];
  const first = row.endpoint.split("/")[1] as keyof typeof targets;
  const target = /\/(approve|reject)$/.test(row.endpoint) ? world.pendingId : targets[first];
  const inside = row.endpoint.endsWith("/transfer") ? "movable" : row.in;
  const id = inside === undefined ? target : visibleResources[inside].id;
  const { keyId: key_id, errorId: error_id, packageId: package_id, fileId: file_id } = visibleResources;
  const doomed = row.endpoint.startsWith("DELETE") ? nextDoomed(token) : "main";
  const names = {
    ...{ id, user_id: memberId, key_id, error_id, note_id: visibleResources.noteId },
    name: row.endpoint.includes("/protected_branches/") ? "main" : "oauth2_device_grant_flow",
    ...{
      runner_id: world.runners.shared.runner.id,
      package_id,
      file_id,
      repository_id: visibleResources.imagesId,
    },
    ...{ package_name: "tool", package_version: "1.0" },
    ...{ managed_license_id: "GPL-3.0", policy_id: visibleResources.policyId },
    ...{ file_name: row.endpoint.startsWith("PUT") ? "new.bin" : "tool.bin" },
    impersonation_token_id: world.impersonationTokenId,
    token_id: row.endpoint.includes("/deploy_tokens")
      ? visibleResources.deployTokenIds[row.in ?? "project"]
      : visibleResources.accessTokens[row.in ?? "project"].id,
    email: INVITED_EMAIL,
    ...{ rule_id: visibleResources.ruleId, version_id: visibleResources.versionId },
    iid: row.endpoint.endsWith("/cancel_merge_when_pipeline_succeeds") ? WAITING_IID : OPEN_IID,
    email_id: emailIdOf(row, token),
    ...{ file_path: "a.txt", sha: "main", branch: doomed, tag_name: doomed },
    ...hookPathOf(world, visibleResources, row.endpoint.split("/")[1] ?? ""),
  };
  const path = Object.fromEntries(
    Object.entries(names).flatMap(([name, value]) =>
      row.endpoint.includes(`:${name}`) ? [[name, `${value}`]] : [],
    ),
  );
  const body = BODIES[row.endpoint]?.(world);
  const query = QUERIES[row.endpoint];
  return {
    token,
    path,
    ...(body === undefined ? {} : { json: body }),
    ...(query === undefined ? {} : { query }),
  };
}

/** Returns the id of the pending e-mail address that the endpoint reads or changes. */
function emailIdOf({ endpoint }: AccessRow, token: string | undefined): number {
  const { actor = "stranger" } = world.tokens.find(({ value }) => value === token) ?? {};
  return (endpoint.includes("/users/") ? world.targets.users : world.userIds[actor]) * 2 + 1;
}

/**
 * Returns the name of a branch or a tag that has not been removed yet. A removal in Git or in the registry
 * cannot be rolled back, so the requests with different tokens remove different branches or tags.
 */
function nextDoomed(token: string | undefined): string {
  const actor = world.tokens.findIndex(({ value }) => value === token);
  return `doomed-${Math.max(0, actor)}`;
}

/** Returns whether the endpoint reads or changes a repository. */
export const isCode = ({ endpoint }: AccessRow): boolean => /\/repository\/|\/merge_requests/.test(endpoint);

const RANKS = ["guest", "reporter", "developer", "maintainer", "owner", "administrator"];
type Expected = Readonly<{ status: number; scope?: true }>;

/** Returns the response that the access table declares. @param token null for a request without a token. */
function expectedOf(row: AccessRow, visibility: Visibility, token: ActorToken | null): Expected {
  const good = { status: row.status };
  if (token === null) {
    if (row.least !== "anyone" && row.least !== "code") return { status: 401 };
    return row.in === undefined || visibility === "public" ? good : { status: 404 };
  }
  const { actor, kind, scope } = token;
  if (row.kind !== undefined && row.kind !== kind)
    return row.otherKinds === undefined ? { status: 401 } : { status: row.otherKinds, scope: true };
  if (SCOPE_LISTS[row.scopes]?.includes(scope) === false) return { status: 403, scope: true };
  const rank = RANKS.indexOf(actor);
  if (row.in !== undefined && visibility === "private" && rank < 0) return { status: 404 };
  const required = RANKS.indexOf(row.least);
  if (row.least === "code")
    return visibility !== "private" || rank >= RANKS.indexOf("reporter") ? good : { status: 403 };
  const enough =
    required < 0 ? row.least !== "self" || actor === "self" || actor === "administrator" : rank >= required;
  return enough ? good : { status: row.others ?? 403 };
}

class Undo extends Error {}

/**
 * Runs a function in a transaction and rolls the transaction back, so that the next test finds the same rows
 * in the database.
 */
async function undone<Result>(run: () => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  try {
    await deps.transaction(async (within) => {
      provideDeps(within);
      results.push(await run());
      throw new Undo();
    });
  } catch (cause) {
    if (!(cause instanceof Undo)) throw cause;
  } finally {
    provideDeps(deps);
  }
  const [result] = results;
  if (result === undefined) throw new Error("No request was sent.");
  return result;
}

/**
 * The users whose tokens are tested with every scope. At least one user in the list has access to each
 * endpoint.
 */
const EVERY_SCOPE: ReadonlySet<Actor> = new Set(["developer", "administrator"]);

type Case = Readonly<{ visibility: Visibility; token: ActorToken | null; expected: Expected }>;

function casesOf(row: AccessRow): readonly Case[] {
  const visibilities = row.in === undefined ? (["public"] as const) : VISIBILITIES;
  const actors: readonly Actor[] = ACTORS.filter((actor) => row.in === undefined || actor !== "self");
  const tokens = world.tokens.filter(({ actor }) => actors.includes(actor));
  const sufficient = SCOPE_LISTS[row.scopes] ?? undefined;
  const common = sufficient?.includes("api") === false ? sufficient[0] : "api";
  // Scopes do not depend on roles. Every scope is therefore tested only with the users in `EVERY_SCOPE`, and
  // one sufficient scope is tested with each of the other users. Insufficient scopes are tested only with
  // public resources, where no other rule denies access. For Git endpoints, every scope is tested with a
  // single user, because Git starts a process for some requests.
  const tried = (visibility: Visibility) =>
    tokens.filter(({ actor, kind, scope }) => {
      if (scope === common) return kind === "personal" || !isCode(row);
      if (!EVERY_SCOPE.has(actor) || (isCode(row) && actor !== "developer")) return false;
      return sufficient?.includes(scope) === false
        ? visibility === "public"
        : row.in === undefined || visibility === "private";
    });
  return visibilities.flatMap((visibility) =>
    [null, ...tried(visibility)].map((token) => ({
      visibility,
      token,
      expected: expectedOf(row, visibility, token),
    })),
  );
}

/** Returns a description of an unexpected response; null for the expected response. */
async function problemOf(row: AccessRow, { visibility, token, expected }: Case): Promise<string | null> {
  const [method = ""] = row.endpoint.split(" ");
  const response = await callApi(handlerOf(row), method, requestOf(row, visibility, token?.value));
  const caller = token === null ? "nobody" : `${token.actor}, ${token.kind} token with ${token.scope}`;
  const describeBody = () => JSON.stringify(response.body);
  if (response.status !== expected.status)
    return `${caller}, ${visibility}: ${response.status} instead of ${expected.status}: ${describeBody()}`;
  if (response.status >= 400)
    return describeBody().includes("insufficient_scope") === (expected.scope === true)
      ? null
      : `${caller}: ${describeBody()}`;
  return misfit(row, response.body) ? `${caller}: not as declared: ${describeBody()}` : null;
}

/**
 * Returns whether the response body has a field that the entity does not declare, or lacks a declared field.
 */
function misfit(row: AccessRow, body: unknown): boolean {
  const { entity = null, list, bytes } = endpoints.get(row.endpoint) ?? {};
  if (bytes) return typeof body !== "string";
  if (entity === null) return body !== null;
  const schema = versions.schemaIn("v4", entity);
  const entities = list ? body : [body];
  if (!Array.isArray(entities) || entities.length === 0) return true;
  return entities.some((item) => {
    const parsed = schema.safeParse(item);
    // The schema removes undeclared fields at every level, so a body with an undeclared field differs from
    // the parsed body.
    return !parsed.success || !isDeepStrictEqual(parsed.data, item);
  });
}

/**
 * Returns the number of simultaneous requests. The number is smaller for Git endpoints, because their requests wait for
 * Git processes.
 */
const concurrencyOf = (row: AccessRow): number => (isCode(row) ? 6 : 40);

async function problemsOf(row: AccessRow, cases: readonly Case[]): Promise<readonly string[]> {
  const changes = ({ expected }: Case) => !row.endpoint.startsWith("GET ") && expected.status < 300;
  const problems: (string | null)[] = [];
  for (const testCase of cases.filter(changes)) {
    problems.push(await undone(() => problemOf(row, testCase).then(nothingFound)));
    // The rollback of the rows does not revert a merge in Git.
    if (row.endpoint.endsWith("/merge")) await world.unmerge();
  }
  const rest = cases.filter((testCase) => !changes(testCase));
  const step = concurrencyOf(row);
  for (let at = 0; at < rest.length; at += step)
    problems.push(
      ...(await Promise.all(rest.slice(at, at + step).map((testCase) => problemOf(row, testCase)))),
    );
  return problems.flatMap((problem) => problem || []);
}

const nothingFound = (problem: string | null): string => problem ?? "";

/**
 * Calls the endpoint of a row of the access table as every actor, and compares each response with the rule in
 * the row.
 */
export async function rowHolds(row: AccessRow): Promise<void> {
  const cases = casesOf(row);
  const visibilitiesTested = new Set(cases.map(({ visibility }) => visibility));
  expect([...visibilitiesTested]).toEqual(row.in === undefined ? ["public"] : [...VISIBILITIES]);
  // The test cases of each row of the access table must contain every scope.
  expect(new Set(cases.flatMap(({ token }) => token?.scope ?? []))).toEqual(
    new Set(world.tokens.map(({ scope }) => scope)),
  );
  // The test cases of each row of the access table must contain more than seven callers, and at least one
  // caller who has access.
  expect(new Set(cases.map(({ token }) => token?.actor ?? "nobody")).size).toBeGreaterThan(7);
  expect(cases.some(({ expected }) => expected.status === row.status)).toBe(true);
  expect(await problemsOf(row, cases)).toEqual([]);
}
