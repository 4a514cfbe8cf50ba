import { gitOverload } from "@/code/git/git-overload";
import { ApiError, badRequest, tooLarge } from "@/http-api/errors";
import { withImpersonator } from "@/http-api/impersonator";
import { refuse } from "@/http-api/refusals";
import { PRIVATE } from "@/http-api/responses";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { SeveralTokens, tokenOf, tokensInHeader } from "@/kernel/http/bearer";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import { requestIdOf } from "@/kernel/http/request-id";
import { authenticate } from "@/oauth/api/authenticate";
import { MCP_PATH } from "@/oauth/tokens/resource";
import { metadataUrlOf } from "@/oauth-endpoints/protected-resource";
import { respondToMcp } from "./mcp-server";

const BYTES_MAX = 1_048_576;

/**
 * `POST /api/v4/mcp`: the Model Context Protocol over streamable HTTP. Clients send the token in the header
 * `Authorization` or `Private-Token`, never in the URL (MCP, "Authorization").
 */
export async function mcp(request: Request): Promise<Response> {
  const deps = systemDeps();
  try {
    const caller = await authenticate(deps, request, presentedToken(request), ["mcp"]);
    const body = await jsonOf(request);
    const log = (tool: string, cause: unknown) =>
      deps.log.error({ event: "mcp.failed", tool, request_id: requestIdOf(request) }, cause);
    const response = await respondToMcp({ deps: withImpersonator(deps, caller), caller, log }, request, body);
    for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
    return response;
  } catch (cause) {
    const response = refuse(deps, request, cause, gitOverload);
    const challenge = cause instanceof ApiError ? challengeFor(deps, cause) : null;
    if (challenge !== null) response.headers.set("www-authenticate", challenge);
    return response;
  }
}

function presentedToken(request: Request): string | null {
  try {
    const others = tokensInHeader(request.headers.get("private-token"));
    return tokenOf(request.headers.get("authorization"), others);
  } catch (cause) {
    throw cause instanceof SeveralTokens ? badRequest("The request contains two tokens.") : cause;
  }
}

/** @throws ApiError 400 for a body that is not JSON, 413 for a body that is too large. */
async function jsonOf(request: Request): Promise<unknown> {
  try {
    return JSON.parse(Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8"));
  } catch (cause) {
    if (cause instanceof BodyTooLarge) throw tooLarge();
    if (cause instanceof SyntaxError) throw badRequest("The body is not JSON.");
    throw cause;
  }
}

/**
 * Returns the challenge with which a client finds the authorization server and the scope (RFC 9728 §5.1, RFC
 * 6750 §3.1). The result is null for an error that the client cannot fix with another token.
 */
function challengeFor(deps: Deps, { status, challenge }: ApiError): string | null {
  const members = `resource_metadata="${metadataUrlOf(deps.config.issuer, MCP_PATH)}", scope="mcp"`;
  if (status === 401) return `${challenge ?? "Bearer"}, ${members}`;
  return status === 403 ? `Bearer realm="Gatehouse", error="insufficient_scope", ${members}` : null;
}
