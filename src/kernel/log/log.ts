import pino from "pino";

/** One structured line: an event name in `event`, its facts beside it. Never a token, code, secret or cookie. */
export type Logger = Readonly<{ info: Write; warn: Write; error: Write }>;

/** `cause` is what was thrown: of that the line has what `loggableError` leaves, and nobody writes it as text. */
type Write = (facts: Facts, cause?: unknown) => void;

/** Flat, so that no name can hide inside another. */
type Facts = Readonly<{ event: string } & Record<string, string | number | boolean | null | undefined>>;

/** Names that never carry a value into the log, whoever writes the line. */
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

/** Where lines go. `flush` hands over those that wait to be written together. */
type Output = pino.DestinationStream & Readonly<{ flush?: () => void }>;

/** JSON lines on standard output, from `level` up. */
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

/** The time of a line. The part that lines of the same second have in common is formatted once. */
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

/** How much of the log waits in memory for a reader; further lines are dropped. About 20,000 requests. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/** How long a line waits for others: a write of its own for each takes longer than all else that a log costs. */
const BATCH_MS = 10;

/** A batch of this length does not wait. */
const BATCH_LENGTH_MAX = 16_384;

/** How long the process waits at its end for a reader of the log. */
const FLUSH_WITHIN_MS = 300;

/**
 * Opens `fd` for the lines of the log, which are written in batches: every few milliseconds, after an error, and at the
 * end of the process. A pipe that nobody reads neither stops the process, nor fills its memory, nor keeps it from ending:
 * lines that do not fit are dropped until it is read again, and then the log reports their number.
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

/** What the log writes of these facts. */
export const lineOf = (facts: Facts, cause: unknown): Readonly<Record<string, unknown>> =>
  cause === undefined
    ? withoutSecrets(facts)
    : Object.assign({}, withoutSecrets(facts), loggableError(cause));

/** By hand: the library's own redaction costs a tenth of a request's time. */
function withoutSecrets(facts: Facts): Facts {
  for (const name in facts)
    if (SECRET_NAMES.has(name))
      return Object.fromEntries(
        Object.entries(facts).map(([key, value]) => [key, SECRET_NAMES.has(key) ? REDACTED : value]),
      ) as Facts;
  return facts;
}

/** Our own tokens (see `TOKEN_PREFIXES`) and signed JSON tokens, wherever they stand in a text. */
const TOKEN_LIKE = /gh[a-z]{2}_[\w-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]*)*/g;

/** `text` with everything in it that looks like a token made unreadable. */
export const withoutTokens = (text: string): string => text.replace(TOKEN_LIKE, REDACTED);

export const REDACTED = "[redacted]";
const REASON_CHARACTERS_MAX = 300;
const FRAMES_MAX = 10;

/**
 * What the log may keep of an unexpected error: its kind, where it happened, and the last line of its message and of
 * its cause's. The lines before it are where a database library repeats the values of the query.
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
