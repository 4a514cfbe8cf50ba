import { type Breadcrumb, readBreadcrumbs } from "./breadcrumb";
import { readMessage } from "./reported-message";
import { FILTERED, isSecretName, isShownHeader, queryWithoutSecrets, withoutSecrets } from "./secrets";
import { type Frame, readFrames } from "./stack-trace";
import { readTime } from "./time";
import { list, pairs, record, text } from "./untrusted";

export const LEVELS = ["fatal", "error", "warning", "info", "debug"] as const;
export type Level = (typeof LEVELS)[number];

export type ReportedException = Readonly<{
  type: string;
  value: string;
  module: string;
  /** Whether the program caught the exception; null if the SDK sends no value. */
  handled: boolean | null;
  frames: readonly Frame[];
}>;

type SdkIdentity = Readonly<{ name: string; version: string }>;

/** The part of an event that the server stores and the pages show. */
export type EventPayload = Readonly<{
  /** The last exception of the list was raised last; earlier exceptions in the list are its causes. */
  exceptions: readonly ReportedException[];
  message: string;
  transaction: string;
  serverName: string;
  logger: string;
  breadcrumbs: readonly Breadcrumb[];
  tags: readonly (readonly [string, string])[];
  request: Readonly<{
    method: string;
    url: string;
    query: string;
    headers: readonly (readonly [string, string])[];
  }> | null;
  user: Readonly<{ id: string; username: string }> | null;
  contexts: Readonly<{
    os?: SdkIdentity;
    browser?: SdkIdentity;
    runtime?: SdkIdentity;
    device?: SdkIdentity;
  }>;
  sdk: SdkIdentity | null;
}>;

/** An event after parsing. */
export type ReportedEvent = Readonly<{
  /** The event ID as 32 hexadecimal digits; null if the event has no valid ID. */
  eventId: string | null;
  at: Date | null;
  level: Level;
  platform: string;
  environment: string;
  release: string;
  /**
   * The fingerprint that the program set. Events with the same fingerprint belong to the same tracked error.
   */
  fingerprint: readonly string[];
  /**
   * The message template, without the values of its parameters. The message template is the same for all
   * events that one log statement reports.
   */
  template: string;
  /** A value that identifies the affected user; null if the event names no user. */
  user: string | null;
  payload: EventPayload;
}>;

const EXCEPTIONS_MAX = 6;
const TAGS_MAX = 30;
const HEADERS_MAX = 30;

/**
 * Parses an untrusted event. Any field may be missing or have the wrong type. Only the values that the pages
 * show are retained, up to a maximum depth, length and number. Values that look like secrets are removed.
 * @param event the parsed JSON object.
 */
export function readEvent(event: Readonly<Record<string, unknown>>): ReportedEvent {
  const { template, message } = readMessage(event);
  return {
    eventId: readEventId(event["event_id"]),
    at: readTime(event["timestamp"]),
    level: LEVELS.find((level) => level === event["level"]) ?? "error",
    platform: text(event["platform"], 60),
    environment: text(event["environment"], 100),
    release: text(event["release"], 200),
    fingerprint: Array.isArray(event["fingerprint"])
      ? event["fingerprint"].slice(0, 20).map((part) => text(part, 300))
      : [],
    template,
    user: userOf(record(event["user"])),
    payload: {
      exceptions: list(event["exception"])
        .slice(-EXCEPTIONS_MAX)
        .map((exception) => readException(record(exception))),
      message,
      transaction: withoutSecrets(text(event["transaction"], 300)),
      serverName: text(event["server_name"], 200),
      logger: text(event["logger"], 100),
      breadcrumbs: readBreadcrumbs(event["breadcrumbs"]),
      tags: shownPairs(event["tags"], TAGS_MAX, isSecretName),
      request: readRequest(record(event["request"])),
      user: readUser(record(event["user"])),
      contexts: readContexts(record(event["contexts"])),
      sdk: readNameAndVersion(event["sdk"]),
    },
  };
}

/** Normalizes an event ID to 32 hexadecimal digits without dashes. The result is null for an invalid ID. */
export function readEventId(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 36) return null;
  const id = value.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

function readException(exception: Readonly<Record<string, unknown>>): ReportedException {
  const { handled } = record(exception["mechanism"]);
  return {
    type: text(exception["type"], 200),
    value: withoutSecrets(text(exception["value"], 1000)),
    module: text(exception["module"], 200),
    handled: typeof handled === "boolean" ? handled : null,
    frames: readFrames(exception["stacktrace"]),
  };
}

/** Returns name-value pairs for display. A placeholder replaces secret values. */
const shownPairs = (
  value: unknown,
  most: number,
  isSecret: (name: string) => boolean,
): readonly (readonly [string, string])[] =>
  pairs(value, most).flatMap(([name, of]) => {
    const shown = isSecret(name) ? FILTERED : withoutSecrets(text(of, 200));
    return shown === "" ? [] : [[text(name, 100), shown] as const];
  });

function readRequest(request: Readonly<Record<string, unknown>>): EventPayload["request"] {
  const url = withoutSecrets(text(request["url"], 1000));
  const method = text(request["method"], 20);
  const headers = pairs(request["headers"], HEADERS_MAX).filter(([name]) => isShownHeader(name));
  if (url === "" && method === "" && headers.length === 0) return null;
  const queryString = request["query_string"];
  const query =
    typeof queryString === "string"
      ? queryString.replace(/^\?/, "")
      : pairs(queryString, HEADERS_MAX)
          .map(([name, value]) => `${name}=${text(value, 200)}`)
          .join("&");
  return {
    method,
    url,
    query: queryWithoutSecrets(text(query, 1000)),
    headers: headers.map(([name, value]) => [text(name, 100), withoutSecrets(text(value, 300))]),
  };
}

/**
 * Returns the id and the username of the affected user, which a page shows. The e-mail address and the IP
 * address of a user are used only to count users (`userOf`).
 */
function readUser(user: Readonly<Record<string, unknown>>): EventPayload["user"] {
  const [id, username] = [text(user["id"], 100), text(user["username"], 100)];
  return id === "" && username === "" ? null : { id, username };
}

function userOf(user: Readonly<Record<string, unknown>>): string | null {
  for (const name of ["id", "username", "email", "ip_address"]) {
    const value = text(user[name], 300);
    if (value !== "" && value !== "{{auto}}") return `${name}:${value}`;
  }
  return null;
}

function readContexts(contexts: Readonly<Record<string, unknown>>): EventPayload["contexts"] {
  const identities: Record<string, SdkIdentity> = {};
  for (const name of ["os", "browser", "runtime", "device"] as const) {
    const context = readNameAndVersion(contexts[name]);
    if (context !== null) identities[name] = context;
  }
  return identities;
}

function readNameAndVersion(value: unknown): SdkIdentity | null {
  const { name, version, model } = record(value);
  const shown = text(name ?? model, 100);
  return shown === "" ? null : { name: shown, version: text(version, 100) };
}
