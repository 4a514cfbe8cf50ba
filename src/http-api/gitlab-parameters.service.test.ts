import * as graphqlRoute from "@app/api/graphql/route.ts";
import * as groupsRoute from "@app/api/v4/groups/route.ts";
import * as allMergeRequests from "@app/api/v4/merge_requests/route.ts";
import * as mergeRequestsRoute from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as branchesRoute from "@app/api/v4/projects/[id]/repository/branches/route.ts";
import * as commitsRoute from "@app/api/v4/projects/[id]/repository/commits/route.ts";
import * as tagsRoute from "@app/api/v4/projects/[id]/repository/tags/route.ts";
import * as treeRoute from "@app/api/v4/projects/[id]/repository/tree/route.ts";
import * as projectsRoute from "@app/api/v4/projects/route.ts";
import * as registerRunner from "@app/api/v4/runners/route.ts";
import * as userRoute from "@app/api/v4/user/route.ts";
import * as usersRoute from "@app/api/v4/users/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { versions } from "@/server/api-versions.ts";
import { apiRoutes } from "@/server/generated/api-routes.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import type { Handler } from "./endpoint.ts";
import { operationsOf } from "./operations.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");

const NO_SUDO = {
  status: 403,
  body: { error: "insufficient_scope", error_description: expect.any(String), scope: "sudo" },
};

describe("the parameter sudo", () => {
  const request = async (route: unknown, init: RequestInit, query = "", version = "v4") => {
    const headers = { "private-token": root.token, ...init.headers };
    const requestWithToken = new Request(`${ORIGIN}/api/${version}/x${query}`, { ...init, headers });
    const response = await (route as Handler)(requestWithToken, { params: Promise.resolve({}) });
    return { status: response.status, body: await response.json() };
  };
  const json = { "content-type": "application/json" };

  it(
    conformance(
      "SC-24",
      "in API v4 and v5, the parameter sudo is refused in a header, in the query, in a form and in JSON",
    ),
    async () => {
      const form = new FormData();
      form.set("sudo", "ann");
      for (const version of ["v4", "v5"]) {
        const signatures = [
          request(userRoute.GET, { headers: { sudo: "ann" } }, "", version),
          request(userRoute.GET, { headers: { Sudo: "" } }, "", version),
          request(userRoute.GET, {}, "?sudo=ann", version),
          request(userRoute.GET, {}, "?sudo=", version),
          request(userRoute.GET, {}, "?%73udo=ann", version),
          request(userRoute.GET, {}, "?sudo[]=ann", version),
          request(usersRoute.GET, {}, "?sudo=1", version),
          request(
            usersRoute.POST,
            { method: "POST", body: new URLSearchParams({ sudo: "ann" }) },
            "",
            version,
          ),
          request(usersRoute.POST, { method: "POST", body: form }, "", version),
          request(usersRoute.POST, { method: "POST", headers: json, body: '{"sudo":1}' }, "", version),
          request(usersRoute.POST, { method: "POST", headers: json, body: '{"sudo":null}' }, "", version),
        ];
        for (const response of await Promise.all(signatures)) expect(response).toEqual(NO_SUDO);
      }
      const query = JSON.stringify({ query: "{ runners { nodes { id } } }" });
      const graphql = { method: "POST", headers: { ...json, sudo: "ann" }, body: query };
      expect(await request(graphqlRoute.POST, graphql)).toMatchObject({
        status: 403,
        body: { errors: [{}] },
      });
    },
  );

  it(
    conformance(
      "SC-24",
      "a request with the parameter sudo gets the status 401 if the token is missing or invalid, and 403 if the token is valid",
    ),
    async () => {
      const unauthorized = { status: 401, body: { message: "401 Unauthorized" } };
      for (const token of ["", "ghpt_unknown"]) {
        const headers = { "private-token": token, sudo: "ann" };
        expect(await request(userRoute.GET, { headers })).toEqual(unauthorized);
      }
      expect(await request(projectsRoute.GET, { headers: { "private-token": "" } }, "?sudo=ann")).toEqual(
        unauthorized,
      );
      const runner = { method: "POST", headers: { ...json, "private-token": "" }, body: '{"sudo":"ann"}' };
      expect(await request(registerRunner.POST, runner)).toEqual(unauthorized);
      const reader = await tokenWith(deps, ann.user, ["read_repository"]);
      expect(
        await request(userRoute.GET, { headers: { "private-token": reader, sudo: "ann" } }),
      ).toMatchObject({ status: 403, body: { scope: "api read_api read_user" } });
    },
  );
});

