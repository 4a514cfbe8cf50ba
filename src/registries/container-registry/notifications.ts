import { digest, matches } from "@/kernel/crypto/token";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { systemDeps } from "@/kernel/deps/deps";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { envelope, parseJson } from "./schema";
import { recordImageEvents } from "./service";

/** A registry sends events of a few hundred bytes, usually one per request; after an outage it may send more. */
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Handles `POST /-/registry/notifications`, the event notifications of the registry. The registry authenticates with the
 * configured token in `Authorization`, with or without `Bearer`. It retries after any status other than 2xx.
 */
export async function handleNotifications(request: Request): Promise<Response> {
  const deps = systemDeps();
  const { registry } = deps.config;
  if (registry === null) return answer(404, "404 Container registry is not enabled on this instance");
  const shown = (request.headers.get("authorization") ?? "").replace(/^bearer +/i, "");
  if (!matches(shown, digest(registry.notificationToken))) return answer(401, "401 Unauthorized");
  try {
    const body = Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8");
    const read = envelope.safeParse(parseJson(body));
    if (!read.success) return answer(400, "400 Bad request - not an envelope of events");
    await recordImageEvents(deps, read.data.events);
    return answer(200, "200 OK");
  } catch (cause) {
    if (cause instanceof BodyTooLarge) return answer(413, "413 Payload Too Large");
    deps.log.error({ event: "registry.notification_failed", request_id: requestIdOf(request) }, cause);
    return isUnavailable(cause)
      ? answer(503, "503 Service Unavailable", { "retry-after": String(RETRY_AFTER_SECONDS) })
      : answer(500, "500 Internal Server Error");
  }
}

const answer = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  jsonResponse({ message }, { status, headers: { "cache-control": "no-store", ...headers } });
