import type { z } from "zod";
import type { Principal } from "@/access/principal";
import { ALL_SCOPES, type Scope } from "@/access/scopes";
import { GitLimit } from "@/code/git/program";
import { GitBusy } from "@/code/git/queue";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { recordFailedWrite, storageFailureOf } from "@/kernel/disk/storage";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import type { Page, Paging } from "@/kernel/paging/paging";
import { authenticate, presentedToken } from "@/oauth/api/authenticate";
import { noteDeprecatedUse } from "@/operations/deprecated-uses/service";
import type { Entity } from "./entity";
import {
  ApiError,
  cannotStore,
  forbidden,
  insufficientScope,
  invalidParameters,
  noRoute,
  noTokenByOauth,
  notInV5,
  tooLarge,
  unauthorized,
  versionIsGone,
} from "./errors";
import { type Body, isSent, NO_BODY, parseInput, readInputBody, sentNames } from "./input";
import { noKeyset, pagingFieldsOf, pagingHeaders, readPaging } from "./paging";
import {
  answerIn,
  askedOf,
  carriedBy,
  deprecationHeaders,
  fieldsIn,
  goneIn5,
  successorOf,
  translated,
} from "./versioned";
import { type ApiVersion, type DeprecationName, versionOf } from "./versions";

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
  /** Where no OAuth token will do. */
  tokens?: "personal";
  /** Whether it creates a personal access token, which an OAuth token may not: the new token would survive the grant. */
  createsToken?: true;
  /** Whether the token may come as the password of HTTP Basic, too. */
  basic?: true;
  /** Whether the body is a file, to be read as it comes, and says nothing else. */
  upload?: true;
  /** What is accepted, from query and body, and from the path; anything else that is sent is ignored. */
  input?: z.ZodObject;
  /** Parameters of a request that succeeds, where values of their types would not. For the documents alone. */
  example?: Readonly<Record<string, string | number | boolean>>;
  /** What comes back, as one thing or as a list; null for nothing. */
  entity: Entity<never> | null;
  list?: true;
  /** What comes back is no JSON, but the bytes of something. */
  bytes?: true;
  /** A list in an order of its own goes by number alone, and a list of Git by the token of a row. */
  pagedBy?: "number" | "token";
  /** Parameters by which GitLab narrows or orders this list: it refuses those that it does not implement. */
  gitlabParameters?: readonly string[];
  /** Of the successful answer; 200, or 204 for nothing, unless it says otherwise. */
  status?: 201 | 202;
}>;

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;
export type Handler = ((request: Request, context?: Context) => Promise<Response>) &
  Readonly<{ declaration: Declaration }>;

type Eventually<Value> = Value | Promise<Value>;
type Sent<Fields> = Fields extends z.ZodObject ? z.infer<Fields> : Readonly<Record<never, never>>;

/** A declaration with what runs: `who` is what the caller was admitted as. */
export type Single<Who, Fields, Result> = Omit<
  Declaration,
  "role" | "anonymous" | "list" | "entity" | "gitlabParameters"
> &
  Readonly<{
    input?: Fields;
    entity: Entity<Result> | null;
    /** Headers of the successful answer. */
    headers?: (result: Result) => Readonly<Record<string, string>>;
    run: (deps: Deps, who: Who, input: Sent<Fields>, request: Request) => Eventually<Result>;
  }>;

/** The same for a list, of which a part is asked for. */
export type Listing<Who, Fields, Row> = Omit<
  Declaration,
  "role" | "anonymous" | "list" | "entity" | "status"
> &
  Readonly<{
    input?: Fields;
    entity: Entity<Row>;
    /** Of GITLAB_PARAMETERS: no list may ignore a filter of GitLab. */
    gitlabParameters: readonly string[];
    run: (deps: Deps, who: Who, input: Sent<Fields>, paging: Paging) => Eventually<Page<Row>>;
  }>;

/** The rest of a request once its token has been judged. */
export type Call = Readonly<{
  deps: Deps;
  caller: Principal | null;
  path: Readonly<Record<string, unknown>>;
  version: ApiVersion;
  /** What of the request or its answer v5 has not; grows on the way. */
  deprecated: Set<DeprecationName>;
}>;
/** Decides as what the caller may go on. Raises an ApiError 403 or 404. */
export type Admission<Who> = (call: Call) => Eventually<Who>;

