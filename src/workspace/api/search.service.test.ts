import * as groups from "@app/api/v4/groups/route.ts";
import * as everyMergeRequest from "@app/api/v4/merge_requests/route.ts";
import * as personalTokens from "@app/api/v4/personal_access_tokens/route.ts";
import * as errors from "@app/api/v4/projects/[id]/error_tracking/errors/route.ts";
import * as members from "@app/api/v4/projects/[id]/members/route.ts";
import * as mergeRequests from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as packages from "@app/api/v4/projects/[id]/packages/route.ts";
import * as projects from "@app/api/v4/projects/route.ts";
import * as users from "@app/api/v4/users/route.ts";
import { expect, it } from "vitest";
import type { Handler } from "@/http-api/endpoint.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });
const createdAt = deps.clock();

const shop = await projectOf(deps, root.user, "pay_shop");
for (const path of ["payxshop", "other"]) await projectOf(deps, root.user, path);
for (const path of ["team_a", "teamxa"]) await groupOf(deps, root.user, path);
for (const [username, name] of [
  ["ann_b", "100% \\ sure"],
  ["annxb", "100 or so / sure"],
] as const) {
  const { user } = await apiUser(deps, username);
  await memberOf(deps, shop, user, "developer");
  await deps.db.user.update({ where: { id: user.id }, data: { name } });
}

/**
 * The first text contains the wildcards of SQL `LIKE`. A search for the first text finds the second text only
 * if `%` and `_` act as wildcards.
 */
const TEXTS = ["a 50%_\\ discount", "a 50 and more discount"] as const;
const named = (at: number) => ({ projectId: shop.id, createdAt, name: TEXTS[at] ?? "" });
for (const [at, text] of TEXTS.entries()) {
  const { projectId, name } = named(at);
  await deps.db.personalAccessToken.create({
    data: { digest: `pat-${at}`, createdAt, userId: root.user.id, name, scopes: "api" },
  });
  await deps.db.publishedPackage.create({
    data: { projectId, type: "generic", name, nameLower: text, version: "1", createdAt },
  });
  const counts = { firstSeenAt: createdAt, lastSeenAt: createdAt, eventCount: 1, userCount: 1 };
  const texts = { message: "", culprit: "", platform: "node", level: "error", status: "unresolved" };
  await deps.db.trackedError.create({
    data: { ...counts, ...texts, projectId, name, fingerprint: text, searchText: text },
  });
  const heads = { headSha: "a".repeat(40), baseSha: null, startSha: "b".repeat(40), changesCount: 1 };
  await deps.db.mergeRequest.create({
    data: {
      ...{
        ...heads,
        projectId,
        visibility: shop.visibility,
        iid: at + 1,
        sourceBranch: `b${at}`,
        targetBranch: "main",
        state: "closed",
      },
      ...{ title: name, titleLower: text, description: "", searchText: `${text}\n`, draft: false },
      ...{ squash: false, removesSource: false, createdAt, updatedAt: createdAt, authorId: root.user.id },
      ...{ mergeability: "clean", behind: false, closedAt: createdAt },
    },
  });
}

type Module = Readonly<{ GET: unknown }>;
const [SPECIAL, PLAIN] = TEXTS;
const BY_TEXT: Readonly<Record<string, readonly string[]>> = {
  "50%_\\": [SPECIAL],
  "50%d": [],
  "0_a": [],
  "\\%": [],
  "\\": [SPECIAL],
  "a 50": [SPECIAL, PLAIN],
};

it.each<[string, Module, string, string, Readonly<Record<string, readonly string[]>>]>([
  ["projects", projects, "search", "path", { y_s: ["pay_shop"], "p%p": [], pay: ["pay_shop", "payxshop"] }],
  ["groups", groups, "search", "path", { m_a: ["team_a"], "t%a": [], eam: ["team_a", "teamxa"] }],
  ["users", users, "search", "username", { ann_: ["ann_b"], "a%b": [], ann: ["ann_b", "annxb"] }],
  ["users by name", users, "search", "username", { "00% \\": ["ann_b"], "1%sure": [], "0 o": ["annxb"] }],
  ["members", members, "query", "username", { n_b: ["ann_b"], "a%b": [], nn: ["ann_b", "annxb"] }],
  [
    "members by name",
    members,
    "query",
    "username",
    { "0% \\": ["ann_b"], "1%s": [], sure: ["ann_b", "annxb"] },
  ],
  ["tokens", personalTokens, "search", "name", BY_TEXT],
  ["packages", packages, "package_name", "name", BY_TEXT],
  ["errors", errors, "status=all&query", "name", BY_TEXT],
  ["merge requests", mergeRequests, "search", "title", BY_TEXT],
  ["merge requests by title", mergeRequests, "in=title&search", "title", BY_TEXT],
  ["all merge requests", everyMergeRequest, "scope=all&search", "title", BY_TEXT],
])(
  "a search for %s treats LIKE wildcards as literal characters",
  async (_of, module, by, field, expectations) => {
    for (const [text, expected] of Object.entries(expectations)) {
      const params = { token: root.token, path: { id: `${shop.id}` } };
      const query = `?${by}=${encodeURIComponent(text)}`;
      const { status, body } = await callApi(module.GET as Handler, "GET", { ...params, query });
      expect({ text, status }).toEqual({ text, status: 200 });
      const names = (body as readonly Record<string, unknown>[]).map((row) => row[field]);
      expect({ text, names: names.toSorted() }).toEqual({ text, names: [...expected].toSorted() });
    }
  },
);
