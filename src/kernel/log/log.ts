import pino from "pino";
import { currentWorker } from "../process/worker.ts";
import { currentSpan } from "../tracing/tracing.ts";

/**
 * A structured log line: an event name in `event`, and other members with details. A log line never contains
 * a token, an authorization code, a secret or a cookie.
 */
export type Logger = Readonly<{ info: Write; warn: Write; error: Write }>;

/**
 * @param cause the thrown value. The line contains the result of `loggableError` for the thrown value.
 * Callers never format an error as text.
 */
type Write = (facts: Facts, cause?: unknown) => void;

/**
 * The logged object must be flat, because the log checks only the names of its direct members for secrets.
 */
type Facts = Readonly<{ event: string } & Record<string, string | number | boolean | null | undefined>>;

/** The names of members whose values are never logged. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "access_token",
  "bearer_token",
  "refresh_token",
  "token",
  "code",
  "code_verifier",
  "client_secret",
  "password",
  "device_code",
  "user_code",
  "authorization",
  "cookie",
]);

/** The destination of log lines. `flush` writes the lines that wait for a batch. */
type Output = pino.DestinationStream & Readonly<{ flush?: () => void }>;

/**
 * Opens a log of JSON lines on standard output, for events of `level` and more severe levels. The lines of a worker
 * contain its number, and the lines in a trace contain the ids of the trace and the span.
 */
export function openLog(level: string, output: Output = openOutput(process.stdout.fd)): Logger {
  const least = level === "silent" ? Number.POSITIVE_INFINITY : (pino.levels.values[level] ?? LEVELS.info);
  const time = isoTimes();
  const worker = currentWorker();
  const origin = worker === null ? "" : `,"worker":${worker.number}`;
  const writeAt =
    (number: number): Write =>
    (facts, cause) => {
      if (number >= least)
        output.write(
          `{"level":${number},"time":"${time()}"${origin}${traceMembers()}${membersOf(lineOf(facts, cause))}}\n`,
        );
    };
  const error = writeAt(LEVELS.error);
  return {
    info: writeAt(LEVELS.info),
    warn: writeAt(LEVELS.warn),
    error: (facts, cause) => {
      error(facts, cause);
      output.flush?.();
    },
  };
}

/**
 * Returns the members with which a log viewer finds the trace of a line. Outside of a trace, the result is an
 * empty string.
 */
function traceMembers(): string {
  const span = currentSpan();
  return span === null ? "" : `,"trace_id":"${span.traceId}","span_id":"${span.spanId}"`;
}

/** The numbers of the log levels, which log viewers recognize. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/**
 * Returns the members of a JSON object as text, each after a comma. A general JSON serializer would take
 * three times as long.
 */
function membersOf(facts: Readonly<Record<string, unknown>>): string {
  let members = "";
  for (const name in facts) {
    const value = facts[name];
    if (value === undefined) continue;
    const text = typeof value === "string" && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
    members += `,"${name}":${text}`;
  }
  return members;
}

/** Matches text without characters that JSON escapes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * Returns the time of a log line. The part of the time down to the second is formatted only once for all log
 * lines of the same second.
 */
function isoTimes(): () => string {
  let second = Number.NaN;
  let prefix = "";
  return () => {
    const now = Date.now();
    const milliseconds = now % 1000;
    if (now - milliseconds !== second) {
      second = now - milliseconds;
      prefix = new Date(second).toISOString().slice(0, -"000Z".length);
    }
    return `${prefix}${String(milliseconds).padStart(3, "0")}Z`;
  };
}

/**
 * The maximum size in bytes of the log lines in memory that wait for a reader. The maximum size is sufficient
 * for the log lines of about 20,000 requests. If the lines in memory exceed this size, the log drops further
 * lines.
 */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The time for which a log line waits for more log lines. Lines are written in batches, because a separate
 * write for each line would take longer than all other operations of the log.
 */
const BATCH_MS = 10;

/** The maximum length of a batch of log lines. */
const BATCH_LENGTH_MAX = 16_384;

/**
 * The maximum length of a batch of log lines in a worker. Linux writes at most `PIPE_BUF` (4096) bytes to a
 * pipe atomically, so lines of different workers never mix.
 */
const SHARED_BATCH_LENGTH_MAX = 4_096;