const lists = operationsOf(apiRoutes).filter(({ declaration }) => declaration.list === true);

describe("parameters of lists", () => {
  it(conformance("SC-24", "each list declares all parameters with which GitLab filters the list"), () => {
    expect(lists.length).toBeGreaterThan(35);
    for (const { path, declaration } of lists)
      expect([path, declaration.gitlabParameters]).toEqual([path, expect.any(Array)]);
  });

  const unsupported = lists.flatMap(({ path, declaration }) => {
    const own = versions.fieldsIn("v4", declaration).shape;
    const names = (declaration.gitlabParameters ?? []).filter((name) => !(name in own));
    return names.length === 0 ? [] : [[path, names] as const];
  });

  it.each(unsupported)(
    conformance("SC-24", "a list refuses the filters of GitLab that the list does not implement: %s"),
    async (path, names) => {
      const segments = path.slice(1).replaceAll("{", "[").replaceAll("}", "]");
      const route = apiRoutes.find((one) => one.segments.join("/") === segments)?.module["GET"] as Handler;
      const group = await groupOf(
        deps,
        root.user,
        `list-${path.length}-${names.length}-${names[0]}`.replaceAll("_", "-"),
      );
      const project = await projectOf(deps, root.user, "first", { group });
      const id = path.startsWith("/groups") ? group.id : project.id;
      for (const version of ["v4", "v5"])
        for (const name of names)
          for (const query of [`?${name}=1`, `?${name}[]=1`, `?${name}[x]=1`]) {
            const url = `/api/${version}/x`;
            const sent = { token: root.token, path: { id: `${id}`, iid: "1", package_id: "1", sha: "main" } };
            expect(await callApi(route, "GET", { ...sent, query, pathname: url })).toMatchObject({
              status: 400,
              body: { error: `${name} is not supported` },
            });
          }
    },
  );
});

const ids = (body: unknown): readonly number[] => (body as { id: number }[]).map(({ id }) => id);
const names = (body: unknown, field = "name"): readonly string[] =>
  (body as Record<string, string>[]).map((row) => row[field] ?? "");

