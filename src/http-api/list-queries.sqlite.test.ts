import { beforeAll, describe, expect, it } from "vitest";
import { ROLES } from "@/access/roles.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { apiRoutes } from "@/server/generated/api-routes.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { fakeRegistry } from "@/testing/registry.ts";
import { countStatements } from "@/testing/statements.ts";
import { createAccessToken } from "@/workspace/access-tokens/service.ts";
import { createDeployToken } from "@/workspace/deploy-tokens/service.ts";
import { resourceOf as groupResource } from "@/workspace/groups/service.ts";
import { resourceOf as projectResource } from "@/workspace/projects/service.ts";
import type { Handler } from "./endpoint.ts";
import { operationsOf } from "./operations.ts";

const registry = await fakeRegistry();
const opened = await openTestDeps();
const deps = { ...opened, config: { ...opened.config, registry: registry.config } };
provideDeps(deps);

/**
 * The lists whose rows do not come from a database table, with the source of their rows. The SQL statements
 * of all other lists are counted.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "/projects/{id}/repository/tree": "Git",
  "/projects/{id}/repository/commits": "Git",
  "/projects/{id}/repository/commits/{sha}/diff": "Git",
  "/projects/{id}/repository/branches": "Git",
  "/projects/{id}/repository/tags": "Git",
  "/projects/{id}/merge_requests/{iid}/commits": "Git",
  "/projects/{id}/merge_requests/{iid}/diffs": "Git",
  "/projects/{id}/merge_requests/{iid}/license_violations": "Git, and one row with the found licenses",
  "/projects/{id}/registry/repositories/{repository_id}/tags": "the container registry",
};

/** The parameters that a list requires, in addition to the paging parameters. */
const QUERIES: Readonly<Record<string, string>> = {
  "/merge_requests": "scope=all",
  "/projects/{id}/error_tracking/errors": "status=all",
};

/**
 * The filters that cause additional statements. The number of statements must not grow with the page size.
 */
const FILTERED: readonly (readonly [path: string, query: string])[] = [
  ["/users", "created_after=2000-01-01&admins=false&external=false"],
  ["/projects", "id_after=0&last_activity_after=2000-01-01&archived=false"],
  ["/groups", "skip_groups[]=1&all_available=false"],
  ["/merge_requests", "not[author_username]=root&not[labels]=rare&approved_by_ids=Any&milestone=None"],
];

/** The minimum number of rows of each list, except lists whose rows are constants in the program. */
const LENGTH = 30;
/**
 * The page size is smaller than the list, because the server runs no count query for a list that ends on the
 * requested page.
 */
const PER_PAGE = 25;
const BY_NATURE: Readonly<Record<string, number>> = {
  "/features": 1,
  "/features/definitions": 1,
  "/user/emails": 1,
  "/users/{id}/emails": 1,
};
/**
 * The maximum number of statements for one page of a list. The number of statements, including the statements
 * for related rows, must be smaller than the number of rows.
 */
const STATEMENTS_MAX = LENGTH;

const lists = operationsOf(apiRoutes).filter(({ declaration }) => declaration.list === true);
const counted = lists.filter(({ path }) => ELSEWHERE[path] === undefined);

const each = <Made>(make: (index: number) => Made): Made[] =>
  Array.from({ length: LENGTH }, (_, at) => make(at));

let tokens: readonly string[];
let names: Readonly<Record<string, string>>;

beforeAll(async () => {
  ({ tokens, names } = await longLists());
});

const statements = countStatements();

type List = (typeof lists)[number];

/**
 * Returns the number of rows of a list and the number of its statements; null for a caller without permission
 * to read the list.
 */
