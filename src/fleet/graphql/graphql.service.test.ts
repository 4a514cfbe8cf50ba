import * as route from "@app/api/graphql/route.ts";
import { getIntrospectionQuery } from "graphql";
import { describe, expect, it } from "vitest";
import { createRunner, recordContact } from "@/fleet/runners/service.ts";
import { type Deps, provideDeps } from "@/kernel/deps/deps.ts";
import { apiUser, tokenWith } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");
const project = await projectOf(deps, ann.user, "shop");
await memberOf(deps, project, bob.user, "developer");

const URL = `${ORIGIN}/api/graphql`;
type Body = { data?: Record<string, unknown> | null; errors?: { message: string }[] };

async function statusAndBody(response: Promise<Response>) {
  const { status, headers, ...rest } = await response;
  expect(headers.get("cache-control")).toContain("no-store");
  return { status, headers, ...rest, body: (await (await response).json()) as Body };
}

const post = (json: unknown, token: string | null = ann.token) =>
  statusAndBody(
    route.POST(
      new Request(URL, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: typeof json === "string" ? json : JSON.stringify(json),
      }),
    ),
  );
const sendQuery = (query: string, variables: object = {}, token = ann.token) =>
  post({ query, variables }, token);

async function runnerIn(changes: Parameters<typeof createRunner>[3] = {}) {
  const created = await createRunner(deps, ann.user, { kind: "project_type", project }, changes);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  return { ...created, gid: `gid://gitlab/Ci::Runner/${created.runner.id}` };
}

