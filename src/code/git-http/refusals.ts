import type { StorageFailure } from "@/kernel/disk/storage";

/** An error response to a Git client. The Git client prints the text of the response. */
export class GitRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
    super(text);
    this.name = "GitRefusal";
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Returns a 401 response with a challenge for HTTP Basic, so that Git asks its credential helpers for
 * credentials (RFC 7617 §2).
 */
export const accessDenied = (): GitRefusal =>
  new GitRefusal(
    401,
    "HTTP Basic: Access denied. Use the username oauth2 with an OAuth token that has read_repository or write_repository, or any username with a personal access token. A password is accepted only if the instance allows passwords and the account does not use two-factor authentication.",
    { "www-authenticate": 'Basic realm="Gatehouse", charset="UTF-8"' },
  );

export const tooManyAttempts = (retryAfterSeconds: number): GitRefusal =>
  new GitRefusal(429, "Too many wrong passwords. Try again later.", {
    "retry-after": String(retryAfterSeconds),
  });

export const notFound = (): GitRefusal =>
  new GitRefusal(
    404,
    "The project you were looking for could not be found or you don't have permission to view it.",
  );

export const forbidden = (text: string): GitRefusal => new GitRefusal(403, text);

export const changedDuringPush = (): GitRefusal =>
  new GitRefusal(409, "The project or its branch protection has changed during the push. Push again.");

export const accessNotChecked = (): GitRefusal =>
  new GitRefusal(503, "The server could not check your access during the push. Push again.", {
    "retry-after": "5",
  });

export const busy = (retryAfterSeconds: number): GitRefusal =>
  new GitRefusal(503, "Too many Git operations are running. Try again in a few seconds.", {
    "retry-after": String(retryAfterSeconds),
  });

export const requestTimeout = (): GitRefusal =>
  new GitRefusal(408, "The request took too long to arrive. Try again.", { connection: "close" });

export const endedEarly = (): GitRefusal =>
  new GitRefusal(400, "The request ended before it was complete. Try again.");

export const cannotStore = (reason: StorageFailure): GitRefusal =>
  reason === "full"
    ? new GitRefusal(507, "The disk of the server is full. Nothing was stored.")
    : new GitRefusal(503, "The disk of the server is read-only. Nothing was stored.", {
        "retry-after": "5",
      });
