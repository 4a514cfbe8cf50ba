/** Why the collector takes nothing. `detail` is for the sender's developer and repeats nothing of what was sent. */
export class CollectorRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the project's people read of it: how many events were lost, and why. Null where no project is known. */
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
  new CollectorRefusal(401, "The request names no client key: send the DSN's as sentry_key.");

export const unknownKey = (): CollectorRefusal => new CollectorRefusal(401, "The client key is not known.");

export const inactiveKey = (): CollectorRefusal =>
  new CollectorRefusal(403, "The client key is switched off.");

/** The same for a project that does not exist, is not the key's, or does not track its errors here. */
export const noProject = (): CollectorRefusal =>
  new CollectorRefusal(404, "There is no project here that collects errors with this key.");

export const malformed = (what: string): CollectorRefusal => new CollectorRefusal(400, what, "malformed");

/** Most reports are too large because of an attachment, and no attachment is kept: SDKs stop sending them for a day. */
const NO_ATTACHMENTS = { "x-sentry-rate-limits": "86400:attachment:organization" } as const;

/** @param outcome null when the loss has been counted already. */
export const tooLarge = (what: string, outcome: "too_large" | null = "too_large"): CollectorRefusal =>
  new CollectorRefusal(413, what, outcome, NO_ATTACHMENTS);

export const unknownEncoding = (): CollectorRefusal =>
  new CollectorRefusal(415, "The Content-Encoding is not one that is understood here.", "malformed");

export const unknownType = (): CollectorRefusal =>
  new CollectorRefusal(415, "The Content-Type is not one of a report.", "malformed");

/** The empty categories of a bare 429 would silence an SDK altogether, and its report of losses with it. */
export const overQuota = (seconds: number): CollectorRefusal =>
  new CollectorRefusal(429, "The client key has reported too many events. Try again later.", "quota", {
    "retry-after": String(seconds),
    "x-sentry-rate-limits": `${seconds}:error:key:quota`,
  });
