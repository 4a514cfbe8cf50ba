/**
 * Returns whether an error has one of these codes of Prisma. The function compares the error code, because each
 * bundle has its own error class.
 */
const hasCode = (cause: unknown, ...codes: readonly unknown[]): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && codes.includes(cause.code);

/** Returns whether an error is Prisma's error for a violated unique constraint. */
export const isUniqueViolation = (cause: unknown): boolean => hasCode(cause, "P2002");

/** Returns whether an error was caused by a table that does not exist yet. */
export const isMissingTable = (cause: unknown): boolean => hasCode(cause, "P2021");

/**
 * Returns whether a statement failed because a row no longer exists: the row that the statement changes or reads,
 * or a row that an inserted row references. No foreign key of the schema restricts the deletion of a row.
 */
export const isMissingRow = (cause: unknown): boolean => hasCode(cause, "P2003", "P2025");

/** Prisma's error codes for an unreachable database, for a lack of free connections, and for a timeout. */
const PRISMA_UNAVAILABLE: ReadonlySet<unknown> = new Set([
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "P2034",
  "P2037",
]);

/**
 * SQLSTATE codes of PostgreSQL after which the same request may succeed later. The codes mean connection
 * exceptions (08), read-only transactions, idle timeouts, deadlocks, lack of resources (53), unavailable locks,
 * canceled statements, a server that stops or starts, and system errors (58).
 */
const SQLSTATE_UNAVAILABLE = /^(?:08\w{3}|25006|25P0[34]|40001|40P01|53\w{3}|55P03|57014|57P0[1-5]|58\w{3})$/;

/** The properties in which Prisma and its adapters store the code of a driver's error. */
const CODES = ["code", "originalCode"] as const;

/**
 * The messages of the drivers for refused and broken connections, and for a full, locked or read-only
 * database, and the code of `WriterThreadEnded`.
 */
const DRIVER_UNAVAILABLE =
  /DatabaseNotReachable|ConnectionClosed|TooManyConnections|SocketTimeout|Can't reach database|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|WRITER_THREAD_ENDED|SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN)|Connection terminated|not queryable|Query read timeout|in a read-only transaction|canceling statement due to|terminating connection due to|No space left on device|timeout exceeded when trying to connect|database is locked|database or disk is full|readonly database|disk I\/O error/i;

/**
 * Returns whether an error was caused by the database and not by the request. If the database caused the
 * error, the same request may succeed later. The function also searches the causes of Prisma's errors.
 */
export function isUnavailable(cause: unknown, depth = 0): boolean {
  if (typeof cause !== "object" || cause === null || depth > 4) return false;
  if ("code" in cause && (PRISMA_UNAVAILABLE.has(cause.code) || DRIVER_UNAVAILABLE.test(String(cause.code))))
    return true;
  if (CODES.some((name) => SQLSTATE_UNAVAILABLE.test(String(Reflect.get(cause, name))))) return true;
  if ("name" in cause && cause.name === "PrismaClientInitializationError") return true;
  if ("message" in cause && DRIVER_UNAVAILABLE.test(String(cause.message))) return true;
  if ("meta" in cause && isUnavailable(cause.meta, depth + 1)) return true;
  if ("driverAdapterError" in cause && isUnavailable(cause.driverAdapterError, depth + 1)) return true;
  return "cause" in cause && isUnavailable(cause.cause, depth + 1);
}

/** The value of `Retry-After` in responses while the database does not respond. */
export const RETRY_AFTER_SECONDS = 5;
