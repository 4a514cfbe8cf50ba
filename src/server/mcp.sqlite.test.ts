import * as mcpMetadata from "@app/.well-known/oauth-protected-resource/api/v4/mcp/route.ts";
import { POST } from "@app/api/v4/mcp/route.ts";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { ingest, listErrors } from "@/error-tracking/tracked-errors/service.ts";
import { apiUser, tokenWith } from "@/testing/api.ts";
import {
  authorizationQuery,
  authorize,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  ORIGIN,
  redirectParameters,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { refreshOf, tokensIn } from "@/testing/tokens.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const MCP = `${ORIGIN}/api/v4/mcp`;

let ann: SignedInUser;
let client: Client;
let project: AuthorizedProject;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user, { scopes: ["mcp", "read_user"] });
  project = await projectOf(deps, ann.user, "shop");
  const exception = { values: [{ type: "TypeError", value: "It broke" }] };
  const body = { event_id: "a".repeat(32), level: "error", platform: "node", exception };
  await ingest(deps, project, { events: [{ eventId: "a".repeat(32), body }], dropped: [] });
});

const post = (body: string, token?: string): Promise<Response> =>
  POST(
    new Request(MCP, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
    }),
  );

/** Connects the client of the MCP library with a token. */
async function connect(token: string): Promise<McpClient> {
  const mcp = new McpClient({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(MCP), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) =>
      init?.method === "POST" ? POST(new Request(url, init)) : new Response(null, { status: 405 }),
  });
  // The type of the library declares `sessionId?: string` without `undefined`.
  await mcp.connect(transport as unknown as Parameters<McpClient["connect"]>[0]);
  return mcp;
}

type ToolResult = Readonly<{ isError?: boolean; content: readonly Readonly<{ text: string }>[] }>;

/**
 * Calls a tool of the MCP server.
 * @returns the parsed JSON of the result, and whether the result is an error.
 */
async function callTool(token: string, name: string, input: Record<string, unknown> = {}) {
  const mcp = await connect(token);
  const { isError = false, content } = (await mcp.callTool({ name, arguments: input })) as ToolResult;
  return { isError, json: JSON.parse(content[0]?.text ?? "null") };
}

/** Runs the authorization code flow for the MCP server. @returns the tokens. */
async function mcpTokens(changes = {}) {
  const query = authorizationQuery(client, { scope: "mcp", resource: MCP, ...changes });
  const code = await codeFor(deps, ann, query);
  return tokensIn(await requestToken(exchangeOf(client, code, { resource: MCP })));
}

