import { hash } from "node:crypto";
import { matchesEntityTag } from "@/kernel/http/entity-tag";
import { jsonResponse } from "@/kernel/http/json";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { Call } from "./access-rules";
import type { Declaration } from "./declaration";
import type { Entity } from "./entity";
import { invalidParameters } from "./errors";
import { type Body, parseInput, sentNames } from "./input";
import { noKeyset, pagingFieldsOf, pagingHeaders, readPaging } from "./paging";
import type { VersionTable } from "./versioned";

/** A response that depends on a token must not be stored in a shared cache (RFC 6750 §2.3). */
export const PRIVATE = { "cache-control": "private, no-store", vary: "Authorization" } as const;

/** The part of an endpoint's declaration that describes the response in the API documentation. */
export type ResponseTerms = Readonly<{
  /** The entity of the response, or of each row of a list; null when the response is not JSON. */
  entity: Entity<never> | null;
  list?: true;
  /** Set for a response that is not JSON but the bytes of a file. */
  bytes?: true;
  /** The status of a successful response; by default 200, or 204 for an empty response. */
  status?: 201 | 202;
  /**
   * A list that defines its own order supports only pagination by number. A list from Git is paginated by
   * page tokens, each of which identifies a row.
   */
  pagedBy?: "number" | "token";
  /**
   * The parameters with which GitLab filters or orders this list. The list refuses each of these parameters
   * that the list does not implement.
   */
  gitlabParameters?: readonly string[];
}>;

/** The request that an endpoint handles. */
export type Exchange = Readonly<{
  request: Request;
  body: Body;
  call: Call;
  declaration: Declaration;
  versions: Pick<VersionTable, "fieldsIn" | "responseIn">;
}>;

/**
 * The part of an endpoint's declaration that creates the response from the result. The type `Given` is the
 * additional argument of the endpoint's `run`.
 */
export type ResponseOf<Given, Result> = ResponseTerms &
  Readonly<{
    /**
     * Checks parameters of the request before the input is parsed.
     * @throws ApiError 400
     */
    check?: (exchange: Exchange) => void;
    given: (exchange: Exchange, input: object) => Given;
    /** Returns whether the response contains no entity, and therefore no deprecated field. */
    isEmpty?: (result: Result) => boolean;
    respond: (exchange: Exchange, result: Result, given: Given) => Response;
  }>;

function shown<Value>(
  { call, declaration, versions }: Exchange,
  entity: Entity<Value>,
  value: Value,
): object | true {
  const presented = entity.present(value, call.deps, call.caller?.user ?? null, call.version);
  return versions.responseIn(call.version, declaration, presented, value);
}

const requestOf = ({ request }: Exchange): Request => request;

type OneTerms<Result> = Readonly<{
  status?: 201 | 202;
  /** The additional headers of a successful response. */
  headers?: (result: Result) => Readonly<Record<string, string>>;
}>;

/** Declares a response with one entity as JSON. */
export const one = <Result>(
  entity: Entity<Result>,
  { headers, ...terms }: OneTerms<Result> = {},
): ResponseOf<Request, Result> => ({
  ...terms,
  entity,
  given: requestOf,
  respond: (exchange, result) =>
    jsonResponse(shown(exchange, entity, result), {
      status: terms.status ?? 200,
      headers: { ...PRIVATE, ...headers?.(result) },
    }),
});

/**
 * Declares a response with one large entity that does not depend on the caller. The JSON of each value is
 * created only once, and has an entity tag, so that a client can ask whether its copy is still valid.
 */
export function unchanging<Result extends object>(entity: Entity<Result>): ResponseOf<Request, Result> {
  const serialized = new WeakMap<Result, SerializedJson>();
  return {
    entity,
    given: requestOf,
    respond(exchange, result, { headers: requestHeaders }) {
      const { bytes, etag } = serialized.get(result) ?? serialize(shown(exchange, entity, result));
      serialized.set(result, { bytes, etag });
      const headers = { ...REVALIDATED, etag };
      if (matchesEntityTag(requestHeaders.get("if-none-match"), etag))
        return new Response(null, { status: 304, headers });
      return new Response(bytes, { headers: { "content-type": "application/json", ...headers } });
    },
  };
}

/** A cache may store the response, but must ask whether the response is still valid before each use. */
const REVALIDATED = { "cache-control": "private, no-cache", vary: "Authorization" } as const;

type SerializedJson = Readonly<{ bytes: Uint8Array<ArrayBuffer>; etag: string }>;

function serialize(value: object | true): SerializedJson {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { bytes, etag: `"${hash("sha256", bytes, "base64url")}"` };
}

/** Declares an empty response. */
export const none = (terms: Pick<ResponseTerms, "status"> = {}): ResponseOf<Request, unknown> => ({
  ...terms,
  entity: null,
  given: requestOf,
  respond: () => new Response(null, { status: terms.status ?? 204, headers: PRIVATE }),
});

/** Declares a response with a file; the endpoint itself creates the response. */
export const file = (): ResponseOf<Request, Response> => ({
  entity: null,
  bytes: true,
  given: requestOf,
  respond: (_exchange, response) => {
    for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
    return response;
  },
});

type ListTerms = Readonly<{
  /**
   * The value of `gitlabParameters` must come from GITLAB_PARAMETERS, so that no list ignores a filter of
   * GitLab.
   */
  gitlabParameters: readonly string[];
  pagedBy?: "number" | "token";
}>;

/** Declares a response with a page of a list: a JSON array with pagination headers. */
export const list = <Row>(entity: Entity<Row>, terms: ListTerms): ResponseOf<Paging, Page<Row>> => ({
  ...terms,
  entity,
  list: true,
  check: (exchange) => refuseUnsupported(exchange, terms),
  given: ({ declaration, request, body }, input) => {
    const paging = readPaging(parseInput(pagingFieldsOf(declaration), request, body, {}));
    if (paging.kind === "keyset" && !hasKeyset(terms, input)) throw noKeyset();
    return paging;
  },
  isEmpty: ({ rows }) => rows.length === 0,
  respond: (exchange, page, paging) => {
    const { call, request } = exchange;
    return jsonResponse(
      page.rows.map((row) => shown(exchange, entity, row)),
      { headers: { ...PRIVATE, ...pagingHeaders(call.deps, request, paging, page) } },
    );
  },
});

/** @throws ApiError 400 that names each filter of GitLab that this list does not implement. */
function refuseUnsupported(
  { request, body, call, declaration, versions }: Exchange,
  { gitlabParameters, pagedBy }: ListTerms,
): void {
  const sent = sentNames(request, body);
  const own = versions.fieldsIn(call.version, declaration).shape;
  const unsupported = gitlabParameters.filter((name) => sent.has(name) && !(name in own));
  // A list without its own parameter `sort` is ordered only by id, which keyset pagination requires.
  const byKeyset = sent.get("pagination") === "keyset" && pagedBy === undefined;
  const names = unsupported.filter((name) => !(byKeyset && name === "sort"));
  if (names.length > 0) throw invalidParameters(names.map((name) => `${name} is not supported`));
}

const hasKeyset = ({ pagedBy }: ListTerms, input: Readonly<{ order_by?: unknown }>): boolean =>
  pagedBy === "token" || (pagedBy === undefined && isInOrderOfIds(input));

/**
 * Returns whether a list is in the order of the ids. The rows of keyset pages are ordered by id, which is the
 * order of creation.
 */
const isInOrderOfIds = ({ order_by }: Readonly<{ order_by?: unknown }>): boolean =>
  order_by === undefined || order_by === "id" || order_by === "created_at";
