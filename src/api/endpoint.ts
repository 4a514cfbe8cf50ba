import type { z } from "zod";
import type { Principal } from "@/access/principal";
import { ALL_SCOPES, type Scope } from "@/access/scopes";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/platform/db/errors";
import { type Deps, systemDeps } from "@/platform/deps";
import { GitLimit } from "@/platform/git/program";
import { GitBusy } from "@/platform/git/queue";
import type { Page, Paging } from "@/platform/paging";
import { authenticate, presentedToken } from "./authenticate";
import type { Entity } from "./entity";
import { ApiError, forbidden, noRoute, tooLarge, versionIsGone } from "./errors";
import { type Body, NO_BODY, parseInput, readInputBody } from "./input";
import { noKeyset, pagingFieldsOf, pagingHeaders, readPaging } from "./paging";
import { type ApiVersion, fieldsIn, versionOf } from "./versions";

/** What a route file says of one method: the documents are made from it. */
export type Declaration = Readonly<{
  /** A sentence for the reference page. */
  summary: string;
  /** Any of these opens the endpoint; where it says nothing, `api`, and `read_api` for reading. */
  scopes?: readonly Scope[];
  /** Who may call, beside having a scope. */
  role?: string;
  /** Whether it answers without a token, too, with what everybody may see. */
  anonymous?: true;
  /** What is accepted, from query and body, and from the path; anything else that is sent is ignored. */
  input?: z.ZodObject;
  /** What comes back, as one thing or as a list; null for nothing. */
  entity: Entity<never> | null;
  list?: true;
  /** What comes back is no JSON, but the bytes of something. */
  bytes?: true;
  /** A list in an order of its own goes by number alone. */
  pagedBy?: "number";
  /** Of the successful answer; 200, or 204 for nothing, unless it says otherwise. */
  status?: 201 | 202;
}>;

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;
export type Handler = ((request: Request, context?: Context) => Promise<Response>) &
  Readonly<{ declaration: Declaration }>;

type Eventually<Value> = Value | Promise<Value>;
type Sent<Fields> = Fields extends z.ZodObject ? z.infer<Fields> : Readonly<Record<never, never>>;

/** A declaration with what runs: `who` is what the caller was admitted as. */
export type Single<Who, Fields, Result> = Omit<Declaration, "role" | "anonymous" | "list" | "entity"> &
  Readonly<{
    input?: Fields;
    entity: Entity<Result> | null;
    run: (deps: Deps, who: Who, input: Sent<Fields>) => Eventually<Result>;
  }>;

/** The same for a list, of which a part is asked for. */
export type Listing<Who, Fields, Row> = Omit<
  Declaration,
  "role" | "anonymous" | "list" | "entity" | "status"
> &
  Readonly<{
    input?: Fields;
    entity: Entity<Row>;
    run: (deps: Deps, who: Who, input: Sent<Fields>, paging: Paging) => Eventually<Page<Row>>;
  }>;

/** The rest of a request once its token has been judged. */
export type Call = Readonly<{
  deps: Deps;
  caller: Principal | null;
  path: Readonly<Record<string, unknown>>;
  version: ApiVersion;
}>;
/** Decides as what the caller may go on. Raises an ApiError 403 or 404. */
export type Admission<Who> = (call: Call) => Eventually<Who>;

export function single<Who, Fields, Result>(
  declaration: Declaration,
  admit: Admission<Who>,
  { entity, run, status, input }: Single<Who, Fields, Result>,
): Handler {
  return handler(declaration, async (request, call, body) => {
    const who = await admit(call);
    const result = await run(call.deps, who, inputOf(input, request, body, call));
    if (entity === null) return new Response(null, { status: status ?? 204, headers: PRIVATE });
    const answer = entity.present(result, call.deps, call.caller?.user ?? null);
    return Response.json(answer, { status: status ?? 200, headers: PRIVATE });
  });
}

export function listing<Who, Fields, Row>(
  declaration: Declaration,
  admit: Admission<Who>,
  { entity, run, input }: Listing<Who, Fields, Row>,
): Handler {
  return handler({ ...declaration, list: true }, async (request, call, body) => {
    const { deps, caller } = call;
    const who = await admit(call);
    const sent = inputOf(input, request, body, call);
    const paging = readPaging(parseInput(pagingFieldsOf(declaration), request, body, {}));
    if (paging.kind === "keyset" && declaration.pagedBy === "number") throw noKeyset();
    const page = await run(deps, who, sent, paging);
    const rows = page.rows.map((row) => entity.present(row, deps, caller?.user ?? null));
    return Response.json(rows, { headers: { ...PRIVATE, ...pagingHeaders(deps, request, paging, page) } });
  });
}

/** A declaration of what answers bytes and no JSON. */
export type Bytes<Who, Fields> = Readonly<{
  summary: string;
  input: Fields;
  run: (deps: Deps, who: Who, input: Sent<Fields>) => Promise<Response>;
}>;

