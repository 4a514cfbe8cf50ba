import pino from "pino";

/** One structured line: an event name in `event`, its facts beside it. Never a token, code, secret or cookie. */
export type Logger = Readonly<{
  info: (facts: Facts) => void;
  warn: (facts: Facts) => void;
  error: (facts: Facts) => void;
}>;

type Facts = Readonly<{ event: string } & Record<string, unknown>>;

/** Names that must never carry a value into the log, wherever they stand in a line. */
const SECRET_NAMES = [
  "access_token",
  "refresh_token",
  "code",
  "code_verifier",
  "client_secret",
  "password",
  "device_code",
  "authorization",
  "cookie",
];

/** JSON lines on standard output, from `level` up. */
export function openLog(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
  };
  const logger = destination ? pino(options, destination) : pino(options);
  return {
    info: (facts) => logger.info(facts),
    warn: (facts) => logger.warn(facts),
    error: (facts) => logger.error(facts),
  };
}
