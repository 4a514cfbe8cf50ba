import type { EventPayload, ReportedEvent } from "./event";

/**
 * A project to which events are reported. Functions that return tracked errors accept only an `AuthorizedProject`,
 * because the caller must have checked the access to the project.
 */
export type ProjectId = Readonly<{ id: number }>;

/** The minimum role to read tracked errors on the pages and in the API. */
export const LEAST_TO_READ = "reporter";

/** The minimum role to change the status of tracked errors on the pages and in the API. */
export const LEAST_TO_CHANGE_STATUS = "developer";

export const STATUSES = ["unresolved", "resolved", "ignored"] as const;
export type ErrorStatus = (typeof STATUSES)[number];

/** The sort order `frequency` is an alias of `count`. */
export const SORTS = ["last_seen", "first_seen", "count", "frequency"] as const;
export type ErrorSort = (typeof SORTS)[number];

/**
 * The maximum age of an event (`LATE_MS`), and how far the time of an event may be in the future
 * (`EARLY_MS`). The clock of the sender may be fast.
 */
const LATE_MS = 30 * 86_400_000;
const EARLY_MS = 60_000;

/** Returns the time of an event: the time from the sender if it is plausible, otherwise the time of receipt. */
export function occurredAt({ at }: ReportedEvent, receivedAt: Date): Date {
  if (at === null) return receivedAt;
  const waited = receivedAt.getTime() - at.getTime();
  return waited > LATE_MS || waited < -EARLY_MS ? receivedAt : at;
}

/**
 * Returns the name of a tracked error: the name of its exception, or the beginning of its message if there is
 * no exception.
 */
export function titleOf({ payload, template }: ReportedEvent): {
  name: string;
  message: string;
  culprit: string;
} {
  const raised = payload.exceptions.at(-1);
  const message = raised?.value || payload.message;
  const name = raised?.type || firstLine(raised?.value || payload.message || template) || "Unknown error";
  return { name, message, culprit: payload.transaction || placeOf(payload) };
}

const firstLine = (message: string): string => message.split("\n", 1)[0]?.slice(0, 120) ?? "";

/**
 * Returns the function and the module or file of the innermost stack frame of the application. If no stack
 * frame belongs to the application, the innermost stack frame is used.
 */
function placeOf({ exceptions }: EventPayload): string {
  const frames = exceptions.at(-1)?.frames ?? [];
  const frame = frames.findLast(({ inApp }) => inApp) ?? frames.at(-1);
  if (frame === undefined) return "";
  const where = frame.module || frame.file;
  return frame.function === "" ? where : `${frame.function} (${where})`;
}

/**
 * Returns the lower-case text that the search in the list of tracked errors compares with the search words.
 */
export const searchTextOf = ({
  name,
  message,
  culprit,
}: Readonly<{ name: string; message: string; culprit: string }>): string =>
  `${name}\n${message}\n${culprit}`.toLowerCase().slice(0, 1500);

/**
 * The maximum length of an event payload. Most payloads are far shorter. If a payload is longer, its least
 * important parts are removed first.
 */
const PAYLOAD_LENGTH_MAX = 32_000;

/**
 * Returns a payload as JSON. If the JSON would be longer than the maximum, the function removes parts of the
 * payload.
 */
export function storedPayload(payload: EventPayload): string {
  for (const shorten of SHORTER) {
    const json = JSON.stringify(shorten(payload));
    if (json.length <= PAYLOAD_LENGTH_MAX) return json;
  }
  return JSON.stringify(SHORTER.at(-1)?.(payload));
}

const withoutContext = ({ exceptions, ...payload }: EventPayload): EventPayload => ({
  ...payload,
  exceptions: exceptions.map((exception) => ({
    ...exception,
    frames: exception.frames.map(({ context: _, ...frame }) => frame),
  })),
});

const SHORTER: readonly ((payload: EventPayload) => EventPayload)[] = [
  (payload) => payload,
  (payload) => ({ ...payload, breadcrumbs: [] }),
  (payload) => withoutContext({ ...payload, breadcrumbs: [] }),
  ({ exceptions, ...payload }) =>
    withoutContext({
      ...payload,
      breadcrumbs: [],
      tags: [],
      request: null,
      exceptions: exceptions
        .slice(-1)
        .map((exception) => ({ ...exception, frames: exception.frames.slice(-20) })),
    }),
];

export const NO_PAYLOAD: EventPayload = {
  exceptions: [],
  message: "",
  transaction: "",
  serverName: "",
  logger: "",
  breadcrumbs: [],
  tags: [],
  request: null,
  user: null,
  contexts: {},
  sdk: null,
};

export const RANGES = ["24h", "14d"] as const;
export type Range = (typeof RANGES)[number];

const HOUR_MS = 3_600_000;
const SPANS = { "24h": { count: 24, ms: HOUR_MS }, "14d": { count: 14, ms: 24 * HOUR_MS } } as const;

/**
 * Returns the hours or days of a time range, oldest first. The last element is the current hour or day. Days
 * begin at midnight in UTC.
 */
export function spansOf(range: Range, now: Date): readonly Readonly<{ from: Date; until: Date }>[] {
  const { count, ms } = SPANS[range];
  const last = Math.floor(now.getTime() / ms) * ms;
  return Array.from({ length: count }, (_, at) => {
    const from = last - (count - 1 - at) * ms;
    return { from: new Date(from), until: new Date(from + ms) };
  });
}