const LIST = `query ($first: Int, $after: String, $paused: Boolean, $status: CiRunnerStatus, $tagList: [String!]) {
  runners(first: $first, after: $after, paused: $paused, status: $status, tagList: $tagList, type: PROJECT_TYPE) {
    count
    nodes { id paused status tagList }
    edges { cursor }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
type List = Readonly<{
  count: number;
  nodes: readonly Readonly<{ id: string; tagList: readonly string[] }>[];
  pageInfo: Readonly<{ hasNextPage: boolean; endCursor: string }>;
}>;
async function list(variables: object, token?: string): Promise<List> {
  const { body } = await sendQuery(LIST, variables, token);
  expect(body.errors).toBeUndefined();
  return body.data?.["runners"] as List;
}
const gids = ({ nodes }: List) => nodes.map(({ id }) => id);

const runnerOne = await runnerIn({ description: "One", tags: ["arm", "linux"], maximumTimeout: 900 });
const runnerTwo = await runnerIn({ paused: true, tags: ["arm"] });
const runnerThree = await runnerIn();
await recordContact(deps, runnerTwo.token, { version: "17.1.0" });

describe("runners in GraphQL", () => {
  it("a query lists runners in pages, newest first, with the requested fields", async () => {
    const first = await list({ first: 2 });
    expect(first).toMatchObject({ count: 3, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    expect(first.nodes).toEqual([
      { id: runnerThree.gid, paused: false, status: "NOT_CONNECTED", tagList: [] },
      { id: runnerTwo.gid, paused: true, status: "ONLINE", tagList: ["arm"] },
    ]);
    const second = await list({ first: 2, after: first.pageInfo.endCursor });
    expect(second).toMatchObject({ count: 3, pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    expect(gids(second)).toEqual([runnerOne.gid]);
    expect(gids(await list({ paused: true }))).toEqual([runnerTwo.gid]);
    expect(gids(await list({ status: "NOT_CONNECTED" }))).toEqual([runnerThree.gid, runnerOne.gid]);
    expect(gids(await list({ tagList: ["linux", "arm"] }))).toEqual([runnerOne.gid]);
    expect(gids(await list({}, root.token))).toEqual([runnerThree.gid, runnerTwo.gid, runnerOne.gid]);
    expect(await list({}, bob.token)).toMatchObject({ count: 0, nodes: [] });
  });

  it("the number of database queries for a list of runners does not depend on the number of runners", async () => {
    const counted = async (run: () => Promise<void>) => {
      let queries = 0;
      const db = new Proxy(deps.db, {
        get(target, name) {
          if (name === "runner" || name === "runnerTag") queries += 1;
          return Reflect.get(target, name);
        },
      });
      provideDeps({ ...deps, db } satisfies Deps);
      await run();
      provideDeps(deps);
      return queries;
    };
    const listed = (first: number) => async () => expect((await list({ first })).nodes).toHaveLength(first);
    expect(await counted(listed(3))).toBe(await counted(listed(1)));
    // Several aliases of the same field execute only one database query.
    const named = (times: number) => async () => {
      const counts = Array.from({ length: times }, (_, at) => `c${at}: count`).join(" ");
      expect((await sendQuery(`{ runners { ${counts} } }`)).body.data?.["runners"]).toMatchObject({ c0: 3 });
    };
    expect(await counted(named(200))).toBe(await counted(named(1)));
  });

  it("the GraphQL type of a runner has the field `paused` but not the field `active`", async () => {
    const { body } = await sendQuery("{ runners { nodes { id active } } }");
    expect(body.errors?.[0]?.message).toContain('Cannot query field "active"');
    expect((await sendQuery("{ runners(active: true) { count } }")).body.errors?.[0]?.message).toContain(
      "active",
    );
  });

  it("the query `runner` returns the runner with the given id, or null if the user does not have permission to see the runner", async () => {
    const query = `query ($id: CiRunnerID!) { runner(id: $id) {
      id description runnerType accessLevel maximumTimeout tagList locked runUntagged contactedAt version } }`;
    expect((await sendQuery(query, { id: runnerOne.gid })).body).toEqual({
      data: {
        runner: {
          id: runnerOne.gid,
          description: "One",
          runnerType: "PROJECT_TYPE",
          accessLevel: "NOT_PROTECTED",
          maximumTimeout: 900,
          tagList: ["arm", "linux"],
          locked: false,
          runUntagged: true,
          contactedAt: null,
          version: null,
        },
      },
    });
    expect((await sendQuery(query, { id: runnerOne.gid }, bob.token)).body).toEqual({
      data: { runner: null },
    });
    expect((await sendQuery(query, { id: "gid://gitlab/Ci::Runner/999999" })).body).toEqual({
      data: { runner: null },
    });
    for (const id of ["1", 1, { a: 1 }, "gid://gitlab/Project/1"])
      expect((await sendQuery(query, { id })).body.errors?.[0]?.message).toContain("Ci::Runner");
  });

  it("only users with the necessary permission can change and delete a runner", async () => {
    const update = `mutation ($input: RunnerUpdateInput!) {
      runnerUpdate(input: $input) { errors clientMutationId runner { paused description tagList maximumTimeout } } }`;
    const input = {
      id: runnerThree.gid,
      paused: true,
      description: "Three",
      tagList: ["x"],
      clientMutationId: "m",
    };
    expect((await sendQuery(update, { input })).body.data?.["runnerUpdate"]).toEqual({
      errors: [],
      clientMutationId: "m",
      runner: { paused: true, description: "Three", tagList: ["x"], maximumTimeout: null },
    });
    const short = await sendQuery(update, { input: { id: runnerThree.gid, maximumTimeout: 5 } });
    expect(short.body.data?.["runnerUpdate"]).toMatchObject({
      errors: ["Maximum timeout needs to be at least 10 minutes"],
      runner: null,
    });
    const denied = await sendQuery(update, { input }, bob.token);
    expect(denied.body).toMatchObject({
      data: { runnerUpdate: null },
      errors: [{ message: expect.stringContaining("don't have permission") }],
    });
    const active = await sendQuery(update, { input: { id: runnerThree.gid, active: false } });
    expect(active.body.errors?.[0]?.message).toContain('"active" is not defined');

    const remove = "mutation ($input: RunnerDeleteInput!) { runnerDelete(input: $input) { errors } }";
    expect(
      (await sendQuery(remove, { input: { id: runnerThree.gid } }, bob.token)).body.data?.["runnerDelete"],
    ).toBeNull();
    expect((await sendQuery(remove, { input: { id: runnerThree.gid } })).body).toEqual({
      data: { runnerDelete: { errors: [] } },
    });
    expect(gids(await list({}))).toEqual([runnerTwo.gid, runnerOne.gid]);
  });
});

describe("the GraphQL endpoint", () => {
  it("the GraphQL endpoint requires a token with the same scopes as the REST API", async () => {
    const query = "{ runners { count } }";
    const mutation = `mutation { runnerDelete(input: { id: "${runnerOne.gid}" }) { errors } }`;
    const nobody = await post({ query }, null);
    expect(nobody).toMatchObject({ status: 401, body: { errors: [{ message: "401 Unauthorized" }] } });
    expect(nobody.headers.get("www-authenticate")).toContain("Bearer");
    expect((await post("{", null)).status).toBe(401);
    expect((await post({ query }, "ghpt_unknown")).status).toBe(401);
    const reading = await tokenWith(deps, ann.user, ["read_api"]);
    expect(await post({ query }, reading)).toMatchObject({
      status: 200,
      body: { data: { runners: { count: 2 } } },
    });
    expect((await post({ query: mutation }, reading)).status).toBe(403);
    expect((await post({ query: "mutation { unknown }" }, reading)).status).toBe(403);
    expect((await post({ query }, await tokenWith(deps, ann.user, ["manage_runner"]))).status).toBe(403);
  });

  it("the GraphQL endpoint accepts a query by GET with the token in a header or in the URL, but rejects a mutation by GET", async () => {
    const get = (query: string, more = "") =>
      statusAndBody(
        route.GET(new Request(`${URL}?query=${encodeURIComponent(query)}&private_token=${ann.token}${more}`)),
      );
    const getResponse = await get(
      "query A($p: Boolean) { runners(paused: $p) { count } } query B { __typename }",
      "&operationName=A&variables=%7B%22p%22%3Atrue%7D",
    );
    expect(getResponse).toMatchObject({ status: 200, body: { data: { runners: { count: 1 } } } });
    expect((await get("mutation { runnerDelete(input: { id: 1 }) { errors } }")).status).toBe(405);
    expect((await get("{ __typename }", "&variables=x")).status).toBe(400);
  });

  it.each<[string, unknown, string]>([
    ["a body that is not valid JSON", "{", "cannot be parsed"],
    ["a JSON array", [{ query: "{ __typename }" }], "cannot be parsed"],
    ["no query", {}, "query is missing"],
    ["variables that are not an object", { query: "{ __typename }", variables: [1] }, "variables is invalid"],
    ["control characters", { query: "{ __typename }", variables: { a: "\0" } }, "cannot be parsed"],
    ["a document that is too long", { query: `{ __typename }${" ".repeat(10_000)}` }, "query is invalid"],
  ])("the GraphQL endpoint responds with the status 400 to a request with %s", async (_what, json, text) => {
    const { status, body } = await post(json);
    expect({ status, message: body.errors?.[0]?.message }).toEqual({
      status: 400,
      message: expect.stringContaining(text),
    });
  });

  it.each<[string, string, string]>([
    ["a syntax error", "{ runners {", "Syntax Error"],
    ["an unknown field", "{ projects { id } }", 'Cannot query field "projects"'],
    ["an unknown operation", "fragment A on Query { __typename } ", "operation does not exist"],
    ["a control character", '{ runners(versionPrefix: "\\u0000") { count } }', "contains invalid characters"],
    ["an invalid version", '{ runners(versionPrefix: "%") { count } }', "versionPrefix is invalid"],
    ["an invalid cursor", '{ runners(after: "x") { count } }', "valid cursor"],
    ["a page size of zero", "{ runners(first: 0) { count } }", "first must be at least 1"],
    ["too many tokens", `{ ${"a ".repeat(1_600)} }`, "tokens"],
    ["too many fields, used or not", `{ a: __typename ${"runners { count } ".repeat(180)} }`, "361 fields"],
    [
      "too many lists",
      `{ ${Array.from({ length: 11 }, (_, at) => `a${at}: runners { count } `).join("")} }`,
      "complexity",
    ],
    [
      "exponentially nested fragments",
      `{ runners { nodes { ...f0 } } } ${Array.from(
        { length: 30 },
        (_, at) =>
          `fragment f${at} on CiRunner { a${at}: id ...f${at + 1} ... on CiRunner { ...f${at + 1} } } `,
      ).join("")} fragment f30 on CiRunner { id }`,
      "complexity",
    ],
    [
      "deeply nested introspection",
      "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
      "introspection depth",
    ],
  ])("the GraphQL endpoint responds with an error to a query with %s", async (_what, query, text) => {
    const { status, body } = await sendQuery(query);
    expect({ status, message: body.errors?.[0]?.message }).toEqual({
      status: 200,
      message: expect.stringContaining(text),
    });
  });

  it("the GraphQL endpoint supports the schema introspection queries of GraphQL tools", async () => {
    const { body } = await sendQuery(getIntrospectionQuery());
    expect(body.errors).toBeUndefined();
    expect(JSON.stringify(body.data)).toContain("NOT_CONNECTED");
    expect(JSON.stringify(body.data)).not.toContain('"active"');
  });

  it("the GraphQL endpoint does not return the messages of internal errors to the caller", async () => {
    const broken = (message: string, code?: string) => {
      const cause = Object.assign(new Error(message), { code });
      const db = new Proxy(deps.db, {
        get: (target, name) => {
          if (name === "runner") throw cause;
          return Reflect.get(target, name);
        },
      });
      provideDeps({ ...deps, db });
    };
    try {
      broken("the secret of the database");
      expect(await sendQuery("{ runners { count } }")).toMatchObject({
        status: 200,
        body: { data: { runners: null }, errors: [{ message: "Internal server error", path: ["runners"] }] },
      });
      broken("gone", "P1001");
      const { status, headers } = await sendQuery("{ runners { count } }");
      expect({ status, retry: headers.get("retry-after") }).toEqual({ status: 503, retry: "5" });
    } finally {
      provideDeps(deps);
    }
    expect(deps.logged.filter(({ event }) => event === "graphql.failed")).toHaveLength(2);
  });
});
