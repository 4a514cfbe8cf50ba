/** The reasons why a request to another server fails. */
export type OutboundFailure =
  | "invalid_url"
  | "forbidden_address"
  | "too_many_redirects"
  | "too_large"
  | "compressed"
  | "deadline"
  | "unreachable";

/** Returns whether a later request may succeed without a change at the other server. */
export const isTemporaryFailure = (failure: OutboundFailure): boolean =>
  failure === "unreachable" || failure === "deadline";

/** Returns whether a later request may succeed after a response with this status. */
export const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 429;

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