describe("the MCP server", () => {
  it(
    conformance(
      "MC-01",
      "RI-04",
      "if the request has no token, the MCP server sends a challenge that leads the client to the authorization server",
    ),
    async () => {
      const response = await post("{}");
      expect(response.status).toBe(401);
      const url = `${ORIGIN}/.well-known/oauth-protected-resource/api/v4/mcp`;
      expect(response.headers.get("www-authenticate")).toBe(
        `Bearer realm="Gatehouse", resource_metadata="${url}", scope="mcp"`,
      );
      const metadata = await mcpMetadata.GET(new Request(url));
      expect(metadata.headers.get("access-control-allow-origin")).toBe("*");
      expect(await metadata.json()).toMatchObject({
        resource: MCP,
        authorization_servers: [ORIGIN],
        scopes_supported: ["mcp"],
      });
    },
  );

  it(
    conformance(
      "MC-01",
      "if the token is revoked, the MCP server sends a challenge that leads the client to the authorization server",
    ),
    async () => {
      const { access } = await mcpTokens();
      await deps.db.oauthToken.updateMany({ data: { revokedAt: deps.clock() } });
      const response = await post("{}", access);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(
        /error="invalid_token".*resource_metadata="http/,
      );
    },
  );

  it(conformance("MC-02", "the MCP server refuses a token without the scope mcp"), async () => {
    const response = await post("{}", await tokenWith(deps, ann.user, ["read_api"]));
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toMatch(/error="insufficient_scope".*scope="mcp"/);
  });

  it("the MCP server refuses a request with two different tokens", async () => {
    const tokens = [await tokenWith(deps, ann.user, ["mcp"]), await tokenWith(deps, ann.user, ["mcp"])];
    const headers = tokens.map((token): [string, string] => ["private-token", token]);
    expect((await POST(new Request(MCP, { method: "POST", headers, body: "{}" }))).status).toBe(400);
  });

  it.each([
    ["a body that is not JSON", "{", 400],
    ["a large body", `"${"a".repeat(1_048_576)}"`, 413],
  ])("the MCP server refuses a request with %s", async (_kind, body, status) => {
    expect((await post(body, await tokenWith(deps, ann.user, ["mcp"]))).status).toBe(status);
  });

  it(
    conformance(
      "MC-03",
      "the MCP server returns projects, merge requests and tracked errors to the client of the MCP library",
    ),
    async () => {
      const { access } = await mcpTokens();
      const { tools } = await (await connect(access)).listTools();
      expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
        ["list_projects", true],
        ["get_project", true],
        ["list_files", true],
        ["read_file", true],
        ["list_merge_requests", true],
        ["get_merge_request", true],
        ["list_merge_request_diffs", true],
        ["list_errors", true],
        ["get_error", true],
        ["set_error_status", false],
        ["comment_on_error", false],
      ]);
      const call = async (name: string, input = {}) => (await callTool(access, name, input)).json;
      expect((await call("list_projects")).rows).toMatchObject([{ path_with_namespace: "ann/shop" }]);
      expect(await call("get_project", { project: project.id })).toMatchObject({ path: "shop" });
      expect((await call("list_merge_requests", { project: "ann/shop" })).rows).toEqual([]);
      const { rows } = await call("list_errors", { project: "ann/shop" });
      expect(rows).toMatchObject([{ name: "TypeError", status: "unresolved" }]);
      const details = await call("get_error", { project: "ann/shop", error_id: rows[0].id });
      expect(details).toMatchObject({
        error: { name: "TypeError" },
        latest_event: { event_id: expect.any(String) },
        newest_comments: { rows: [], total: 0 },
      });
    },
  );

  it("the tool read_file returns a text file and refuses a binary file", GIT, async () => {
    await commitAll(deps, project, [
      {
        branch: "main",
        message: "Begin",
        files: { "README.md": "# Shop", "logo.png": new Uint8Array([0, 1]) },
      },
    ]);
    const { access } = await mcpTokens();
    const files = await callTool(access, "list_files", { project: "ann/shop" });
    expect(files.json.rows).toMatchObject([{ path: "README.md" }, { path: "logo.png" }]);
    const readme = await callTool(access, "read_file", { project: "ann/shop", path: "README.md" });
    expect(readme.json).toMatchObject({ content: "# Shop" });
    const logo = await callTool(access, "read_file", { project: "ann/shop", path: "logo.png" });
    expect(logo.isError).toBe(true);
  });

  it(
    conformance(
      "MC-03",
      "the MCP server allows a developer, but not a reporter, to change a tracked error and to comment on the error",
    ),
    async () => {
      const [reporter, outsider] = [await apiUser(deps, "rob"), await apiUser(deps, "ola")];
      await memberOf(deps, project, reporter.user, "reporter");
      const filter = {
        status: null,
        environment: null,
        query: null,
        sort: "last_seen",
        page: 1,
        perPage: 1,
      } as const;
      const [error] = (await listErrors(deps, project, filter)).errors;
      const input = { project: "ann/shop", error_id: error?.id, status: "resolved" };
      expect(await callTool(outsider.token, "set_error_status", input)).toEqual({
        isError: true,
        json: { message: "404 Project Not Found" },
      });
      expect(await callTool(reporter.token, "set_error_status", input)).toEqual({
        isError: true,
        json: { message: "403 Forbidden" },
      });
      const { access } = await mcpTokens();
      expect(await callTool(access, "set_error_status", input)).toMatchObject({
        isError: false,
        json: { status: "resolved" },
      });
      const comment = { project: "ann/shop", error_id: error?.id, body: "Fixed by **!7**." };
      expect(await callTool(reporter.token, "comment_on_error", comment)).toEqual({
        isError: true,
        json: { message: "403 Forbidden" },
      });
      expect(await callTool(access, "comment_on_error", comment)).toMatchObject({
        isError: false,
        json: { body: "Fixed by **!7**.", author: { id: ann.user.id } },
      });
      const events = await deps.db.auditEvent.findMany({
        where: { name: "mcp.tool_called" },
        orderBy: { id: "desc" },
      });
      expect(events[0]).toMatchObject({ userId: ann.user.id, applicationId: client.application.id });
      expect(events.filter(({ userId }) => userId === outsider.user.id)).toEqual([]);
      const details = await callTool(reporter.token, "get_error", {
        project: "ann/shop",
        error_id: error?.id,
      });
      expect(details.json.newest_comments).toMatchObject({ rows: [{ body: "Fixed by **!7**." }], total: 1 });
    },
  );
});

describe("resource indicators", () => {
  it(
    conformance(
      "RI-02",
      "the parameter resource limits the tokens of a grant to one resource, even after a refresh",
    ),
    async () => {
      const { access, refresh } = await mcpTokens({ scope: "mcp read_user" });
      expect(await bearerStatus(access)).toBe(401);
      expect((await callTool(access, "list_projects")).isError).toBe(false);
      const refreshed = tokensIn(await requestToken(refreshOf(client, refresh, { resource: MCP })));
      expect(await bearerStatus(refreshed.access)).toBe(401);
      expect((await callTool(refreshed.access, "list_projects")).isError).toBe(false);
    },
  );

  it("a token is not limited to a resource if the authorization request has no parameter resource", async () => {
    const code = await codeFor(deps, ann, authorizationQuery(client));
    const { access, refresh } = tokensIn(await requestToken(exchangeOf(client, code)));
    expect(await bearerStatus(access)).toBe(200);
    expect(await requestToken(refreshOf(client, refresh, { resource: MCP }))).toMatchObject(
      refusal("invalid_target"),
    );
    expect((await requestToken(refreshOf(client, refresh))).status).toBe(200);
  });

  it(
    conformance("RI-01", "the parameter resource is refused if its value is an unknown resource"),
    async () => {
      const query = authorizationQuery(client, { resource: "https://other.example/mcp" });
      expect(redirectParameters(await authorize(query, ann))).toMatchObject({ error: "invalid_target" });
    },
  );

  it(
    conformance(
      "RI-03",
      "the parameter resource must have the same value in the token request as in the authorization request",
    ),
    async () => {
      const code = await codeFor(deps, ann, authorizationQuery(client, { scope: "mcp", resource: MCP }));
      for (const resource of [ORIGIN, "https://other.example/"])
        expect(await requestToken(exchangeOf(client, code, { resource }))).toMatchObject(
          refusal("invalid_target"),
        );
      const { refresh } = tokensIn(await requestToken(exchangeOf(client, code)));
      expect(await requestToken(refreshOf(client, refresh, { resource: ORIGIN }))).toMatchObject(
        refusal("invalid_target"),
      );
    },
  );
});
