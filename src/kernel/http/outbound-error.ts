/** The reasons why a request to another server fails. */
export type OutboundFailure =
  | "invalid_url"
  | "forbidden_address"
  | "too_many_redirects"
  | "too_large"
  | "compressed"
  | "deadline"
  | "unreachable";

/**
 * Raised when a request to another server is refused or fails. The error message contains no data that the
 * other server sent.
 */
export class OutboundRequestError extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutboundRequestError";
    this.failure = failure;
  }
}
