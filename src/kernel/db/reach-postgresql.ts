import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { isUnavailable } from "./errors.ts";
import { isTransactionPooler } from "./pooler.ts";
import type { Waiting } from "./waiting.ts";

export type Patience = Waiting &
  Readonly<{
    /** The time for which attempts are repeated while the server does not respond; by default 0. */
    patienceMs?: number;
    reportEveryMs?: number;
  }>;

const ATTEMPT_MS = 3_000;
const PAUSE_MS = 500;
const REACHABLE_MS = 2_500;
const REPORT_EVERY_MS = 5_000;

/**
 * Resolves when the PostgreSQL server responds to a query.
 * @throws an Error whose message is a sentence for the operator. The function throws immediately when the
 * server refuses the user or the database, and after `patienceMs` when the server does not respond.
 */
export async function reachPostgresql(url: string, patience: Patience): Promise<void> {
  const { signal, report, patienceMs = 0, reportEveryMs = REPORT_EVERY_MS } = patience;
  const server = placeOf(url);
  const startedAt = performance.now();
  let reports = 0;
  for (;;) {
    const cause = await connectOnce(url, signal);
    if (cause === null) return;
    signal?.throwIfAborted();
    const reason = reasonOf(cause);
    if (!mayPass(cause)) throw new Error(refusal(server, reason), { cause });
    const waitedMs = performance.now() - startedAt;
    if (waitedMs + PAUSE_MS > patienceMs) throw new Error(noAnswer(server, reason, patienceMs), { cause });
    if (waitedMs >= reports * reportEveryMs) {
      reports = Math.floor(waitedMs / reportEveryMs) + 1;
      const secondsLeft = Math.ceil((patienceMs - waitedMs) / 1_000);
      report?.(
        `PostgreSQL at ${server} does not respond (${reason}). Trying again for ${secondsLeft} seconds.`,
      );
    }
    await pause(PAUSE_MS, undefined, { signal });
  }
}

const noAnswer = (server: string, reason: string, patienceMs: number): string =>
  `PostgreSQL at ${server} ${patienceMs > 0 ? `did not respond for ${Math.round(patienceMs / 1_000)} seconds` : "does not respond"} (${reason}). Check that the database server runs, that DATABASE_URL contains the host and the port of the server, and that no firewall blocks the connection.`;

const refusal = (server: string, reason: string): string =>
  `PostgreSQL at ${server} refuses the connection (${reason}). Check user, password and database in DATABASE_URL.`;

/**
 * Returns whether the server responds within two and a half seconds; a refusal counts as a response. For a
 * connection pooler, the function sends no query. A query would wait while all connections of the pooler are
 * in use, although the server responds.
 */
export async function isReachable(url: string): Promise<boolean> {
  const probe = isTransactionPooler(url) ? null : "SELECT 1";
  const cause = await connectOnce(url, AbortSignal.timeout(REACHABLE_MS), probe);
  return cause === null || (cause instanceof pg.DatabaseError && cause.code !== undefined);
}

/**
 * Opens a connection and runs one query. Returns the error of the connection or of the query; null when both
 * succeed.
 */
async function connectOnce(
  url: string,
  signal: AbortSignal | undefined,
  probe: string | null = "SELECT 1",
): Promise<unknown> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "gatehouse",
    connectionTimeoutMillis: ATTEMPT_MS,
    query_timeout: ATTEMPT_MS,
  });
  // A failed connection emits an `error` event and also rejects the promise of `connect`; an unhandled event
  // would end the process.
  client.on("error", () => undefined);
  // Each attempt removes its listener, so that a start with many attempts does not accumulate listeners on
  // the abort signal.
  const attempt = new AbortController();
  const aborted = new Promise<unknown>((resolve) =>
    signal?.addEventListener("abort", () => resolve(signal.reason), { once: true, signal: attempt.signal }),
  );
  const connected = client
    .connect()
    .then(() => (probe === null ? null : client.query(probe)))
    .then(
      () => null,
      (cause: unknown) => cause,
    );
  const outcome = await Promise.race([connected, aborted]);
  attempt.abort();
  client.end().catch(() => undefined);
  return outcome;
}

/**
 * Returns whether an error may be temporary. The host name of a server that starts together with this process
 * may not resolve yet.
 */
const mayPass = (cause: unknown): boolean =>
  isUnavailable(cause) || /ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|timeout/i.test(reasonOf(cause));

/**
 * Returns the reason of an error. When the connections to all IP addresses of a host name have failed, the
 * result is the reason of the first failure.
 */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Returns the host and the name of the database in a database URL. The user, the password and the parameters
 * are omitted, because they may be secret.
 */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host === "" ? "the local socket" : host}, database ${decodeURIComponent(pathname.slice(1))}`;
}
