import { isAscii, isUtf8 } from "node:buffer";
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
 * The parameters of the token, revocation and device requests that must be in the request body (RFC 6749
 * §2.3.1, §3.2).
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
 * @param further the names of additional parameters that must also be in the body.
 */
export async function readForm(request: Request, further: readonly string[] = []): Promise<Form> {
  try {
    const parameters = await readBodyParameters(request);
    checkNames(parameters, parseParameters(queryOf(request.url)), [...BODY_PARAMETERS, ...further]);
    return parameters.values;
  } catch (cause) {
    throw refusalOf(cause);
  }
}

/** @throws OAuthError `invalid_request` for a parameter that is repeated, has brackets, or is in the query. */
function checkNames(parameters: Parameters, query: Parameters, names: readonly string[]): void {
  for (const name of query.values.keys())
    if (names.includes(name))
      throw invalidRequest(`Send ${name} in the body, not in the query.`, "parameter_in_query");
  if (hasBrackets(parameters, names))
    throw invalidRequest(
      "The name of a parameter contains brackets. Send the name without brackets.",
      "parameter_in_brackets",
    );
  if (parameters.repeated.size === 0) return;
  const twice = [...names, ...TOKEN_PARAMETERS].find((name) => parameters.repeated.has(name));
  if (twice !== undefined) throw invalidRequest(`Parameter sent more than once: ${twice}.`, "repeated");
}

/** The media type of forms, as most clients write it. */
const FORM = "application/x-www-form-urlencoded";
const MEDIA_TYPES = [FORM, "application/json", "multipart/form-data"];

/** Returns whether the media type of a request is one of a form. */
export const hasForm = (request: Request): boolean =>
  MEDIA_TYPES.includes(mediaTypeOf(contentTypeOf(request)));

const contentTypeOf = (request: Request): string => request.headers.get("content-type") ?? "";

const mediaTypeOf = (contentType: string): string =>
  contentType === FORM ? FORM : (contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "");

const notForm = (): OAuthError => invalidRequest(`Send the request as ${FORM}.`, "content_type");

async function readBodyParameters(request: Request): Promise<Parameters> {
  const contentType = contentTypeOf(request);
  const type = mediaTypeOf(contentType);
  const isForm = MEDIA_TYPES.includes(type);
  if (!isForm && type !== "") throw notForm();
  const body = textOf(await readBody(request, BYTES_MAX));
  // Some clients send a form without parameters as a request without a body and without a media type.
  if (body === "") return parseParameters("");
  if (!isForm) throw notForm();
  if (type === "application/json") return parseJsonParameters(body);
  return type === FORM ? parseParameters(body) : parseMultipartParameters(body, contentType);
}

/**
 * Returns the text of a request body. A body that contains only ASCII characters, as most forms do, needs no
 * decoder.
 * @throws OAuthError `invalid_request` for a body that is not UTF-8.
 */
function textOf(body: Uint8Array): string {
  if (isAscii(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  if (isUtf8(body)) return new TextDecoder().decode(body);
  throw invalidRequest("The request is not valid UTF-8.", "body_encoding");
}

/** Returns an OAuth error for a form that could not be read, and any other thrown value unchanged. */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof BodyTooLarge)
    return new OAuthError("invalid_request", "The request is too large.", "body_too_large", { status: 413 });
  if (!(cause instanceof Malformed)) return cause;
  if (cause.parameter !== null) return notString(cause.parameter, cause.message);
  return cause.message === "multipart_file"
    ? invalidRequest("Send text fields only: files are not accepted here.", "malformed_multipart_file")
    : invalidRequest("The request has an invalid encoding.", `malformed_${cause.message}`);
}

/** A name that an error description can contain (RFC 6749 §5.2). */
const NAME = /^[\w.-]{1,100}$/;

function notString(parameter: string, reason: string): OAuthError {
  const subject = NAME.test(parameter) ? `The parameter ${parameter}` : "Each parameter";
  return invalidRequest(`${subject} must be a string.`, `malformed_${reason}`);
}

/** The rules of parameters, as error descriptions. */
const RULES: Readonly<Record<string, string>> = {
  code_verifier: "The code_verifier must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~ (RFC 7636).",
};

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
    : invalidRequest(RULES[field] ?? `The ${field} parameter is not valid.`, `${field}_rejected`);
}
