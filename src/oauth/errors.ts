/** Every error the /oauth endpoints can put on the wire, and the status it carries unless a rule says otherwise. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  temporarily_unavailable: 503,
  server_error: 500,
} as const satisfies Record<string, number>;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** A refusal in OAuth's own form (RFC 6749 §5.2). The message is public. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Why, for the log only: a reused code and an unknown code must look alike outside. */
  readonly reason: string;
  readonly status: number;
  /** The client authenticated by HTTP Basic, so a 401 must name that scheme (RFC 6749 §5.2). */
  readonly challenge: boolean;

  constructor(
    code: OAuthErrorCode,
    description: string,
    reason: string,
    options: Readonly<{ status?: number; challenge?: boolean }> = {},
  ) {
    super(description);
    this.code = code;
    this.reason = reason;
    this.status = options.status ?? OAUTH_ERRORS[code];
    this.challenge = options.challenge ?? false;
  }
}

export const invalidRequest = (description: string, reason: string): OAuthError =>
  new OAuthError("invalid_request", description, reason);
