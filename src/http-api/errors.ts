import type { StorageFailure } from "@/kernel/disk/storage";

/** An error response of the REST API: its status, its exact body, and a challenge for the status 401. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: object;
  readonly challenge: string | null;
  /** Additional headers of the error response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: object,
    challenge: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
    this.challenge = challenge;
    this.headers = headers;
  }
}

const REALM = 'Bearer realm="Gatehouse"';

/** The response to a missing or unknown token (RFC 6750 §3.1 requires a challenge without an error code). */
export const unauthorized = (): ApiError => new ApiError(401, { message: "401 Unauthorized" }, REALM);

/**
 * The response to a token of a kind that the endpoint does not accept; unknown tokens get the same response.
 */
export const personalTokenNeeded = (): ApiError =>
  new ApiError(
    401,
    {
      message:
        "401 Unauthorized - This endpoint accepts personal access tokens only. It does not accept OAuth access tokens.",
    },
    REALM,
  );

const TOKEN_PROBLEMS = {
  expired: "Token is expired. You can either do re-authorization or token refresh.",
  revoked: "Token was revoked. You have to re-authorize from the user.",
} as const satisfies Record<string, string>;

/**
 * The response to a token that is no longer valid. The text of the response contains an instruction for the
 * client.
 */
export function invalidToken(problem: keyof typeof TOKEN_PROBLEMS): ApiError {
  const text = TOKEN_PROBLEMS[problem];
  return new ApiError(
    401,
    { error: "invalid_token", error_description: text },
    `${REALM}, error="invalid_token", error_description="${text}"`,
  );
}

/** @param needed the scopes of the endpoint, of which a token needs at least one. */
export const insufficientScope = (needed: readonly string[]): ApiError =>
  new ApiError(403, {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope: needed.join(" "),
  });

/**
 * The response to an OAuth token at an endpoint that creates personal access tokens. No scope allows a client
 * to create personal access tokens with an OAuth token.
 */
export const noTokenByOauth = (): ApiError =>
  new ApiError(403, {
    error: "insufficient_scope",
    error_description:
      "An OAuth token cannot create or rotate personal access tokens. Use a personal access token, or your settings in the browser.",
  });

export const blocked = (): ApiError =>
  new ApiError(403, { message: "403 Forbidden - Your account has been blocked." });

/** @param issuer the URL of this instance, where the user can sign in. */
export const deactivated = (issuer: string): ApiError =>
  new ApiError(403, {
    message: `403 Forbidden - Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${issuer}`,
  });

export const forbidden = (): ApiError => new ApiError(403, { message: "403 Forbidden" });

/**
 * The response to a request that can be parsed but is contradictory. The text `reason` is a sentence for the
 * caller.
 */
export const badRequest = (reason: string): ApiError =>
  new ApiError(400, { message: `400 Bad request - ${reason}` });

/** The response to missing or invalid parameters, with messages such as `active is missing`. */
export const invalidParameters = (problems: readonly string[]): ApiError =>
  new ApiError(400, { error: problems.join(", ") });

/**
 * The response to parameters whose values are not acceptable. The response contains the error messages of
 * each field.
 */
export const unacceptable = (problems: Readonly<Record<string, readonly string[]>>): ApiError =>
  new ApiError(400, { message: problems });

export const tooLarge = (): ApiError => new ApiError(413, { message: "413 Payload Too Large" });

export const requestTimeout = (): ApiError => new ApiError(408, { message: "408 Request Timeout" });

export const unsupportedType = (type: string): ApiError =>
  new ApiError(415, { error: `The provided content-type '${type}' is not supported.` });

/**
 * The response for a resource that does not exist or that the caller cannot see, so that the caller cannot
 * distinguish the two cases. Without `name`, the message is `404 Not found`.
 */
export const notFound = (name?: string): ApiError =>
  new ApiError(404, { message: name === undefined ? "404 Not found" : `404 ${name} Not Found` });

/**
 * @param reason a sentence that tells the caller what to do, for refusals whose default message does not
 * contain an instruction.
 */
export const forbiddenBecause = (reason: string): ApiError =>
  new ApiError(403, { message: `403 Forbidden - ${reason}` });

/** The response for a resource that already exists, or that was changed after the caller read it. */
export const conflict = (reason: string): ApiError => new ApiError(409, { message: reason });

/**
 * Returns the same response as `conflict`, but with a list of reasons. The GitLab API reports conflicting
 * merge requests as a list of reasons.
 */
export const conflicts = (...reasons: readonly string[]): ApiError => new ApiError(409, { message: reasons });

/** The response for a resource that exists but does not allow the operation in its current state. */
export const methodNotAllowed = (): ApiError => new ApiError(405, { message: "405 Method Not Allowed" });

/** The response to a valid request that the current state of the resource does not allow. */
export const unprocessable = (reason: string | readonly string[]): ApiError =>
  new ApiError(422, { message: reason });

/** The response for a path of the API that no route handles. */
export const noRoute = (): ApiError => new ApiError(404, { error: "404 Not Found" });

/**
 * The response for a path that is missing from v5.
 * @param successor the path that replaces the missing path, without the version prefix.
 * @param instead a sentence about the replacement.
 */
export const notInV5 = (successor: string, instead: string): ApiError =>
  new ApiError(404, {
    message: `404 Not Found - This path is not in v5. ${instead} See /api/v5${successor}`,
  });

export const versionIsGone = (): ApiError =>
  new ApiError(410, { error: "API V3 is no longer supported. Use API V4 instead." });

/** The response to a token that was sent in more than one way (RFC 6750 §3.1). */
export const twoTokens = (): ApiError =>
  new ApiError(400, {
    error: "invalid_request",
    error_description: "The request contains two different access tokens. Send only one.",
  });

/** The response to a request while too many expensive operations are waiting. */
export const busy = (): ApiError => new ApiError(503, { message: "503 Service Unavailable" });

/**
 * The response to a request while the object storage of package files does not respond, or refuses the
 * requests of the server.
 */
export const objectStorageUnavailable = (): ApiError =>
  new ApiError(503, {
    message:
      "503 Service Unavailable - The file storage of the server is not available. Nothing was changed.",
  });

/**
 * The response when a file could not be stored. A full disk causes 507 (RFC 4918 §11.5). A disk that rejects
 * writes for another reason causes 503, because the disk may accept writes again soon.
 */
export const cannotStore = (reason: StorageFailure): ApiError =>
  reason === "full"
    ? new ApiError(507, {
        message: "507 Insufficient Storage - The disk of the server is full. Nothing was stored.",
      })
    : new ApiError(503, {
        message: "503 Service Unavailable - The disk of the server is read-only. Nothing was stored.",
      });
