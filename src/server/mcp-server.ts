import { z } from "zod";
import type { Principal } from "@/access/principal";
import { ApiError } from "@/http-api/errors";
import type { Tool } from "@/http-api/tool";
import * as audit from "@/instance/audit/service";
import { PRODUCT_NAME, PRODUCT_VERSION } from "@/kernel/config/product";
import type { Deps } from "@/kernel/deps/deps";
import { MCP_TOOLS } from "./mcp-tools";

type Call = Readonly<{ deps: Deps; caller: Principal; log: (tool: string, cause: unknown) => void }>;

/**
 * Responds to a request of the Model Context Protocol (streamable HTTP, without sessions). Each request has
 * its own `McpServer` object, so that a response depends only on the caller of the request. The MCP library
 * is loaded by the first call.
 * @param body the parsed JSON of the request.
 */
export async function respondToMcp(call: Call, request: Request, body: unknown): Promise<Response> {
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
  ]);
  const server = new McpServer({
    name: PRODUCT_NAME.toLowerCase(),
    title: PRODUCT_NAME,
    version: PRODUCT_VERSION,
  });
  for (const tool of MCP_TOOLS)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        annotations: { readOnlyHint: !tool.changes, destructiveHint: false, openWorldHint: false },
      },
      (input: unknown) => callTool(call, tool, input),
    );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: body });
}

/** Returns the result of a tool, or its error, which the language model can read (MCP, "Tools", Error Handling). */
async function callTool({ deps, caller, log }: Call, tool: Tool, input: unknown) {
  try {
    const result = await tool.call(deps, caller, input, () => recordCall(deps, caller, tool, input));
    return { content: [{ type: "text" as const, text: JSON.stringify(result) }] };
  } catch (cause) {
    if (!(cause instanceof ApiError)) log(tool.name, cause);
    const text =
      cause instanceof ApiError
        ? JSON.stringify(cause.body)
        : "The tool failed because of an error on the server. Try again later.";
    return { isError: true, content: [{ type: "text" as const, text }] };
  }
}

const projectOf = z.object({ project: z.coerce.string() });

function recordCall(deps: Deps, { user, token }: Principal, tool: Tool, input: unknown): Promise<void> {
  const project = projectOf.safeParse(input).data?.project.slice(0, 255) ?? null;
  const about = { userId: user.id, applicationId: token.applicationId };
  return audit.record(deps, "mcp.tool_called", { tool: tool.name, project }, about);
}