/** The maximum time for which a process that exits retries the write of the last lines to a full pipe. */
const FLUSH_WITHIN_MS = 300;

/**
 * Returns an output that writes the lines of the log to the file descriptor `fd` in batches. A batch is
 * written every few milliseconds, after an error, and at the end of the process. A pipe without a reader does
 * not block the server, because lines that do not fit into the buffer are dropped. When the pipe is read
 * again, the log reports the number of dropped lines.
 */
export function openOutput(
  fd: number,
  unreadBytesMax = UNREAD_BYTES_MAX,
): Required<Output> & Readonly<{ flushSync: () => void }> {
  let flushEndsAt = Number.POSITIVE_INFINITY;
  const batchLengthMax = currentWorker() === null ? BATCH_LENGTH_MAX : SHARED_BATCH_LENGTH_MAX;
  const output = pino.destination({
    dest: fd,
    maxLength: unreadBytesMax,
    maxWrite: batchLengthMax,
    retryEAGAIN: () => performance.now() < flushEndsAt,
  });

  let batch = "";
  let dropped = 0;
  const flush = (): void => {
    if (batch === "") return;
    const lines = batch;
    batch = "";
    output.write(lines);
  };
  output.on("drop", (lines: string) => {
    dropped += lines.split("\n").length - 1;
  });
  output.on("drain", () => {
    if (dropped === 0) return;
    const line = { level: 40, time: new Date().toISOString(), event: "log.dropped", lines: dropped };
    dropped = 0;
    output.write(`${JSON.stringify(line)}\n`);
  });

  const flushSync = output.flushSync.bind(output);
  // The logging library calls `flushSync` at the end of the process.
  output.flushSync = () => {
    flushEndsAt = performance.now() + FLUSH_WITHIN_MS;
    try {
      flush();
      flushSync();
    } catch {
      // No process reads the pipe, so the remaining lines are lost when this process ends.
    } finally {
      flushEndsAt = Number.POSITIVE_INFINITY;
    }
  };

  return {
    write: (line) => {
      if (batch.length + line.length > batchLengthMax) flush();
      if (dropped > 0) {
        dropped += 1;
        return;
      }
      if (batch === "") setTimeout(flush, BATCH_MS);
      batch += line;
    },
    flush,
    flushSync: () => output.flushSync(),
  };
}

/**
 * Returns the members of a log line: the facts without secrets and, if an error was thrown, the loggable part
 * of the error.
 */
export const lineOf = (facts: Facts, cause: unknown): Readonly<Record<string, unknown>> =>
  cause === undefined
    ? withoutSecrets(facts)
    : Object.assign({}, withoutSecrets(facts), loggableError(cause));

/**
 * Redacts the values of fields with secret names. The filter is handwritten, because the redaction of the
 * library takes a tenth of the time of a request.
 */
function withoutSecrets(facts: Facts): Facts {
  for (const name in facts)
    if (SECRET_NAMES.has(name))
      return Object.fromEntries(
        Object.entries(facts).map(([key, value]) => [key, SECRET_NAMES.has(key) ? REDACTED : value]),
      ) as Facts;
  return facts;
}

/** Matches Gatehouse tokens (see `TOKEN_PREFIXES`) and signed JSON Web Tokens, anywhere in a text. */
const TOKEN_LIKE = /gh[a-z]{2}_[\w-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]*)*/g;

/** Returns `text` with every part that looks like a token redacted. */
export const withoutTokens = (text: string): string => text.replace(TOKEN_LIKE, REDACTED);

export const REDACTED = "[redacted]";
const REASON_CHARACTERS_MAX = 300;
const FRAMES_MAX = 10;

/**
 * Returns the loggable part of an unexpected error: its class, its location, the last line of its message, and the
 * last line of the message of its cause. Lines before the last line can contain the values of a query, because
 * database libraries repeat the values in their messages.
 */
function loggableError(cause: unknown): Readonly<Record<string, unknown>> {
  if (!(cause instanceof Error)) return { error: typeof cause };
  const frames = (cause.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: cause.name,
    reason: lastLine(cause),
    ...(cause.cause instanceof Error ? { because: lastLine(cause.cause) } : {}),
    at: frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
  };
}

const lastLine = ({ message }: Error): string =>
  withoutTokens(message.trimEnd().split("\n").at(-1) ?? "").slice(0, REASON_CHARACTERS_MAX);