export function single<Who, Fields, Result>(
  declaration: Declaration,
  admit: Admission<Who>,
  { entity, run, status, headers }: Single<Who, Fields, Result>,
): Handler {
  return handler(declaration, async (request, call, body) => {
    const who = await admit(call);
    const result = await run(call.deps, who, inputOf<Fields>(declaration, request, body, call), request);
    if (entity === null) return new Response(null, { status: status ?? 204, headers: PRIVATE });
    const shown = entity.present(result, call.deps, call.caller?.user ?? null, call.version);
    const answer = answerIn(call.version, declaration, shown, result);
    return jsonResponse(answer, { status: status ?? 200, headers: { ...PRIVATE, ...headers?.(result) } });
  });
}

export function listing<Who, Fields, Row>(
  declaration: Declaration,
  admit: Admission<Who>,
  { entity, run }: Listing<Who, Fields, Row>,
): Handler {
  return handler({ ...declaration, list: true }, async (request, call, body) => {
    const { deps, caller } = call;
    const who = await admit(call);
    refuseUnsupported(declaration, request, body, call.version);
    const sent = inputOf<Fields>(declaration, request, body, call);
    const paging = readPaging(parseInput(pagingFieldsOf(declaration), request, body, {}));
    if (paging.kind === "keyset" && !hasKeyset(declaration, sent)) throw noKeyset();
    const page = await run(deps, who, sent, paging);
    const viewer = caller?.user ?? null;
    const rows = page.rows.map((row) =>
      answerIn(call.version, declaration, entity.present(row, deps, viewer, call.version), row),
    );
    return jsonResponse(rows, { headers: { ...PRIVATE, ...pagingHeaders(deps, request, paging, page) } });
  });
}

/** @throws ApiError 400 that names each filter of GitLab that this list does not implement. */
function refuseUnsupported(
  declaration: Declaration,
  request: Request,
  body: Body,
  version: ApiVersion,
): void {
  const { gitlabParameters = [] } = declaration;
  const sent = sentNames(request, body);
  const own = fieldsIn(version, declaration).shape;
  const unsupported = gitlabParameters.filter((name) => sent.has(name) && !(name in own));
  // Without a parameter `sort` of its own, a list has an order by id alone, for keyset paging.
  const byKeyset = sent.get("pagination") === "keyset" && declaration.pagedBy === undefined;
  const names = unsupported.filter((name) => !(byKeyset && name === "sort"));
  if (names.length > 0) throw invalidParameters(names.map((name) => `${name} is not supported`));
}

const hasKeyset = ({ pagedBy }: Declaration, sent: Readonly<{ order_by?: unknown }>): boolean =>
  pagedBy === "token" || (pagedBy === undefined && isInOrderOfIds(sent));

/** A list goes by key in the order of its ids, which is that in which things were made. */
const isInOrderOfIds = (sent: Readonly<{ order_by?: unknown }>): boolean =>
  sent.order_by === undefined || sent.order_by === "id" || sent.order_by === "created_at";

/** A declaration of what answers bytes and no JSON. */
export type Bytes<Who, Fields> = Readonly<{
  summary: string;
  input: Fields;
  run: (deps: Deps, who: Who, input: Sent<Fields>, request: Request) => Promise<Response>;
}>;

