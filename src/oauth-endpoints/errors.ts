/** All error codes of the /oauth endpoints with their default HTTP status. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_token: 401,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  invalid_request_uri: 400,
  access_denied: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  insufficient_scope: 403,
  temporarily_unavailable: 503,
  server_error: 500,
} as const satisfies Record<string, number>;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

type Options = Readonly<{
  status?: number;
  /**
   * The value of `WWW-Authenticate`. A response with status 400 omits the header, because strict clients
   * would treat the response as an authentication failure (RFC 6749 §5.2, RFC 6750 §3).
   */
  challenge?: string;
  /** The value of `Retry-After` for status 429 or 503. */
  retryAfterSeconds?: number;
  /** Additional members of the response, such as the new `interval` of a `slow_down` error. */
  members?: Readonly<Record<string, string | number>>;
}>;

/**
 * An OAuth error response (RFC 6749 §5.2). The message is public, because it is sent as `error_description`.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /**
   * The exact reason for the error, for the log only: clients must not be able to distinguish a reused
   * authorization code from an unknown authorization code.
   */
  readonly reason: string;
  readonly status: number;
  readonly options: Options;

  constructor(code: OAuthErrorCode, description: string, reason: string, options: Options = {}) {
    // No stack trace is created, because the stack trace of a refusal is never read and its creation takes 3
    // µs.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(description);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.reason = reason;
    this.status = options.status ?? OAUTH_ERRORS[code];
    this.options = options;
  }
}

export const invalidRequest = (description: string, reason: string): OAuthError =>
  new OAuthError("invalid_request", description, reason);

/** The value of `WWW-Authenticate` for a client that used HTTP Basic. */
export const BASIC_CHALLENGE = 'Basic realm="Gatehouse"';

/**
 * The error `invalid_target`: the protected resource is unknown, or differs from the resource of the grant
 * (RFC 8707 §2).
 */
export const invalidTarget = (reason: string): OAuthError =>
  new OAuthError(
    "invalid_target",
    "The resource of the token request differs from the resource of the authorization request.",
    reason,
  );

/** The error for a grant type whose tokens cannot be limited to a protected resource. */
export const resourceNotSupported = (reason: string): OAuthError =>
  new OAuthError("invalid_target", "This grant does not support the parameter resource.", reason);
