import { z } from "zod";
import { LEVELS } from "@/error-tracking/tracked-errors/event";
import { STATUSES } from "@/error-tracking/tracked-errors/rules";
import type {
  ErrorDetails,
  Facet,
  Point,
  StoredEvent,
  TrackedError,
} from "@/error-tracking/tracked-errors/service";
import { defineEntity, moment } from "@/http-api/entity";
import type { AuthorizedProject } from "@/workspace/projects/rules";

const fields = {
  id: z.int(),
  name: z.string(),
  message: z.string(),
  culprit: z.string(),
  platform: z.string(),
  level: z.enum(LEVELS),
  status: z.enum(STATUSES),
  count: z.int(),
  user_count: z.int(),
  first_seen: moment,
  last_seen: moment,
  web_url: z.url(),
};

/** The response for a tracked error with its project. */
export type ErrorOf<Details extends TrackedError> = Readonly<{ project: AuthorizedProject; error: Details }>;

const errorOf = ({ project, error }: ErrorOf<TrackedError>, issuer: string) => ({
  id: error.id,
  name: error.name,
  message: error.message,
  culprit: error.culprit,
  platform: error.platform,
  level: error.level,
  status: error.status,
  count: error.eventCount,
  user_count: error.userCount,
  first_seen: error.firstSeenAt.toISOString(),
  last_seen: error.lastSeenAt.toISOString(),
  web_url: `${issuer}/projects/${project.id}/errors/${error.id}`,
});

/** The entry for a tracked error in a list. */
export const trackedError = defineEntity("error", fields, (input: ErrorOf<TrackedError>, { config }) =>
  errorOf(input, config.issuer),
);

const facets = z.array(
  z.object({ value: z.string(), count: z.int(), first_seen: moment, last_seen: moment }),
);
const facetsOf = (entries: readonly Facet[]) =>
  entries.map(({ value, eventCount, firstSeenAt, lastSeenAt }) => ({
    value,
    count: eventCount,
    first_seen: firstSeenAt.toISOString(),
    last_seen: lastSeenAt.toISOString(),
  }));

/** The response for a tracked error with its environments, releases, and hourly counts of the last 24 hours. */
export const trackedErrorDetails = defineEntity(
  "error_details",
  {
    ...fields,
    environments: facets,
    releases: facets,
    frequency: z.array(z.object({ from: moment, count: z.int() })),
  },
  (input: ErrorOf<ErrorDetails> & Readonly<{ frequency: readonly Point[] }>, { config }) => ({
    ...errorOf(input, config.issuer),
    environments: facetsOf(input.error.environments),
    releases: facetsOf(input.error.releases),
    frequency: input.frequency.map(({ from, count }) => ({ from: from.toISOString(), count })),
  }),
);

const nameAndVersion = z.object({ name: z.string(), version: z.string() });
const pairs = z.array(z.object({ key: z.string(), value: z.string() }));
const pairsOf = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([key, value]) => ({ key, value }));

/** The response for an event of a tracked error. The response omits secrets and fields that no page shows. */
export const errorEvent = defineEntity(
  "error_event",
  {
    event_id: z.string(),
    occurred_at: moment,
    received_at: moment,
    level: z.enum(LEVELS),
    environment: z.string(),
    release: z.string(),
    message: z.string(),
    transaction: z.string(),
    server_name: z.string(),
    logger: z.string(),
    exceptions: z.array(
      z.object({
        type: z.string(),
        value: z.string(),
        module: z.string(),
        handled: z.boolean().nullable(),
        frames: z.array(
          z.object({
            function: z.string(),
            module: z.string(),
            filename: z.string(),
            lineno: z.int().nullable(),
            colno: z.int().nullable(),
            in_app: z.boolean(),
            context_line: z.string().nullable(),
            pre_context: z.array(z.string()),
            post_context: z.array(z.string()),
          }),
        ),
      }),
    ),
    breadcrumbs: z.array(
      z.object({
        timestamp: moment.nullable(),
        category: z.string(),
        level: z.string(),
        message: z.string(),
        data: pairs,
      }),
    ),
    tags: pairs,
    request: z
      .object({ method: z.string(), url: z.string(), query_string: z.string(), headers: pairs })
      .nullable(),
    contexts: z.record(z.string(), nameAndVersion),
    sdk: nameAndVersion.nullable(),
  },
  ({ payload, ...event }: StoredEvent) => ({
    event_id: event.eventId,
    occurred_at: event.occurredAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
    level: event.level,
    environment: event.environment,
    release: event.release,
    message: payload.message,
    transaction: payload.transaction,
    server_name: payload.serverName,
    logger: payload.logger,
    exceptions: payload.exceptions.map(exceptionOf),
    breadcrumbs: payload.breadcrumbs.map(({ at, kind, level, message, data }) => ({
      timestamp: at === null ? null : new Date(at).toISOString(),
      category: kind,
      level,
      message,
      data: pairsOf(data),
    })),
    tags: pairsOf(payload.tags),
    request: payload.request && {
      method: payload.request.method,
      url: payload.request.url,
      query_string: payload.request.query,
      headers: pairsOf(payload.request.headers),
    },
    contexts: { ...payload.contexts },
    sdk: payload.sdk,
  }),
);

type Exception = StoredEvent["payload"]["exceptions"][number];

const exceptionOf = ({ type, value, module, handled, frames }: Exception) => ({
  type,
  value,
  module,
  handled,
  frames: frames.map((frame) => ({
    function: frame.function,
    module: frame.module,
    filename: frame.file,
    lineno: frame.line,
    colno: frame.column,
    in_app: frame.inApp,
    context_line: frame.context?.line ?? null,
    pre_context: [...(frame.context?.before ?? [])],
    post_context: [...(frame.context?.after ?? [])],
  })),
});