export function bytes<Who, Fields>(
  declaration: Declaration,
  admit: Admission<Who>,
  { run, input }: Bytes<Who, Fields>,
): Handler {
  return handler({ ...declaration, entity: null, bytes: true }, async (request, call, body) => {
    const who = await admit(call);
    const response = await run(call.deps, who, inputOf(input, request, body, call));
    for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
    return response;
  });
}

/** An endpoint for whoever has a token with the right scope. */
export const apiEndpoint = <Result, Fields = undefined>(
  endpoint: Single<Principal, Fields, Result> & Readonly<{ role?: "administrator" }>,
): Handler => single(endpoint as Declaration, administratorIf(endpoint.role), endpoint);

/** A list for whoever has a token with the right scope. */
export const apiList = <Row, Fields = undefined>(
  endpoint: Listing<Principal, Fields, Row> & Readonly<{ role?: "administrator" }>,
): Handler => listing(endpoint as Declaration, administratorIf(endpoint.role), endpoint);

/** A list for everybody: without a token, of what everybody may see. */
export const openList = <Row, Fields = undefined>(
  endpoint: Listing<Principal | null, Fields, Row>,
): Handler => listing({ ...endpoint, anonymous: true } as Declaration, ({ caller }) => caller, endpoint);

/** What the API says of itself, to everybody, in the version that was asked for. */
export const aboutApi = <Result>(endpoint: Single<ApiVersion, undefined, Result>): Handler =>
  single(
    { ...endpoint, anonymous: true, scopes: ALL_SCOPES } as Declaration,
    ({ version }) => version,
    endpoint,
  );

const administratorIf =
  (role: "administrator" | undefined): Admission<Principal> =>
  ({ caller }) => {
    const principal = known(caller);
    if (role === "administrator" && !principal.user.admin) throw forbidden();
    return principal;
  };

/** The caller of an endpoint that is not for everybody, who has been authenticated by then. */
export function known(caller: Principal | null): Principal {
  if (caller === null) throw new Error("An endpoint for everybody asked who its caller is.");
  return caller;
}

const READING: readonly Scope[] = ["api", "read_api"];
const WRITING: readonly Scope[] = ["api"];

/** @param method of the request, or `GET` for its documents. */
export const scopesOf = ({ scopes }: Declaration, method: string): readonly Scope[] =>
  scopes ?? (method === "GET" || method === "HEAD" ? READING : WRITING);

function handler(
  declaration: Declaration,
  answer: (request: Request, call: Call, body: Body) => Promise<Response>,
): Handler {
  const handle = async (request: Request, context?: Context): Promise<Response> => {
    const deps = systemDeps();
    try {
      const body = request.body === null ? NO_BODY : await readInputBody(request);
      const token = presentedToken(request, body);
      const scopes = scopesOf(declaration, request.method);
      const caller =
        token === null && declaration.anonymous ? null : await authenticate(deps, request, token, scopes);
      const path = (await context?.params) ?? {};
      return await answer(request, { deps, caller, path, version: versionOf(request) }, body);
    } catch (cause) {
      return refuse(deps, cause);
    }
  };
  return Object.assign(handle, { declaration });
}

function inputOf<Fields>(fields: Fields | undefined, request: Request, body: Body, call: Call): Sent<Fields> {
  if (fields === undefined) return {} as Sent<Fields>;
  return parseInput(fieldsIn(call.version, fields as z.ZodObject), request, body, call.path) as Sent<Fields>;
}

/** The answer to a path below the API that no route answers, whoever asks. */
export const unknownRoute = (): Response => refuse(systemDeps(), noRoute());

/** The answer below the version before v4, whoever asks. */
export const goneVersion = (): Response => refuse(systemDeps(), versionIsGone());

/** An answer that depends on a token belongs to its caller alone (RFC 6750 §2.3). */
const PRIVATE = { "cache-control": "private, no-store", vary: "Authorization" } as const;

/** True where the same request may be answered later. */
const isPassing = (cause: unknown): boolean =>
  cause instanceof GitBusy || cause instanceof GitLimit || isUnavailable(cause);

function refuse(deps: Deps, failure: unknown): Response {
  const isTooMuch = failure instanceof GitLimit && failure.reason === "too_large";
  const cause = isTooMuch ? tooLarge() : failure;
  if (cause instanceof ApiError) {
    const challenge = cause.challenge === null ? {} : { "www-authenticate": cause.challenge };
    return Response.json(cause.body, { status: cause.status, headers: { ...PRIVATE, ...challenge } });
  }
  deps.log.error({
    event: "api.failed",
    cause: String(cause),
    stack: cause instanceof Error ? cause.stack : undefined,
  });
  if (!isPassing(cause))
    return Response.json({ message: "500 Internal Server Error" }, { status: 500, headers: PRIVATE });
  const headers = { ...PRIVATE, "retry-after": String(RETRY_AFTER_SECONDS) };
  return Response.json({ message: "503 Service Unavailable" }, { status: 503, headers });
}
