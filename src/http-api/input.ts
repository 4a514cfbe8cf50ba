import type { z } from "zod";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import { Malformed, parseParameters, queryOf } from "@/kernel/http/parameters";
import { ApiError, invalidParameters, tooLarge, unsupportedType } from "./errors";

const BYTES_MAX = 262_144;

/** The parameters of one part of a request (path, query or body), as text, as JSON values or as the bytes of files. */
type Part = Readonly<{ values: ReadonlyMap<string, unknown>; repeated: ReadonlySet<string> }>;

/**
 * The parameters of a request body. If the body could not be parsed, `problem` contains the error, which is
 * thrown after the authentication of the caller.
 */
export type Body = Readonly<{ part: Part; problem: ApiError | null }>;

const NOTHING: Part = { values: new Map(), repeated: new Set() };
export const NO_BODY: Body = { part: NOTHING, problem: null };

/**
 * Parses a request body as a form or as JSON, depending on the content type.
 * @throws the error of the request stream. A syntax error of the body is returned in `problem` and not
 * thrown.
 */
export async function readInputBody(request: Request): Promise<Body> {
  // The function checks the method of the request first. Reading the property `body` takes time, because Node
  // then creates the complete `Request`.
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) return NO_BODY;
  try {
    return { part: await bodyPart(request, await readBody(request, BYTES_MAX)), problem: null };
  } catch (cause) {
    if (cause instanceof BodyTooLarge) return { part: NOTHING, problem: tooLarge() };
    if (cause instanceof ApiError) return { part: NOTHING, problem: cause };
    throw cause;
  }
}

async function bodyPart(request: Request, bytes: Uint8Array): Promise<Part> {
  const header = request.headers.get("content-type") ?? "";
  const type = header.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (bytes.byteLength === 0) return NOTHING;
  if (type === "application/x-www-form-urlencoded") return formPart(text(bytes));
  if (type === "application/json") return jsonPart(text(bytes));
  if (type === "multipart/form-data") return multipartPart(bytes, header);
  throw unsupportedType(type.replace(/[^a-z0-9/.+-]/g, "").slice(0, 100));
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable();
  }
}

const unreadable = (): ApiError =>
  invalidParameters(["The request cannot be parsed, because its encoding or syntax is invalid"]);

/** @throws ApiError 400 for text that is not a parameter list. */
export function formPart(encoded: string): Part {
  try {
    return gathered(parseParameters(encoded).pairs);
  } catch (cause) {
    if (cause instanceof Malformed) throw unreadable();
    throw cause;
  }
}

/**
 * Collects the parameters of a query or form. `name[]=a&name[]=b` is a list under `name`, and `name[key]=a`
 * is an object; any other name may be sent only once.
 */
function gathered(pairs: readonly (readonly [name: string, value: string])[]): Part {
  const values = new Map<string, unknown>();
  const objects = new Map<string, Map<string, unknown>>();
  const repeated = new Set<string>();
  for (const [name, value] of pairs) {
    const [, outer, inner, isListed] = /^([^[\]]+)(?:\[([^[\]]+)\])?(\[\])?$/.exec(name) ?? [null, name];
    const fields = inner === undefined ? values : (objects.get(outer) ?? new Map<string, unknown>());
    const key = inner ?? outer;
    const before = fields.get(key);
    const isTaken = inner === undefined ? objects.has(outer) : values.has(outer);
    if (isTaken) repeated.add(outer);
    else if (isListed !== undefined && (before === undefined || Array.isArray(before)))
      fields.set(key, [...(before ?? []), value]);
    else if (before === undefined) fields.set(key, value);
    else repeated.add(outer);
    if (inner !== undefined) objects.set(outer, fields);
  }
  for (const [name, fields] of objects) if (!values.has(name)) values.set(name, Object.fromEntries(fields));
  return { values, repeated };
}

function jsonPart(json: string): Part {
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    throw unreadable();
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw unreadable();
  const values = new Map<string, unknown>(Object.entries(body));
  if (!isPlain(body)) throw unreadable();
  return { values, repeated: new Set() };
}

/** The maximum nesting depth of a value, which is larger than the depth of any parameter of the API. */
const DEPTH_MAX = 8;

