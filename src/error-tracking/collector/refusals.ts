/**
 * An error response of the collector. The text `detail` is for developers and never repeats content of the
 * request.
 */
export class CollectorRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The outcome that is recorded for the dropped events of the project; null if the project is unknown. */
  readonly outcome: string | null;

  constructor(
    status: number,
    detail: string,
    outcome: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.outcome = outcome;
    this.headers = headers;
  }
}

export const noKey = (): CollectorRefusal =>
  new CollectorRefusal(401, "The request has no client key. Send the key of the DSN as sentry_key.");

export const unknownKey = (): CollectorRefusal => new CollectorRefusal(401, "The client key is unknown.");

export const inactiveKey = (): CollectorRefusal =>
  new CollectorRefusal(403, "The client key is inactive. Use another client key of the project.");

/**
 * The response is the same for a project that does not exist, for a project with other client keys, and for a
 * project that does not store tracked errors on this instance.
 */
export const noProject = (): CollectorRefusal =>
  new CollectorRefusal(404, "The project does not exist or does not collect errors with this client key.");

export const malformed = (detail: string): CollectorRefusal => new CollectorRefusal(400, detail, "malformed");

/**
 * The rate limit header of a response to a report that is too large. Because of this rate limit, SDKs stop
 * sending attachments for a day. Most reports that are too large contain attachments, and attachments are
 * never stored.
 */
const NO_ATTACHMENTS = { "x-sentry-rate-limits": "86400:attachment:organization" } as const;

/**
 * Returns the error response for a body that is too large.
 * @param outcome the outcome that is recorded for the dropped items; null if these items are already counted.
 */
export const tooLarge = (detail: string, outcome: "too_large" | null = "too_large"): CollectorRefusal =>
  new CollectorRefusal(413, detail, outcome, NO_ATTACHMENTS);

export const unknownEncoding = (): CollectorRefusal =>
  new CollectorRefusal(415, "The Content-Encoding is not supported.", "malformed");

export const unknownType = (): CollectorRefusal =>
  new CollectorRefusal(415, "The Content-Type is not supported.", "malformed");

/**
 * Returns the response that refuses events while the quota is exhausted. If a 429 response named no item
 * categories, SDKs would stop sending all items, including client reports.
 */
export const overQuota = (seconds: number): CollectorRefusal =>
  new CollectorRefusal(429, "Too many events were reported with this client key. Try again later.", "quota", {
    "retry-after": String(seconds),
    "x-sentry-rate-limits": `${seconds}:error:key:quota`,
  });