describe("filters of users", () => {
  const list = (query: string, token = root.token) => callApi(usersRoute.GET, "GET", { token, query });

  it(
    conformance(
      "SC-24",
      "the list of users is empty when filtered by an external identity or by external users",
    ),
    async () => {
      for (const query of ["?extern_uid=1&provider=saml", "?external=true", "?exclude_humans=true"]) {
        const { status, headers, body } = await list(query);
        expect({ query, status, body, total: headers.get("x-total") }).toEqual({
          ...{ query, status: 200, body: [], total: "0" },
        });
      }
      for (const query of ["?external=false", "?exclude_external=true&exclude_internal=true", "?humans=true"])
        expect(names((await list(query)).body, "username")).toEqual(["bob", "ann", "root"]);
      for (const query of ["?extern_uid=1", "?provider=saml"])
        expect(await list(query)).toMatchObject({
          ...{ status: 400, body: { error: "extern_uid, provider provide all or none of parameters" } },
        });
    },
  );

  it(
    conformance(
      "SC-24",
      "the list of users can be filtered by creation time and by the use of two-factor authentication",
    ),
    async () => {
      const at = (username: string, createdAt: string) =>
        deps.db.user.update({ where: { usernameLower: username }, data: { createdAt: new Date(createdAt) } });
      await Promise.all([at("root", "2020-01-01"), at("ann", "2021-01-01"), at("bob", "2022-01-01")]);
      const usernames = async (query: string) => names((await list(query)).body, "username");
      expect(await usernames("?created_after=2020-06-01T00:00:00Z")).toEqual(["bob", "ann"]);
      expect(await usernames("?created_before=2020-06-01")).toEqual(["root"]);
      expect(await usernames("?created_after=2020-06-01&created_before=2021-06-01T00:00:00Z")).toEqual([
        "ann",
      ]);
      // A time without an offset is in UTC.
      expect(await usernames("?created_after=2020-12-31T23:59:59")).toEqual(["bob", "ann"]);
      expect(await usernames("?created_after=2021-01-01T00:00:01.5")).toEqual(["bob"]);
      expect(await usernames("?created_after=2021-01-01T00:00:01%2B00:01")).toEqual(["bob", "ann"]);
      expect(await usernames("?sort=asc")).toEqual(["root", "ann", "bob"]);
      expect(await usernames("?order_by=created_at&sort=asc&pagination=keyset")).toEqual([
        "root",
        "ann",
        "bob",
      ]);
      expect(await list("?created_after=yesterday")).toMatchObject({ status: 400 });
      await deps.db.user.update({
        ...{ where: { usernameLower: "ann" }, data: { twoFactorSince: deps.clock() } },
      });
      expect(await usernames("?two_factor=enabled")).toEqual(["ann"]);
      expect(await usernames("?two_factor=disabled")).toEqual(["bob", "root"]);
      // Only administrators can filter users by the use of two-factor authentication.
      expect(await list("?two_factor=enabled", bob.token)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("two_factor") },
      });
      await deps.db.user.update({ where: { usernameLower: "ann" }, data: { twoFactorSince: null } });
    },
  );
});

describe("filters of projects and groups", () => {
  let first: AuthorizedProject;
  let second: AuthorizedProject;
  let third: AuthorizedProject;

  beforeAll(async () => {
    first = await projectOf(deps, ann.user, "one");
    second = await projectOf(deps, ann.user, "two");
    third = await projectOf(deps, ann.user, "three");
    const active = (id: number, at: string) =>
      deps.db.project.update({ where: { id }, data: { lastActivityAt: new Date(at) } });
    await Promise.all([active(first.id, "2021-01-01"), active(second.id, "2022-01-01")]);
    await active(third.id, "2023-01-01");
  });

  const list = (query: string) =>
    callApi(projectsRoute.GET, "GET", { token: ann.token, query: `?owned=true&${query}` });

  it(
    conformance(
      "SC-24",
      "the list of projects is empty when filtered by archived, starred or imported projects or by topics",
    ),
    async () => {
      for (const query of [
        "archived=true",
        "starred=true",
        "topic=a",
        "topic_id=1",
        "imported=true",
        "active=false",
      ])
        expect([query, (await list(query)).body]).toEqual([query, []]);
      for (const query of [
        "archived=false",
        "starred=false",
        "topic=",
        "imported=false",
        "with_merge_requests_enabled=1",
      ])
        expect([query, ids((await list(query)).body)]).toEqual([query, [third.id, second.id, first.id]]);
      expect(await list("topic=a&archived=maybe")).toMatchObject({
        status: 400,
        body: { error: "archived is invalid" },
      });
    },
  );

  it(
    conformance("SC-24", "the list of projects can be filtered by ids and by the last activity"),
    async () => {
      const listIds = async (query: string) => ids((await list(query)).body);
      expect(await listIds(`id_after=${first.id}`)).toEqual([third.id, second.id]);
      expect(await listIds(`id_before=${third.id}&sort=asc`)).toEqual([first.id, second.id]);
      expect(await listIds(`id_after=${first.id}&id_before=${third.id}`)).toEqual([second.id]);
      expect(await listIds(`id_after=${first.id}&pagination=keyset&sort=asc&per_page=1`)).toEqual([
        second.id,
      ]);
      expect(await listIds("last_activity_after=2021-06-01T00:00:00Z")).toEqual([third.id, second.id]);
      expect(await listIds("last_activity_before=2021-06-01")).toEqual([first.id]);
      expect(await listIds("updated_after=2021-06-01&last_activity_before=2022-06-01")).toEqual([second.id]);
      expect(await listIds("last_activity_after=2021-06-01&updated_after=2022-06-01")).toEqual([third.id]);
    },
  );

  it(
    conformance("SC-24", "the list of groups can exclude groups by id, by visibility and by membership"),
    async () => {
      const open = await groupOf(deps, ann.user, "open", { visibility: "public" });
      const closed = await groupOf(deps, ann.user, "closed", { visibility: "private" });
      const listNames = async (query: string, token = ann.token) =>
        names((await callApi(groupsRoute.GET, "GET", { token, query: `?search=${query}` })).body, "path");
      expect(await listNames(`o&visibility=private`)).toEqual(["closed"]);
      expect(await listNames(`o&skip_groups[]=${open.id}&skip_groups[]=${closed.id + 1_000}`)).not.toContain(
        "open",
      );
      expect(await listNames("open", bob.token)).toEqual(["open"]);
      expect(await listNames("open&all_available=false", bob.token)).toEqual([]);
      expect(await listNames("open&all_available=false")).toEqual(["open"]);
      expect(await listNames("open&archived=true")).toEqual([]);
    },
  );
});

