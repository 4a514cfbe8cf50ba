import type { z } from "zod";
import type { Principal } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/platform/db/errors";
import { type Deps, systemDeps } from "@/platform/deps";
import { authenticate } from "./authenticate";
import { ApiError, forbidden, noRoute } from "./errors";
import { type Body, NO_BODY, parseInput, readInputBody } from "./input";

type Endpoint<Fields extends z.ZodObject, Result> = Readonly<{
  /** Any of these opens the endpoint. */
  scopes: readonly Scope[];
  /** Who may call, beside having a scope. */
  role?: "administrator";
  /** What is accepted, from path, query and body; anything else that is sent is ignored. */
  input?: Fields;
  /** Of the successful answer; 200 unless it says otherwise. */
  status?: 201;
  run: (deps: Deps, who: Principal, input: z.infer<Fields>) => Result | Promise<Result>;
  /** What comes back; null for an empty 204. */
  entity: ((result: Result, deps: Deps) => object) | null;
}>;

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;

/** An endpoint of the REST API: who may call, what is accepted, what runs, and which entity comes back. */
export function apiEndpoint<Result, Fields extends z.ZodObject = z.ZodObject>(
  endpoint: Endpoint<Fields, Result>,
): (request: Request, context?: Context) => Promise<Response> {
  return async (request, context) => {
    const deps = systemDeps();
    try {
      const body = request.body === null ? NO_BODY : await readInputBody(request);
      const who = await authenticate(deps, request, body, endpoint.scopes);
      if (endpoint.role === "administrator" && !who.user.admin) throw forbidden();
      const result = await endpoint.run(deps, who, await inputOf(endpoint.input, request, body, context));
      if (endpoint.entity === null) return new Response(null, { status: 204, headers: PRIVATE });
      return Response.json(endpoint.entity(result, deps), {
        status: endpoint.status ?? 200,
        headers: PRIVATE,
      });
    } catch (cause) {
      return refuse(deps, cause);
    }
  };
}

async function inputOf<Fields extends z.ZodObject>(
  fields: Fields | undefined,
  request: Request,
  body: Body,
  context: Context | undefined,
): Promise<z.infer<Fields>> {
  if (fields === undefined) return {} as z.infer<Fields>;
  return parseInput(fields, request, body, (await context?.params) ?? {});
}

/** The answer to a path below the API that no route answers, whoever asks. */
export const unknownRoute = (): Response => refuse(systemDeps(), noRoute());

/** An answer that depends on a token belongs to its caller alone (RFC 6750 §2.3). */
const PRIVATE = { "cache-control": "private, no-store", vary: "Authorization" } as const;

function refuse(deps: Deps, cause: unknown): Response {
  if (cause instanceof ApiError) {
    const challenge = cause.challenge === null ? {} : { "www-authenticate": cause.challenge };
    return Response.json(cause.body, { status: cause.status, headers: { ...PRIVATE, ...challenge } });
  }
  deps.log.error({
    event: "api.failed",
    cause: String(cause),
    stack: cause instanceof Error ? cause.stack : undefined,
  });
  if (!isUnavailable(cause))
    return Response.json({ message: "500 Internal Server Error" }, { status: 500, headers: PRIVATE });
  const headers = { ...PRIVATE, "retry-after": String(RETRY_AFTER_SECONDS) };
  return Response.json({ message: "503 Service Unavailable" }, { status: 503, headers });
}
