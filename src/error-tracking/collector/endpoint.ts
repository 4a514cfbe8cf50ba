import type { CollectorKey } from "@/error-tracking/settings/service";
import { readEventId } from "@/error-tracking/tracked-errors/event";
import type { IngestLimits } from "@/error-tracking/tracked-errors/recorded-events";
import { type Drop, ingest } from "@/error-tracking/tracked-errors/service";
import { readSettings } from "@/instance/settings/service";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { authorizeKey, keyOf } from "./client-key";
import { type Body, type BodyLimits, openBody, readInflatedBody } from "./content-encoding";
import { DROPPED_RATE_LIMITS } from "./item-types";
import { consumeQuota } from "./quota";
import { CollectorRefusal, noProject, overQuota, unknownType } from "./refusals";
import type { ReadReport, Report } from "./reports";

/** Web pages of any origin may send error reports, without cookies (CORS). */
const HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After",
  "cache-control": "no-store",
} as const;

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;

/** An authorized client key, with its quota of events per minute and its other limits. */
type Sender = Readonly<{ key: CollectorKey; quota: number; limits: IngestLimits }>;

/**
 * Creates an endpoint that receives error reports from SDKs. The endpoint authenticates the client key and
 * reads the body. After the transaction that stores the events is committed, the endpoint responds with 200
 * and the event ID.
 * @param read parses the body into a report.
 * @param open reads the complete request body, or opens a large request body for reading in chunks.
 */
export function collectorEndpoint(
  read: ReadReport,
  open: (request: Request) => Promise<Body> = openBody,
): (request: Request, context: Context) => Promise<Response> {
  return async (request, context) => {
    const deps = systemDeps();
    const { id } = await context.params;
    let sender: Sender | null = null;
    try {
      const key = keyOf(request);
      if (key !== null) sender = await authorize(deps, key, String(id));
      const report = await read(await readReported(deps, sender, request, open), async (named) => {
        sender ??= await authorize(deps, named, String(id));
      });
      sender ??= await authorize(deps, report.key, String(id));
      return await acceptReport(deps, sender, report);
    } catch (cause) {
      return await refuse(deps, request, sender, cause);
    }
  };
}

/** Responds to a CORS preflight request. SDKs that send the client key in a header cause preflight requests. */
export const collectorPreflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers":
        "X-Sentry-Auth, Authorization, Content-Type, Content-Encoding, sentry-trace, baggage",
      "access-control-max-age": "7200",
    },
  });

async function authorize(deps: Deps, key: string | null, projectId: string): Promise<Sender> {
  const [row, settings] = await Promise.all([authorizeKey(deps, key, projectId), readSettings(deps)]);
  const limits = {
    keyId: row.keyId,
    newErrorsPerHour: settings.new_errors_per_hour,
    storedBytesMax: settings.error_bytes_per_project,
  };
  return { key: row, quota: settings.error_events_per_minute, limits };
}

/**
 * The size limits of the request body if the client key has exceeded its quota. Request bodies that exceed
 * these limits are rejected before they are decompressed and parsed. Client reports and other items that are
 * still counted are far smaller than these limits.
 */
const OVER_QUOTA_LIMITS: BodyLimits = { wireBytes: 65_536, bytes: 262_144 };

/**
 * The media types that SDKs and command-line tools send for envelopes and JSON. SDKs in most browsers send
 * `text/plain`.
 */
const TYPES: readonly string[] = [
  "application/x-sentry-envelope",
  "application/json",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "text/plain",
];

/**
 * Refuses a body whose Content-Type is not in `TYPES`. A body without a Content-Type is accepted. A client must
 * declare compression in `Content-Encoding`, not in `Content-Type`.
 */
function requireType(request: Request): void {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type !== "" && !TYPES.includes(type.trim().toLowerCase())) throw unknownType();
}

/**
 * Reads and parses the body of a request. If only the body contains the client key, the quota of the key is
 * unknown at first, so the usual limits apply to the body.
 */
async function readReported(
  deps: Deps,
  sender: Sender | null,
  request: Request,
  open: (request: Request) => Promise<Body>,
): Promise<Body> {
  requireType(request);
  const seconds = sender === null ? null : secondsToWait(deps, sender, 0);
  if (sender === null || seconds === null) return open(request);
  try {
    return { kind: "whole", bytes: await readInflatedBody(request, OVER_QUOTA_LIMITS) };
  } catch (cause) {
    if (!(cause instanceof CollectorRefusal) || cause.outcome !== "too_large") throw cause;
    // The number of events in a body that was not read is unknown, so one event is counted.
    await countLost(deps, sender.key, [lostErrors("quota", 1)]);
    throw overQuota(seconds);
  }
}

const secondsToWait = (deps: Deps, { key, quota }: Sender, events: number): number | null =>
  consumeQuota(key.keyId, events, quota, deps.clock());

const lostErrors = (outcome: string, count: number): Drop => ({ outcome, category: "error", count });

const countLost = (deps: Deps, { projectId }: CollectorKey, dropped: readonly Drop[]) =>
  ingest(deps, { id: projectId }, { events: [], dropped });

/**
 * Stores the events of a report, and counts the dropped items. Only events count toward the quota of a client
 * key. Dropped items are counted even if the events of the request are rejected.
 */
async function acceptReport(deps: Deps, sender: Sender, report: Report): Promise<Response> {
  const { eventId, events, dropped, refusal } = report;
  if (refusal !== null) {
    await countLost(deps, sender.key, dropped);
    throw refusal;
  }
  const seconds = events.length > 0 ? secondsToWait(deps, sender, events.length) : null;
  if (seconds !== null) {
    await countLost(deps, sender.key, [...dropped, lostErrors("quota", events.length)]);
    throw overQuota(seconds);
  }
  const newId = (): string => Buffer.from(deps.randomBytes(16)).toString("hex");
  const sentEvents = events.map((body, at) => ({
    eventId: readEventId(body["event_id"]) ?? (at === 0 ? eventId : null) ?? newId(),
    body,
  }));
  const { key, limits } = sender;
  if (!(await ingest(deps, { id: key.projectId }, { events: sentEvents, dropped, limits })))
    throw noProject();
  const headers = { "x-sentry-rate-limits": DROPPED_RATE_LIMITS, ...HEADERS };
  return jsonResponse({ id: sentEvents[0]?.eventId ?? eventId ?? newId() }, { headers });
}

async function refuse(
  deps: Deps,
  request: Request,
  sender: Sender | null,
  cause: unknown,
): Promise<Response> {
  const refusal = cause instanceof CollectorRefusal ? cause : failure(deps, request, cause);
  const { status, message, outcome, headers } = refusal;
  if (sender !== null && outcome !== null && outcome !== "quota")
    await Promise.resolve(countLost(deps, sender.key, [lostErrors(outcome, 1)])).catch(() => undefined);
  return jsonResponse(
    { detail: message },
    { status, headers: { ...HEADERS, ...headers, "x-sentry-error": message } },
  );
}

function failure(deps: Deps, request: Request, cause: unknown): CollectorRefusal {
  deps.log.error({ event: "collector.failed", request_id: requestIdOf(request) }, cause);
  return isUnavailable(cause)
    ? new CollectorRefusal(503, "The service is temporarily unavailable. Try again later.", null, {
        "retry-after": String(RETRY_AFTER_SECONDS),
      })
    : new CollectorRefusal(500, "The report could not be stored.");
}
