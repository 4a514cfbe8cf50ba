import pino from "pino";

/**
 * A structured line: an event name in `event`, and its facts as further members. Never a token, code, secret
 * or cookie.
 */
export type Logger = Readonly<{ info: Write; warn: Write; error: Write }>;

/**
 * `cause` is the thrown value. The line contains what `loggableError` returns for it; callers never format
 * it as text.
 */
type Write = (facts: Facts, cause?: unknown) => void;

/** Flat, so that no name can be hidden in a nested object. */
type Facts = Readonly<{ event: string } & Record<string, string | number | boolean | null | undefined>>;

/** Names whose values are never logged. */
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

/** The destination of lines. `flush` writes the lines that wait for a batch. */
type Output = pino.DestinationStream & Readonly<{ flush?: () => void }>;

/** Opens a log of JSON lines on standard output, from `level` up. */
export function openLog(level: string, output: Output = openOutput(process.stdout.fd)): Logger {
  const options: pino.LoggerOptions = { level, base: null, timestamp: isoTimes() };
  const logger = pino(options, output);
  return {
    info: (facts, cause) => logger.info(lineOf(facts, cause)),
    warn: (facts, cause) => logger.warn(lineOf(facts, cause)),
    error: (facts, cause) => {
      logger.error(lineOf(facts, cause));
      output.flush?.();
    },
  };
}

/** Returns the time of a line. The part that lines of the same second share is formatted once. */
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
    return `,"time":"${prefix}${String(milliseconds).padStart(3, "0")}Z"`;
  };
}

/**
 * The log lines in memory that wait for a reader, in bytes: about 20,000 requests. Further lines are
 * dropped.
 */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/**
 * How long a line waits for others: one write for each line would take longer than all other work of the
 * log.
 */
const BATCH_MS = 10;

/** A batch of this length is written immediately. */
const BATCH_LENGTH_MAX = 16_384;

/** How long the process, at its end, retries to write the last lines to a pipe that is full. */
const FLUSH_WITHIN_MS = 300;

/**
 * Opens `fd` for the lines of the log, which are written in batches: every few milliseconds, after an error,
 * and at the end of the process. A pipe that nobody reads neither blocks the process, nor fills its memory,
 * nor keeps it from ending: lines that do not fit are dropped until the pipe is read again, and then the log
 * reports their number.
 */
export function openOutput(
  fd: number,
  unreadBytesMax = UNREAD_BYTES_MAX,
): Required<Output> & Readonly<{ flushSync: () => void }> {
  let flushEndsAt = Number.POSITIVE_INFINITY;
  const output = pino.destination({
    dest: fd,
    maxLength: unreadBytesMax,
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
  // The library calls it at the end of the process.
  output.flushSync = () => {
    flushEndsAt = performance.now() + FLUSH_WITHIN_MS;
    try {
      flush();
      flushSync();
    } catch {
      // The process ends: the rest of its log has no reader.
    } finally {
      flushEndsAt = Number.POSITIVE_INFINITY;
    }
  };

  return {
    write: (line) => {
      if (dropped > 0) {
        dropped += 1;
        return;
      }
      if (batch === "") setTimeout(flush, BATCH_MS);
      batch += line;
      if (batch.length >= BATCH_LENGTH_MAX) flush();
    },
    flush,
    flushSync: () => output.flushSync(),
  };
}

/** Returns the members of the log line for these facts. */
export const lineOf = (facts: Facts, cause: unknown): Readonly<Record<string, unknown>> =>
  cause === undefined
    ? withoutSecrets(facts)
    : Object.assign({}, withoutSecrets(facts), loggableError(cause));

/** Written by hand, because the library's own redaction takes a tenth of the time of a request. */
function withoutSecrets(facts: Facts): Facts {
  for (const name in facts)
    if (SECRET_NAMES.has(name))
      return Object.fromEntries(
        Object.entries(facts).map(([key, value]) => [key, SECRET_NAMES.has(key) ? REDACTED : value]),
      ) as Facts;
  return facts;
}

/** Our own tokens (see `TOKEN_PREFIXES`) and signed JSON tokens, anywhere in a text. */
const TOKEN_LIKE = /gh[a-z]{2}_[\w-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]*)*/g;

/** Returns `text` with every part that looks like a token redacted. */
export const withoutTokens = (text: string): string => text.replace(TOKEN_LIKE, REDACTED);

export const REDACTED = "[redacted]";
const REASON_CHARACTERS_MAX = 300;
const FRAMES_MAX = 10;

/**
 * Returns the loggable part of an unexpected error: its kind, its place, and the last line of its message
 * and of the message of its cause. In the lines before, a database library repeats the values of the query.
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