const SIGNED = {
  ...{ GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.com" },
  ...{ GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@example.com" },
};

describe("filters of repository lists", GIT, () => {
  let project: AuthorizedProject;

  beforeAll(async () => {
    project = await projectOf(deps, ann.user, "code");
    await commitAll(deps, project, [
      {
        branch: "main",
        message: "Begin",
        files: { "a.txt": "one\ntwo\n", "b.txt": "b\n", "src/c.txt": "c\n" },
      },
      { branch: "main", message: "Change", files: { "a.txt": "one\nthree\nfour\n" } },
      { branch: "topic-1", message: "On the side", files: { "d.txt": "d\n" } },
      { branch: "release/1.2", message: "Release", files: { "e.txt": "e\n" } },
    ]);
    const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath, variables: SIGNED };
    const tree = (await runGit(["rev-parse", "topic-1^{tree}"], call)).toString().trim();
    const zoe = { ...SIGNED, GIT_AUTHOR_NAME: "Zoe", GIT_AUTHOR_EMAIL: "zoe@example.org" };
    const parents = ["-p", "main", "-p", "topic-1"];
    const merged = await runGit(["commit-tree", tree, ...parents, "-m", "Merge"], {
      ...call,
      variables: zoe,
    });
    await runGit(["update-ref", "refs/heads/main", merged.toString().trim()], call);
    for (const name of ["v1.10", "v1.9", "w1"]) await runGit(["tag", "-a", "-m", name, name, "main"], call);
  });

  const send = (route: Handler, query: string, version = "v4") =>
    callApi(route, "GET", {
      ...{ token: ann.token, path: { id: `${project.id}` }, query, pathname: `/api/${version}/x` },
    });
  const titles = async (query: string) => names((await send(commitsRoute.GET, query)).body, "title");

  it(
    conformance(
      "SC-24",
      "the list of commits can be filtered by author, and follows only the first parent of each merge commit if the request has the parameter first_parent",
    ),
    async () => {
      expect(await titles("?author=Zoe")).toEqual(["Merge"]);
      expect(await titles("?author=zoe%40example.org")).toEqual(["Merge"]);
      expect(await titles("?author=.*")).toEqual([]);
      expect(await titles("?author=--all")).toEqual([]);
      expect(await titles("?first_parent=true")).toEqual(["Merge", "Change", "Begin"]);
      expect([...(await titles(""))].toSorted()).toEqual(["Begin", "Change", "Merge", "On the side"]);
      expect(await titles("?all=true&ref_name=topic-1")).toContain("Release");
    },
  );

  it(
    conformance(
      "SC-24",
      "the list of commits contains the number of changed lines of each commit if the request has the parameter with_stats",
    ),
    async () => {
      const rows = (await send(commitsRoute.GET, "?with_stats=true&first_parent=true")).body as Record<
        string,
        unknown
      >[];
      expect(rows.map(({ title, stats }) => [title, stats])).toEqual([
        ["Merge", { additions: 1, deletions: 0, total: 1 }],
        ["Change", { additions: 2, deletions: 1, total: 3 }],
        ["Begin", { additions: 4, deletions: 0, total: 4 }],
      ]);
      expect((await send(commitsRoute.GET, "")).body).not.toContainEqual(
        expect.objectContaining({ stats: expect.anything() }),
      );
    },
  );

  it(
    conformance(
      "SC-24",
      "the list of branches can be filtered by a regular expression or by the beginning or the end of the name, and can be sorted by date",
    ),
    async () => {
      const branchNames = async (query: string) => names((await send(branchesRoute.GET, query)).body);
      expect(await branchNames("?regex=%5E(main%7Ctopic-%5Cd)%24")).toEqual(["main", "topic-1"]);
      expect(await branchNames("?regex=%5Cd%5C.%5Cd")).toEqual(["release/1.2"]);
      expect(await branchNames("?search=%5Erel")).toEqual(["release/1.2"]);
      expect(await branchNames("?search=1%24")).toEqual(["topic-1"]);
      expect((await branchNames("?sort=updated_asc")).length).toBe(3);
      expect(await send(branchesRoute.GET, "?regex=(")).toMatchObject({
        status: 400,
        body: { error: "regex is invalid" },
      });
      expect(await send(branchesRoute.GET, "?regex=a&search=b")).toMatchObject({
        ...{ status: 400, body: { error: "search, regex are mutually exclusive" } },
      });
      expect(await send(branchesRoute.GET, "?sort=desc")).toMatchObject({ status: 400 });
    },
  );

  it(conformance("SC-24", "the list of tags can be sorted by version, name or date"), async () => {
    const tagNames = async (query: string) => names((await send(tagsRoute.GET, query)).body);
    expect(await tagNames("?order_by=version&sort=asc&search=%5Ev")).toEqual(["v1.9", "v1.10"]);
    expect(await tagNames("?order_by=name&sort=asc&search=%5Ev")).toEqual(["v1.10", "v1.9"]);
  });

  it(
    conformance(
      "SC-24",
      "in API v4 and v5, the list of a repository tree is paginated by page tokens, each of which identifies an entry",
    ),
    async () => {
      for (const version of ["v4", "v5"]) {
        let query: string | null = "?recursive=true&pagination=keyset&per_page=2";
        const collected: string[] = [];
        while (query !== null) {
          const { status, headers, body } = await send(treeRoute.GET, query, version);
          expect(status).toBe(200);
          expect(headers.get("x-total")).toBeNull();
          collected.push(...names(body, "path"));
          const link: string | null = headers.get("link");
          const next = link === null ? null : /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
          if (next === undefined) throw new Error(`${link}`);
          if (next !== null) expect(new URL(next).searchParams.get("page_token")).toMatch(/^[\w-]+$/);
          query = next === null ? null : new URL(next).search;
        }
        expect(collected).toEqual(["src", "a.txt", "b.txt", "d.txt", "src/c.txt"]);
      }
      expect(await send(treeRoute.GET, "?pagination=keyset&page_token=nothing")).toMatchObject({
        ...{ status: 400, body: { error: "page_token is invalid" } },
      });
    },
  );
});

describe("filters of merge requests", GIT, () => {
  let project: AuthorizedProject;

  beforeAll(async () => {
    project = await projectOf(deps, ann.user, "asked", { visibility: "public" });
    const member = { projectId: project.id, role: 30, createdAt: deps.clock() };
    await deps.db.projectMember.create({ data: { ...member, userId: bob.user.id } });
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": "a\n" } }]);
    const open = async (branch: string, token: string, json: object) => {
      await commitAll(deps, project, [{ branch, message: branch, files: { [branch]: "x\n" } }]);
      const draft = { source_branch: branch, target_branch: "main", title: branch, ...json };
      const sent = { token, path: { id: `${project.id}` }, json: draft };
      expect((await callApi(mergeRequestsRoute.POST, "POST", sent)).status).toBe(201);
    };
    await open("one", ann.token, { labels: "bug", assignee_id: bob.user.id });
    await open("two", bob.token, { labels: "bug,rare", reviewer_ids: [ann.user.id] });
    await open("three", bob.token, { assignee_id: ann.user.id });
    const rows = await deps.db.mergeRequest.findMany({
      where: { projectId: project.id },
      orderBy: { id: "asc" },
    });
    const approved = (at: number, userId: number) => ({
      ...{
        mergeRequestId: rows[at]?.id ?? 0,
        userId,
        headSha: rows[at]?.headSha ?? "",
        createdAt: deps.clock(),
      },
    });
    await deps.db.mergeRequestApproval.createMany({
      data: [approved(0, bob.user.id), approved(1, ann.user.id), approved(1, bob.user.id)],
    });
  });

  const listIids = async (query: string, route: Handler = mergeRequestsRoute.GET) => {
    const sent = { token: ann.token, path: { id: `${project.id}` }, query: `?scope=all&sort=asc&${query}` };
    const { status, body } = await callApi(route, "GET", sent);
    return status === 200 ? names(body, "title") : body;
  };

  it(
    conformance(
      "SC-24",
      "the list of merge requests can exclude merge requests by author, assignee, reviewer, label and milestone",
    ),
    async () => {
      expect(await listIids(`not[author_id]=${ann.user.id}`)).toEqual(["two", "three"]);
      expect(await listIids("not[author_username]=BOB")).toEqual(["one"]);
      expect(await listIids("not[author_username]=nobody")).toEqual(["one", "two", "three"]);
      expect(await listIids(`not[assignee_id]=${bob.user.id}`)).toEqual(["two", "three"]);
      expect(await listIids("not[assignee_username][]=ann&not[assignee_username][]=bob")).toEqual(["two"]);
      expect(await listIids(`not[reviewer_id]=${ann.user.id}&not[author_id]=${ann.user.id}`)).toEqual([
        "three",
      ]);
      expect(await listIids("not[reviewer_username]=ann")).toEqual(["one", "three"]);
      expect(await listIids("not[labels]=rare,other")).toEqual(["one", "three"]);
      expect(await listIids("not[labels][]=bug", allMergeRequests.GET)).toEqual(["three"]);
      expect(await listIids("not[milestone]=1.0")).toEqual(["one", "two", "three"]);
      expect(await listIids("not[my_reaction_emoji]=star")).toEqual({
        error: "not[my_reaction_emoji] is not supported",
      });
      expect(await listIids("not=bob")).toEqual({ error: "not is invalid" });
      expect(await listIids("not[author_id]=bob")).toEqual({ error: "not[author_id] is invalid" });
      expect(await listIids("not[author_id]=1&not[author_id]=2")).toEqual({
        error: "not is sent more than once",
      });
    },
  );

  it(
    conformance(
      "SC-24",
      "the list of merge requests can exclude the merge requests of an author when keyset pagination is used",
    ),
    async () => {
      expect(await listIids(`not[author_id]=${bob.user.id}&pagination=keyset`)).toEqual(["one"]);
    },
  );

  it(conformance("SC-24", "the list of merge requests can be filtered by approvers"), async () => {
    expect(await listIids(`approved_by_ids[]=${bob.user.id}`)).toEqual(["one", "two"]);
    expect(await listIids(`approved_by_ids=${bob.user.id},${ann.user.id}`)).toEqual(["two"]);
    expect(await listIids("approved_by_usernames=ann")).toEqual(["two"]);
    expect(await listIids("approved_by_usernames[]=nobody")).toEqual([]);
    expect(await listIids("approved_by_ids=None")).toEqual(["three"]);
    expect(await listIids("approved_by_usernames=any")).toEqual(["one", "two"]);
  });

  it(
    conformance(
      "SC-24",
      "the list of merge requests contains all merge requests if the filter is the milestone None, and no merge request if the filter is any other milestone",
    ),
    async () => {
      expect(await listIids("milestone=None")).toEqual(["one", "two", "three"]);
      expect(await listIids("milestone=")).toEqual(["one", "two", "three"]);
      for (const milestone of ["Any", "1.0", "Upcoming"])
        expect(await listIids(`milestone=${milestone}`)).toEqual([]);
    },
  );
});