async function queriesOf({ path, pathNames }: List, token: string, query: string) {
  const segments = path.slice(1).replaceAll("{", "[").replaceAll("}", "]");
  const route = apiRoutes.find((candidate) => candidate.segments.join("/") === segments);
  const request = {
    token,
    path: Object.fromEntries(
      pathNames.map((name) => {
        const [, first = ""] = path.split("/");
        return [name, (name === "id" ? names[first] : (names[`${first} ${name}`] ?? names[name])) ?? ""];
      }),
    ),
    query: `?${query}&${QUERIES[path] ?? ""}`,
  };
  const before = statements();
  const { status, body } = await callApi(route?.module["GET"] as Handler, "GET", request);
  const run = statements() - before;
  if (status === 403) return null;
  if (status !== 200 || !Array.isArray(body)) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return { rows: body.length, run };
}

describe("SQL statements of lists", () => {
  it("each list of the API is either tested for its number of SQL statements or declared as a list without a table", () => {
    expect(lists.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(ELSEWHERE)));
    expect(counted.length).toBeGreaterThan(25);
  });

  it.each(counted.map((list) => [list.path, list] as const))(
    "the list runs as many SQL statements for many rows as for one row: %s",
    async (path, list) => {
      const lists = [];
      for (const token of tokens)
        for (const keyset of list.declaration.pagedBy === "number"
          ? [""]
          : ["", "&pagination=keyset&sort=asc"]) {
          // The first request fills the caches that are kept between requests.
          await queriesOf(list, token, `per_page=1${keyset}`);
          const short = await queriesOf(list, token, `per_page=1${keyset}`);
          const long = await queriesOf(list, token, `per_page=${PER_PAGE}${keyset}`);
          if (short === null || long === null) continue;
          expect(short.rows).toBe(1);
          expect(long.rows).toBeGreaterThanOrEqual(BY_NATURE[path] ?? PER_PAGE);
          expect(long.run).toBe(short.run);
          lists.push(short.run);
        }
      // The check fails if no caller may read the list, or if no rows were counted.
      expect(lists.length).toBeGreaterThan(0);
      expect(Math.min(...lists)).toBeGreaterThan(0);
      expect(Math.max(...lists)).toBeLessThanOrEqual(STATEMENTS_MAX);
    },
  );

  it.each(FILTERED)(
    conformance(
      "SC-24",
      "a filtered list runs the same number of SQL statements for a page with one row and for a page with many rows: %s",
    ),
    async (path, query) => {
      const list = counted.find((candidate) => candidate.path === path);
      const [, token = ""] = tokens;
      if (list === undefined) throw new Error(path);
      await queriesOf(list, token, `per_page=1&${query}`);
      const short = await queriesOf(list, token, `per_page=1&${query}`);
      const long = await queriesOf(list, token, `per_page=${PER_PAGE}&${query}`);
      expect(short?.rows).toBe(1);
      expect(long?.rows).toBe(PER_PAGE);
      expect(long?.run).toBe(short?.run);
    },
  );
});

/**
 * Creates enough rows for each list, both for a user who is not an administrator and for an administrator.
 * Where possible, each row has a separate parent.
 */