/**
 * Returns whether the databases can store a value: its texts contain neither U+0000 nor an unpaired
 * surrogate.
 */
export function isPlain(value: unknown, depth = DEPTH_MAX): boolean {
  if (typeof value === "string") return !value.includes("\0") && !/\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isPlain(inner, depth - 1));
}

async function multipartPart(bytes: Uint8Array, contentType: string): Promise<Part> {
  const response = new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } });
  const form = await response.formData().catch(() => {
    throw unreadable();
  });
  const pairs = [...form].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  if (!isPlain(pairs)) throw unreadable();
  const part = gathered(pairs);
  const values = new Map<string, unknown>(part.values);
  const repeated = new Set(part.repeated);
  for (const [name, value] of form) {
    if (typeof value === "string") continue;
    if (values.has(name)) repeated.add(name);
    values.set(name, new Uint8Array(await value.arrayBuffer()));
  }
  return { values, repeated };
}

/**
 * Returns the declared parameters of an endpoint: the body overrides the query, and the path overrides the
 * query and the body.
 * @throws ApiError 400 that names each parameter that is missing, empty, invalid, or sent more than once.
 */
export function parseInput<Fields extends z.ZodObject>(
  fields: Fields,
  request: Request,
  body: Body,
  path: Readonly<Record<string, unknown>>,
): z.infer<Fields> {
  if (body.problem !== null) throw body.problem;
  const names = Object.keys(fields.shape);
  const query = queryPart(request);
  const twice = names.filter((name) => query.repeated.has(name) || body.part.repeated.has(name));
  if (twice.length > 0) throw invalidParameters(twice.map((name) => `${name} is sent more than once`));
  const parameters = new Map([...query.values, ...body.part.values, ...Object.entries(path)]);
  return parseSent(fields, parameters);
}

/**
 * Returns the parameters of a path.
 * @throws the same errors as `parseInput`.
 */
export const parsePath = <Fields extends z.ZodObject>(
  fields: Fields,
  path: Readonly<Record<string, unknown>>,
): z.infer<Fields> => parseSent(fields, new Map(Object.entries(path)));

function parseSent<Fields extends z.ZodObject>(
  fields: Fields,
  parameters: ReadonlyMap<string, unknown>,
): z.infer<Fields> {
  const names = Object.keys(fields.shape);
  const given = Object.fromEntries(
    names.filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]),
  );
  const parsed = fields.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidParameters([...new Set(parsed.error.issues.map((issue) => problemOf(parameters, issue)))]);
}

const queryPart = (request: Request): Part =>
  request.url.includes("?") ? formPart(queryOf(request.url)) : NOTHING;

/** Returns all parameters of a request by name. */
export const sentNames = (request: Request, body: Body): ReadonlyMap<string, unknown> =>
  new Map([...queryPart(request).values, ...body.part.values]);

/** Returns whether the request has a parameter with this name, with any value. */
export const isSent = (request: Request, body: Body, name: string): boolean =>
  body.part.values.has(name) ||
  ((request.url.includes(name) || request.url.includes("%")) && queryPart(request).values.has(name));

/**
 * Returns the error text for an invalid parameter. If the request lacks a required parameter, the error is
 * always "is missing". For other problems, the error has the message of the validation rule, and not the
 * message of the validation library.
 */
function problemOf(parameters: ReadonlyMap<string, unknown>, issue: z.core.$ZodIssue): string {
  if (issue.code === "custom") return issue.message;
  const [root = "request", inner] = issue.path;
  const name = typeof inner === "string" ? `${String(root)}[${inner}]` : String(root);
  if (!parameters.has(String(root))) return `${name} is missing`;
  if (parameters.get(name) === "" || parameters.get(name) === null) return `${name} is empty`;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${name}[${key}] is not supported`).join(", ");
  return issue.code === "invalid_value" || issue.code === "too_small"
    ? `${name} does not have a valid value`
    : `${name} is invalid`;
}

/** Returns the text values of the body parameters with the given names. */
export const bodyTexts = ({ part }: Body, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const value = part.values.get(name);
    return typeof value === "string" ? [value] : [];
  });
