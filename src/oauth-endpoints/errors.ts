/** Every error the /oauth endpoints can put on the wire, and the status it carries unless a rule says otherwise. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_token: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
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
  /** The value of `WWW-Authenticate`; never sent with a 400, for strict clients follow it (RFC 6749 §5.2, RFC 6750 §3). */
  challenge?: string;
  /** For a 429 or a 503. */
  retryAfterSeconds?: number;
  /** Members beside `error` and `error_description`, such as the new `interval` of a `slow_down`. */
  members?: Readonly<Record<string, string | number>>;
}>;

/** A refusal in OAuth's own form (RFC 6749 §5.2). The message is public. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Why, for the log only: a reused code and an unknown code must look alike outside. */
  readonly reason: string;
  readonly status: number;
  readonly options: Options;

  constructor(code: OAuthErrorCode, description: string, reason: string, options: Options = {}) {
    super(description);
    this.code = code;
    this.reason = reason;
    this.status = options.status ?? OAUTH_ERRORS[code];
    this.options = options;
  }
}

export const invalidRequest = (description: string, reason: string): OAuthError =>
  new OAuthError("invalid_request", description, reason);

/** The challenge to a client that used HTTP Basic. */
export const BASIC_CHALLENGE = 'Basic realm="Gatehouse"';