async function longLists() {
  const { db } = deps;
  const root = await apiUser(deps, "root", { admin: true });
  const ann = await apiUser(deps, "ann");
  const createdAt = deps.clock();
  const group = await groupOf(deps, ann.user, "top", { visibility: "private" });
  const project = await projectOf(deps, ann.user, "first", { group });
  const digests = (prefix: string) => (at: number) => ({ digest: `${prefix}-${at}`, createdAt });

  await db.user.createMany({
    data: each((at) => ({
      ...{ username: `u${at}`, usernameLower: `u${at}`, name: `U ${at}`, passwordDigest: "" },
      ...{ email: `u${at}@example.com`, emailLower: `u${at}@example.com`, emailVerified: true },
      ...{ admin: true, state: "active", createdAt },
    })),
  });
  const users = (await db.user.findMany({ where: { username: { startsWith: "u" } } })).map(({ id }) => id);
  const user = (at: number): number => users[at] ?? 0;
  const role = ROLES.maintainer.level;
  await db.groupMember.createMany({
    data: users.map((userId) => ({ userId, groupId: group.id, role, createdAt })),
  });
  await db.projectMember.createMany({
    data: [root.user.id, ...users].map((userId) => ({ userId, projectId: project.id, role, createdAt })),
  });

  const namespaceRow = (path: string) => ({
    ...{ name: path, path, fullPath: `top/${path}`, fullPathLower: `top/${path}` },
    ...{ description: "", visibility: "private", createdAt },
  });
  await db.group.createMany({ data: each((at) => ({ ...namespaceRow(`g${at}`), parentId: group.id })) });
  const inner = (await db.group.findMany({ where: { parentId: group.id } })).map(({ id }) => id);
  await db.groupAncestor.createMany({
    data: inner.flatMap((groupId) => [groupId, group.id].map((ancestorId) => ({ groupId, ancestorId }))),
  });
  const lying = (path: string, groupId: number, at: number) => ({
    ...{ ...namespaceRow(path), nameLower: path, groupId, creatorId: user(at), lastActivityAt: createdAt },
  });
  await db.project.createMany({
    data: each((at) => [lying(`p${at}`, group.id, at), lying(`q${at}`, inner[at] ?? 0, at)]).flat(),
  });
  const personal = { ...namespaceRow("own"), nameLower: "own", groupId: null, creatorId: ann.user.id };
  await db.project.createMany({
    data: each((at) => ({
      ...{ ...personal, lastActivityAt: createdAt },
      ...{ path: `own${at}`, fullPath: `u0/own${at}`, fullPathLower: `u0/own${at}`, visibility: "internal" },
    })),
  });
  const projects = (await db.project.findMany({ where: { groupId: { in: inner } } })).map(({ id }) => id);
  const projectsById = new Map(
    (await db.project.findMany()).map(({ id, visibility, groupId, topGroupId }) => [
      id,
      { visibility, groupId, topGroupId },
    ]),
  );

  await db.application.createMany({
    data: each((at) => ({
      ...{ uid: `app-${at}`, name: `App ${at}`, redirectUris: "https://a.example/", scopes: "api" },
      ...{ confidential: true, trusted: false, requiresPkce: false, allowsPassword: true },
      ...{ ownerId: user(at), createdAt, updatedAt: createdAt },
    })),
  });
  const applications = (await db.application.findMany()).map(({ id }) => id);
  const uses = [root.user.id, ann.user.id].flatMap((userId) =>
    applications.map((applicationId) => ({ userId, applicationId, name: "geo_nodes" })),
  );
  await db.deprecatedUse.createMany({
    data: uses.map((use, at) => ({ ...use, key: `use-${at}`, count: 1, lastUsedAt: createdAt })),
  });
  await db.personalAccessToken.createMany({
    data: each((at) => ({
      ...{ ...digests("impersonation")(at), userId: ann.user.id, name: "token", scopes: "api" },
      impersonatorId: root.user.id,
    })),
  });
  await db.personalAccessToken.createMany({
    data: [ann.user.id, ...users].flatMap((userId, owner) =>
      each((at) => ({ ...digests(`pat-${owner}`)(at), userId, name: "token", scopes: "api" })),
    ),
  });
  for (const resource of [projectResource(project), groupResource(group)])
    for (const name of each((at) => `bot-${at}`)) {
      const draft = { name, scopes: ["api"], role: "guest", expiresAt: null } as const;
      await createAccessToken(deps, { resource, by: ann.user, held: "owner" }, draft);
      const deploy = { name, username: "", scopes: ["read_repository"], expiresAt: null };
      await createDeployToken(deps, { resource, by: ann.user, held: "owner" }, deploy);
      const invitation = { key: `${resource.kind} ${name}`, email: name, role: 30, invitedById: ann.user.id };
      const times = { createdAt, sentAt: createdAt, expiresAt: createdAt };
      await db.invitation.create({ data: { ...invitation, ...times, [`${resource.kind}Id`]: resource.id } });
    }
  await db.geoSite.createMany({
    data: each((at) => ({
      ...{ name: `site-${at}`, url: `https://s${at}.example/`, enabled: true, createdAt },
      ...{ filesMaxCapacity: 1, reposMaxCapacity: 1, verificationMaxCapacity: 1 },
      ...{ containerRepositoriesMaxCapacity: 1, minimumReverificationInterval: 1 },
      ...{ syncObjectStorage: false, selectiveSyncShards: "[]", selectiveSyncNamespaceIds: "[]" },
      ...{ primarySlot: at === 0 ? 1 : null, applicationId: applications[at] ?? null },
    })),
  });

  const plain = { description: "", paused: false, locked: false, runUntagged: true, createdAt };
  const runner = (kind: string) => (at: number) => ({
    ...{ ...plain, ...digests(kind)(at), kind, accessLevel: "not_protected" },
    groupId: kind === "group_type" ? group.id : null,
  });
  await db.runner.createMany({ data: [...each(runner("group_type")), ...each(runner("project_type"))] });
  const runners = (await db.runner.findMany()).map(({ id }) => id);
  await db.runnerTag.createMany({ data: runners.map((runnerId) => ({ runnerId, name: "linux" })) });
  const assigned = await db.runner.findMany({ where: { kind: "project_type" } });
  await db.runnerProject.createMany({
    data: assigned.map(({ id }) => ({
      runnerId: id,
      projectId: project.id,
      groupId: projectsById.get(project.id)?.groupId ?? null,
    })),
  });

  const projectId = project.id;
  await db.publishedPackage.createMany({
    data: each((at) => ({
      ...{ projectId, type: "generic", name: `p${at}`, nameLower: `p${at}`, version: "1", createdAt },
    })),
  });
  const { id: packageId } = await db.publishedPackage.findFirstOrThrow();
  await db.publishedFile.createMany({
    data: each((at) => ({
      ...{
        packageId,
        name: `f${at}`,
        sizeBytes: 1,
        sha256: "",
        key: `f${at}`,
        createdAt,
        updatedAt: createdAt,
      },
    })),
  });
  await db.containerRepository.createMany({
    data: [...each(() => projectId), ...projects].map((owner, at) => ({
      ...{ projectId: owner, path: `top/image-${at}`, createdAt },
    })),
  });

  await db.errorTrackingClientKey.createMany({
    data: each((at) => ({ projectId, publicKey: `key-${at}`, active: true, createdAt })),
  });
  const counts = { firstSeenAt: createdAt, lastSeenAt: createdAt, eventCount: 1, userCount: 1 };
  const texts = { name: "It broke", message: "", culprit: "", platform: "node", level: "error" };
  await db.trackedError.createMany({
    data: each((at) => ({
      ...{
        ...texts,
        ...counts,
        projectId,
        fingerprint: `e${at}`,
        searchText: "it broke",
        status: "unresolved",
      },
    })),
  });
  const { id: errorId } = await db.trackedError.findFirstOrThrow();
  const times = { occurredAt: createdAt, receivedAt: createdAt };
  await db.errorEvent.createMany({
    data: each((slot) => ({
      ...{ ...times, errorId, slot, eventId: `${slot}`.padStart(32, "0"), level: "error" },
      ...{ environment: "", release: "", payload: "{}" },
    })),
  });
  await db.errorComment.createMany({
    data: each((at) => ({ errorId, authorId: user(at), body: `Comment ${at}`, createdAt })),
  });

  await db.approvalRule.createMany({
    data: each((at) => ({
      ...{ projectId, name: `r${at}`, ruleType: "regular", key: `regular r${at}`, approvalsRequired: 1 },
    })),
  });
  const rules = (await db.approvalRule.findMany()).map(({ id }) => id);
  await db.approvalRuleUser.createMany({
    data: rules.map((ruleId, at) => ({ ruleId, userId: user(at) })),
  });
  await db.approvalRuleGroup.createMany({
    data: rules.map((ruleId, at) => ({ ruleId, groupId: inner[at] ?? 0 })),
  });
  const protection = { pushAccessLevel: 40, mergeAccessLevel: 40, allowForcePush: false };
  await db.protectedBranch.createMany({
    data: each((at) => ({ ...protection, projectId, name: `b${at}`, followsDefault: false, createdAt })),
  });
  const hookRow = (at: number) => ({
    ...{ name: "", description: "", sealedUrl: "", sealedSecret: "", branchFilter: "", createdAt },
    ...{ pushEvents: true, tagPushEvents: false, mergeRequestsEvents: false, errorEvents: false },
    ...{ securityEvents: false, auditEvents: false, uid: `hook-${at}` },
  });
  const hookOwners = [
    { kind: "instance" },
    { kind: "group", groupId: group.id },
    { kind: "project", projectId },
  ];
  for (const [index, owner] of hookOwners.entries())
    await db.webhook.createMany({ data: each((at) => ({ ...hookRow(index * LENGTH + at), ...owner })) });
  const { id: hookId } = await db.webhook.findFirstOrThrow({ where: { projectId } });
  const { id: groupHookId } = await db.webhook.findFirstOrThrow({ where: { groupId: group.id } });
  await db.webhookDelivery.createMany({
    data: [hookId, groupHookId].flatMap((webhookId) =>
      each((at) => ({
        ...{ webhookId, uid: `m-${at}`, eventUid: "e", trigger: "push_events", source: "{}", body: "{}" },
        ...{ state: "delivered", attempts: 1, createdAt, nextAttemptAt: createdAt, expiresAt: createdAt },
      })),
    ),
  });
  const named = (at: number) => ({ name: `L-${at}`, nameLower: `l-${at}`, status: "allowed", createdAt });
  await db.managedLicense.createMany({ data: each((at) => ({ ...named(at), projectId })) });
  const policy = { description: "", enabled: true, allowList: "[]", denyList: "[]", approvalsRequired: 0 };
  await db.licensePolicy.createMany({
    data: each((at) => ({ ...policy, projectId, name: `P ${at}`, createdAt, updatedAt: createdAt })),
  });

  const mergeRequestTexts = { title: "T", titleLower: "t", description: "", searchText: "t", draft: false };
  const version = { headSha: "a".repeat(40), baseSha: "b".repeat(40), startSha: "b".repeat(40) };
  const request = (inside: number, iid: number, at: number) => ({
    ...{
      ...mergeRequestTexts,
      ...version,
      projectId: inside,
      iid,
      sourceBranch: `b${iid}`,
      targetBranch: "main",
    },
    ...{ state: "closed", authorId: user(at), mergeUserId: user(at), closedById: user(at) },
    ...{ squash: false, removesSource: false, createdAt, updatedAt: createdAt, changesCount: 1 },
    ...{ mergeability: "clean", behind: false, checkedSha: "b".repeat(40), closedAt: createdAt },
    ...{ visibility: "", ...projectsById.get(inside) },
  });
  await db.mergeRequest.createMany({
    data: [
      ...each((at) => request(projectId, at + 1, at)),
      ...projects.map((inside, at) => request(inside, 1, at)),
    ],
  });
  const requests = (await db.mergeRequest.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
  await db.mergeRequestPerson.createMany({
    data: requests.flatMap((mergeRequestId, at) =>
      ["assignee", "reviewer"].map((kind) => ({ mergeRequestId, userId: user(at % LENGTH), kind })),
    ),
  });
  await db.mergeRequestLabel.createMany({
    data: requests.map((mergeRequestId) => ({ mergeRequestId, name: "bug" })),
  });
  await db.mergeRequestApproval.createMany({
    data: requests.map((mergeRequestId, at) => ({
      ...{ mergeRequestId, userId: user(at % LENGTH), headSha: version.headSha, createdAt },
    })),
  });
  const [first = 0] = requests;
  await db.mergeRequestVersion.createMany({
    data: each(() => ({ ...version, mergeRequestId: first, changesCount: 1, createdAt })),
  });
  return {
    tokens: [root.token, ann.token],
    names: {
      ...{ projects: `${projectId}`, groups: `${group.id}`, users: `${ann.user.id}` },
      ...{ package_id: `${packageId}`, error_id: `${errorId}`, iid: "1" },
      ...{ "projects hook_id": `${hookId}`, "groups hook_id": `${groupHookId}` },
    },
  };
}
