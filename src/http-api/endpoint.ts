import type { z } from "zod";
import type { Principal } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { inSpan } from "@/kernel/tracing/tracing";
import type { AccessRule, Call, ScopedAccessRule } from "./access-rules";
import type { Declaration, OwnTerms } from "./declaration";
import { forbiddenBecause, insufficientScope, noTokenByOauth, unauthorized } from "./errors";
import { impersonatorOf, withImpersonator } from "./impersonator";
import { type Body, isSent, NO_BODY, parseInput, readInputBody } from "./input";
import { presentedToken } from "./presented-token";
import { type OverloadOf, refuse } from "./refusals";
import type { ResponseOf } from "./responses";
import { normalizedPathOf, type VersionTable } from "./versioned";
import { versionOf } from "./versions";

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;
export type Handler = ((request: Request, context?: Context) => Promise<Response>) &
  Readonly<{ declaration: Declaration }>;

type InputOf<Fields> = Fields extends z.ZodObject ? z.infer<Fields> : Readonly<Record<never, never>>;

/** An endpoint can declare scopes only if its access rule has no scopes. */
export type AccessRuleAndScopes<Who> =
  | Readonly<{ in: AccessRule<Who>; scopes?: readonly Scope[] }>
  | Readonly<{ in: ScopedAccessRule<Who>; scopes?: never }>;

/**
 * The declaration of a method in a route file: its access rule, its parameters, its response, and the
 * function that handles requests.
 */
export type Endpoint<Who, Fields extends z.ZodObject | undefined, Given, Result> = Omit<
  OwnTerms,
  "input" | "scopes"
> &
  AccessRuleAndScopes<Who> &
  Readonly<{
    input?: Fields;
    response: ResponseOf<Given, Result>;
    run: (deps: Deps, who: Who, input: InputOf<Fields>, given: Given) => Result | Promise<Result>;
  }>;

/** The functions that other modules provide to the endpoints. */
type Parts<Name extends string> = Readonly<{
  /**
   * Authenticates the caller.
   * @param token the token of the request; null for a request without a token.
   * @param scopes the scopes of which the token needs at least one.
   * @param kinds `personal` when the endpoint accepts no OAuth token.
   * @param deployScope the scope that a deploy token needs; undefined when the endpoint accepts no deploy token.
   * @throws ApiError 400, 401 or 403
   */
  authenticate: (
    deps: Deps,
    request: Request,
    token: string | null,
    scopes: readonly Scope[],
    kinds?: "personal",
    deployScope?: string,
  ) => Promise<Principal>;
  versions: VersionTable<Name>;
  /** Counts the use of a deprecated feature that API v4 has and API v5 does not have. */
  recordDeprecatedUse: (deps: Deps, caller: Principal | null, names: readonly Name[]) => void;
  overloadOf: OverloadOf;
}>;

/** @returns the function with which route files declare their methods. */
export function restKit<Name extends string>({
  authenticate,
  versions,
  recordDeprecatedUse,
  overloadOf,
}: Parts<Name>) {
  function endpoint<Who, Given, Result, Fields extends z.ZodObject | undefined = undefined>({
    in: { admit, ...placeTerms },
    response: { check, given, isEmpty, respond, ...responseTerms },
    input: fields,
    run,
    ...ownTerms
  }: Endpoint<Who, Fields, Given, Result>): Handler {
    const declaration: Declaration = {
      ...placeTerms,
      ...responseTerms,
      ...ownTerms,
      ...(fields === undefined ? {} : { input: fields }),
    };

    function inputOf(request: Request, body: Body, call: Call, deprecated: Set<Name>): InputOf<Fields> {
      if (fields === undefined) return {} as InputOf<Fields>;
      const parsed = parseInput(versions.fieldsIn(call.version, declaration), request, body, call.path);
      const { sent, used } = versions.translated(call.version, declaration, parsed);
      for (const name of used) deprecated.add(name);
      return sent as InputOf<Fields>;
    }

    async function handle(request: Request, context?: Context): Promise<Response> {
      const deps = systemDeps();
      const { pathname } = new URL(request.url);
      const version = versionOf(pathname);
      const requestedPath = normalizedPathOf(pathname);
      const gone = versions.goneIn5(requestedPath);
      try {
        const removed = versions.removedPath(version, requestedPath);
        if (removed !== null) throw removed;
        const { upload, basic, tokens, createsToken, anonymous, deployScope } = declaration;
        const body = upload ? NO_BODY : await readInputBody(request);
        const token = presentedToken(request, body, { basic, deploy: deployScope !== undefined });
        const scopes = scopesOf(declaration, request.method);
        const caller =
          token === null && anonymous
            ? null
            : await inSpan("authenticate", () =>
                authenticate(deps, request, token, scopes, tokens, deployScope),
              );
        refuseSudo(request, body, caller);
        if (createsToken && caller !== null) requireOwnToken(caller);
        const acting = withImpersonator(deps, caller);
        const call: Call = { deps: acting, caller, path: (await context?.params) ?? {}, version };
        const deprecated = new Set(gone === null ? [] : [gone.name]);
        const who = await admit(call);
        const exchange = { request, body, call, declaration, versions };
        check?.(exchange);
        const input = inputOf(request, body, call, deprecated);
        const beside = given(exchange, input);
        const result = await inSpan("use case", () => run(acting, who, input, beside));
        if (isEmpty?.(result) !== true)
          for (const name of versions.carriedBy(version, declaration)) deprecated.add(name);
        const response = respond(exchange, result, beside);
        return withDeprecation(deps, response, caller, [...deprecated], requestedPath);
      } catch (cause) {
        return refuse(deps, request, cause, overloadOf);
      }
    }
    return Object.assign(handle, { declaration });
  }

  /**
   * Adds headers about the deprecated parts of this request and of its response. Counts each use of a
   * deprecated part, so that the owners of the client can see the uses.
   */
  function withDeprecation(
    deps: Deps,
    response: Response,
    caller: Principal | null,
    names: readonly Name[],
    requestedPath: string,
  ): Response {
    const headers = versions.deprecationHeaders(deps.config.issuer, names, requestedPath);
    if (headers === null) return response;
    response.headers.set("deprecation", headers.deprecation);
    for (const link of headers.links) response.headers.append("link", link);
    recordDeprecatedUse(deps, caller, names);
    return response;
  }

  return { endpoint };
}

/**
 * Refuses a request to create a token if the new token would remain valid after the token of the request is
 * revoked.
 * @throws ApiError 403 for an OAuth token and for an impersonation token.
 */
function requireOwnToken({ token }: Principal): void {
  if (token.kind === "oauth") throw noTokenByOauth();
  if (impersonatorOf(token) !== undefined)
    throw forbiddenBecause("An impersonation token cannot create tokens.");
}

const READING: readonly Scope[] = ["api", "read_api"];
const WRITING: readonly Scope[] = ["api"];

/** @param method the HTTP method for which the scopes are returned. */
export const scopesOf = ({ scopes }: Declaration, method: string): readonly Scope[] =>
  scopes ?? (method === "GET" || method === "HEAD" ? READING : WRITING);

/**
 * Refuses the parameter `sudo`, because no token may act for another user. If the server ignored the
 * parameter `sudo`, the request would act for the wrong user.
 * @throws ApiError 401 without a token, 403 with a token.
 */
export function refuseSudo(request: Request, body: Body, caller: Principal | null): void {
  if (!request.headers.has("sudo") && !isSent(request, body, "sudo")) return;
  throw caller === null ? unauthorized() : insufficientScope(["sudo"]);
}
