import { type Breadcrumb, readBreadcrumbs } from "./breadcrumb";
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
  /** Whether the program caught it; null where the SDK does not say. */
  handled: boolean | null;
  frames: readonly Frame[];
}>;

type SdkIdentity = Readonly<{ name: string; version: string }>;

/** What is kept of an event to be shown. */
export type EventPayload = Readonly<{
  /** The one that was raised is the last; those before it are its causes. */
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

/** An event as it was read. */
export type ReportedEvent = Readonly<{
  /** 32 hexadecimal digits; null where it has none of this kind. */
  eventId: string | null;
  at: Date | null;
  level: Level;
  platform: string;
  environment: string;
  release: string;
  /** What the program itself says makes events one. */
  fingerprint: readonly string[];
  /** A message before anything was put into it: the same for all events of one place. */
  template: string;
  /** What tells one person from another, where the event says so. */
  user: string | null;
  payload: EventPayload;
}>;

const EXCEPTIONS_MAX = 6;
const TAGS_MAX = 30;
const HEADERS_MAX = 30;

/**
 * Reads an event that a stranger sent. Nothing in it is believed to be there or to be of its kind; nothing is deeper,
 * longer or more than what is shown; what looks like a secret is left out.
 * @param event what JSON made of it: an object.
 */
export function readEvent(event: Readonly<Record<string, unknown>>): ReportedEvent {
  const entry = record(event["logentry"] ?? event["message"]);
  const plain = withoutSecrets(text(event["message"], 1000));
  const template = withoutSecrets(text(entry["message"], 1000));
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
    template: template || plain,
    user: userOf(record(event["user"])),
    payload: {
      exceptions: list(event["exception"])
        .slice(-EXCEPTIONS_MAX)
        .map((exception) => readException(record(exception))),
      message: withoutSecrets(text(entry["formatted"], 1000)) || plain || template,
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

/** An event's id in the form in which it is kept: 32 hexadecimal digits, without dashes. Null for what is none. */
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

/** Names with values that can be shown, but for secret ones, of which the name remains. */
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
  const sent = request["query_string"];
  const query =
    typeof sent === "string"
      ? sent.replace(/^\?/, "")
      : pairs(sent, HEADERS_MAX)
          .map(([name, value]) => `${name}=${text(value, 200)}`)
          .join("&");
  return {
    method,
    url,
    query: queryWithoutSecrets(text(query, 1000)),
    headers: headers.map(([name, value]) => [text(name, 100), withoutSecrets(text(value, 300))]),
  };
}

/** An address and a place in the network count a person, but no page shows them. */
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
