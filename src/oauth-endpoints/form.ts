import type { z } from "zod";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import {
  hasBrackets,
  Malformed,
  type Parameters,
  parseJsonParameters,
  parseMultipartParameters,
  parseParameters,
  queryOf,
} from "@/kernel/http/parameters";
import { invalidRequest, OAuthError } from "./errors";

/** The parameters of a form post. The client sent each parameter once; empty parameters are omitted. */
export type Form = ReadonlyMap<string, string>;

const BYTES_MAX = 65_536;

/** The parameters that may contain an access token (RFC 6750 §2.2, §2.3). GitLab defines `bearer_token`. */
export const TOKEN_PARAMETERS: readonly string[] = ["access_token", "bearer_token"];

/**
 * The parameters of the token, revocation and device requests that must be in the body (RFC 6749 §2.3.1,
 * §3.2).
 */
const BODY_PARAMETERS: readonly string[] = [
  "grant_type",
  "client_id",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
  "code",
  "redirect_uri",
  "code_verifier",
  "refresh_token",
  "username",
  "password",
  "device_code",
  "resource",
  "scope",
  "token",
  "token_type_hint",
];

/**
 * Parses a form post, after checks of the size, the content type and the encoding.
 * @throws OAuthError `invalid_request`, for example for a parameter that is repeated, has brackets, or is in
 * the query.
 * @param further the names of further parameters that these rules apply to.
 */
export async function readForm(request: Request, further: readonly string[] = []): Promise<Form> {
  const names = [...BODY_PARAMETERS, ...further];
  const parameters = await parse(async () => parseBody(request, await bodyText(request)));
  const query = await parse(() => parseParameters(queryOf(request.url)));
  for (const name of query.values.keys())
    if (names.includes(name))
      throw invalidRequest(`Send ${name} in the body, not in the query.`, "parameter_in_query");
  if (hasBrackets(parameters, names))
    throw invalidRequest("Parameter names must not contain brackets.", "parameter_in_brackets");
  const twice = [...names, ...TOKEN_PARAMETERS].find((name) => parameters.repeated.has(name));
  if (twice !== undefined) throw invalidRequest(`Parameter sent more than once: ${twice}.`, "repeated");
  return parameters.values;
}

const mediaType = (request: Request): string =>
  (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const MEDIA_TYPES = ["application/x-www-form-urlencoded", "application/json", "multipart/form-data"];

function parseBody(request: Request, body: string): Parameters | Promise<Parameters> {
  const type = mediaType(request);
  if (type === "application/json") return parseJsonParameters(body);
  if (type === "multipart/form-data")
    return parseMultipartParameters(body, request.headers.get("content-type") ?? "");
  return parseParameters(body);
}

async function bodyText(request: Request): Promise<string> {
  if (!MEDIA_TYPES.includes(mediaType(request)))
    throw invalidRequest("Send the request as application/x-www-form-urlencoded.", "content_type");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBody(request, BYTES_MAX));
  } catch (cause) {
    if (cause instanceof BodyTooLarge)
      throw new OAuthError("invalid_request", "The request is too large.", "body_too_large", { status: 413 });
    if (cause instanceof TypeError) throw invalidRequest("The request is not valid UTF-8.", "body_encoding");
    throw cause;
  }
}

async function parse(read: () => Parameters | Promise<Parameters>): Promise<Parameters> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    if (cause.message === "multipart_file")
      throw invalidRequest("Send text fields only: files are not accepted here.", "malformed_multipart_file");
    throw invalidRequest("The request has an invalid encoding.", `malformed_${cause.message}`);
  }
}

/**
 * Returns the error for the first invalid parameter. If the form lacks a required parameter, the error always
 * says that the parameter is missing, regardless of the message of zod.
 */
export function refusalFor(problem: z.ZodError, parameters: Form): OAuthError {
  const field = String(problem.issues[0]?.path[0] ?? "request");
  if (!parameters.has(field))
    return invalidRequest(`Missing required parameter: ${field}.`, `${field}_missing`);
  return field === "scope"
    ? new OAuthError("invalid_scope", "The requested scope is not valid.", "scope_rejected")
    : invalidRequest(`The ${field} parameter is not valid.`, `${field}_rejected`);
}
