/** The reasons why a request to another server fails. */
export type OutboundFailure =
  | "invalid_url"
  | "forbidden_address"
  | "too_many_redirects"
  | "too_large"
  | "compressed"
  | "deadline"
  | "unreachable";

/** Raised when a request to another server is refused or fails. The message contains no data of that server. */
export class OutboundRequestError extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutboundRequestError";
    this.failure = failure;
  }
}