export function bytes<Who, Fields>(
  declaration: Declaration,
  admit: Admission<Who>,
  { run }: Bytes<Who, Fields>,
): Handler {
  return handler({ ...declaration, entity: null, bytes: true }, async (request, call, body) => {
    const who = await admit(call);
    const response = await run(call.deps, who, inputOf<Fields>(declaration, request, body, call), request);
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

/** An endpoint for programs that show a token of their own as a parameter: a person's token says nothing there. */
export const programEndpoint = <Result, Fields = undefined>(
  endpoint: Single<Principal | null, Fields, Result>,
): Handler =>
  single(
    { ...endpoint, anonymous: true, scopes: ALL_SCOPES } as Declaration,
    ({ caller }) => caller,
    endpoint,
  );

/** An endpoint for everybody: without a token, for what everybody may see. */
export const openEndpoint = <Result, Fields = undefined>(
  endpoint: Single<Principal | null, Fields, Result>,
): Handler => single({ ...endpoint, anonymous: true } as Declaration, ({ caller }) => caller, endpoint);

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
    const { pathname } = new URL(request.url);
    const version = versionOf(pathname);
    const asked = askedOf(pathname);
    const gone = goneIn5(asked);
    try {
      if (gone !== null && version === "v5") throw notInV5(successorOf(gone.row, asked), gone.row.instead);
      const { upload, basic, tokens, createsToken, anonymous } = declaration;
      const body = upload ? NO_BODY : await readInputBody(request);
      const token = presentedToken(request, body, basic);
      const scopes = scopesOf(declaration, request.method);
      const caller =
        token === null && anonymous ? null : await authenticate(deps, request, token, scopes, tokens);
      refuseSudo(request, body, caller);
      if (createsToken && caller?.token.kind === "oauth") throw noTokenByOauth();
      const path = (await context?.params) ?? {};
      const deprecated = new Set([...(gone === null ? [] : [gone.name]), ...carriedBy(version, declaration)]);
      const response = await answer(request, { deps, caller, path, version, deprecated }, body);
      return told(deps, response, caller, [...deprecated], asked);
    } catch (cause) {
      return refuse(deps, request, cause);
    }
  };
  return Object.assign(handle, { declaration });
}

/**
 * Refuses to act for another user, which no token may: ignored, the request would act for the wrong one.
 * @throws ApiError 401 without a token, 403 with one.
 */
export function refuseSudo(request: Request, body: Body, caller: Principal | null): void {
  if (!request.headers.has("sudo") && !isSent(request, body, "sudo")) return;
  throw caller === null ? unauthorized() : insufficientScope(["sudo"]);
}

function inputOf<Fields>(declaration: Declaration, request: Request, body: Body, call: Call): Sent<Fields> {
  if (declaration.input === undefined) return {} as Sent<Fields>;
  const parsed = parseInput(fieldsIn(call.version, declaration), request, body, call.path);
  const { sent, used } = translated(call.version, declaration, parsed);
  for (const name of used) call.deprecated.add(name);
  return sent as Sent<Fields>;
}

/** Tells the client what of this v5 has not, and counts it for whoever will have to change the client. */
function told(
  deps: Deps,
  response: Response,
  caller: Principal | null,
  names: readonly DeprecationName[],
  asked: string,
): Response {
  const headers = deprecationHeaders(deps.config.issuer, names, asked);
  if (headers === null) return response;
  response.headers.set("deprecation", headers.deprecation);
  for (const link of headers.links) response.headers.append("link", link);
  noteDeprecatedUse(deps, caller, names);
  return response;
}

/** The answer to a path below the API that no route answers, whoever asks. */
export const unknownRoute = (request: Request): Response => refuse(systemDeps(), request, noRoute());

/** The answer below the version before v4, whoever asks. */
export const goneVersion = (request: Request): Response => refuse(systemDeps(), request, versionIsGone());

/** An answer that depends on a token belongs to its caller alone (RFC 6750 §2.3). */
export const PRIVATE = { "cache-control": "private, no-store", vary: "Authorization" } as const;

/** True where the same request may be answered later. */
const isPassing = (cause: unknown): boolean =>
  cause instanceof GitBusy || cause instanceof GitLimit || isUnavailable(cause);

function refuse(deps: Deps, request: Request, failure: unknown): Response {
  const isTooMuch = failure instanceof GitLimit && failure.reason === "too_large";
  const unstored = storageFailureOf(failure);
  if (unstored !== null) {
    recordFailedWrite(deps.clock());
    deps.log.error({ event: "api.not_stored", reason: unstored, request_id: requestIdOf(request) }, failure);
  }
  const cause = isTooMuch ? tooLarge() : unstored === null ? failure : cannotStore(unstored);
  if (cause instanceof ApiError) {
    const challenge = cause.challenge === null ? {} : { "www-authenticate": cause.challenge };
    const retry = unstored === null ? {} : { "retry-after": String(RETRY_AFTER_SECONDS) };
    return jsonResponse(cause.body, {
      status: cause.status,
      headers: { ...PRIVATE, ...challenge, ...retry },
    });
  }
  deps.log.error({ event: "api.failed", request_id: requestIdOf(request) }, cause);
  if (!isPassing(cause))
    return jsonResponse({ message: "500 Internal Server Error" }, { status: 500, headers: PRIVATE });
  const headers = { ...PRIVATE, "retry-after": String(RETRY_AFTER_SECONDS) };
  return jsonResponse({ message: "503 Service Unavailable" }, { status: 503, headers });
}
