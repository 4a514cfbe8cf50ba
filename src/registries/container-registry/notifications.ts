import { digest, matches } from "@/kernel/crypto/token";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { systemDeps } from "@/kernel/deps/deps";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { envelope, parseJson } from "./schema";
import { recordImageEvents } from "./service";

/**
 * The maximum size of a notification. Most notifications contain one event of a few hundred bytes. After an outage, a
 * notification can contain many events.
 */
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Handles `POST /-/registry/notifications`, the endpoint for event notifications of the registry. The
 * registry authenticates with the configured token in the header `Authorization`, with or without the prefix
 * `Bearer`. If the response status is not 2xx, the registry sends the notification again.
 */
export async function handleNotifications(request: Request): Promise<Response> {
  const deps = systemDeps();
  const { registry } = deps.config;
  if (registry === null) return respond(404, "404 Container registry is not enabled on this instance");
  const shown = (request.headers.get("authorization") ?? "").replace(/^bearer +/i, "");
  if (!matches(shown, digest(registry.notificationToken))) return respond(401, "401 Unauthorized");
  try {
    const body = Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8");
    const read = envelope.safeParse(parseJson(body));
    if (!read.success) return respond(400, "400 Bad request - not an envelope of events");
    await recordImageEvents(deps, read.data.events);
    return respond(200, "200 OK");
  } catch (cause) {
    if (cause instanceof BodyTooLarge) return respond(413, "413 Payload Too Large");
    deps.log.error({ event: "registry.notification_failed", request_id: requestIdOf(request) }, cause);
    return isUnavailable(cause)
      ? respond(503, "503 Service Unavailable", { "retry-after": String(RETRY_AFTER_SECONDS) })
      : respond(500, "500 Internal Server Error");
  }
}

const respond = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  jsonResponse({ message }, { status, headers: { "cache-control": "no-store", ...headers } });
