/**
 * Returns whether `DATABASE_URL` names a connection pooler in transaction mode, by the parameter
 * `pgbouncer=true`. Two consecutive transactions of one client may use different connections of the server.
 * Therefore, named statements and settings of a session must not be used. A pooler also refuses connection
 * parameters that change settings of the session.
 */
export const isTransactionPooler = (url: string): boolean =>
  new URL(url).searchParams.get("pgbouncer") === "true";

/**
 * Removes the time limits of the role from the current transaction, for operations that may take a long time,
 * such as migrations. When the instance uses a pooler, the time limits of requests are settings of the
 * database role.
 */
export const WITHOUT_TIME_LIMITS =
  "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";
