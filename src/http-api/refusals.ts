import { isMissingRow, isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { recordFailedWrite, storageFailureOf } from "@/kernel/disk/storage";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { isObjectStorageFailure } from "@/kernel/objects/s3-client";
import {
  ApiError,
  cannotStore,
  noRoute,
  notFound,
  objectStorageUnavailable,
  tooLarge,
  versionIsGone,
} from "./errors";
import { PRIVATE } from "./responses";

/**
 * A failure that is not a defect of the server: the request is too large, or the server is busy. If the
 * server is busy, the same request may succeed later.
 */
export type Overload = "too_large" | "busy";

/**
 * Returns the kind of overload that caused the failure of a program, such as Git; null if the failure has
 * another cause.
 */
export type OverloadOf = (cause: unknown) => Overload | null;

/** Returns the response for a path of the API that no route handles, for any caller. */
export const unknownRoute = (): Response => refusal(noRoute());

/** Returns the response for the API version before v4, for any caller. */
export const goneVersion = (): Response => refusal(versionIsGone());

/** Converts every error that an endpoint throws into an error response. */
export function refuse(deps: Deps, request: Request, cause: unknown, overloadOf: OverloadOf): Response {
  const overload = overloadOf(cause);
  if (overload === "too_large") return refusal(tooLarge());
  const unstored = storageFailureOf(cause);
  if (unstored !== null) {
    recordFailedWrite(deps.clock());
    deps.log.error({ event: "api.not_stored", reason: unstored, request_id: requestIdOf(request) }, cause);
    return refusal(cannotStore(unstored), RETRY);
  }
  if (cause instanceof ApiError) return refusal(cause);
  if (isObjectStorageFailure(cause)) {
    deps.log.error({ event: "api.object_storage_failed", request_id: requestIdOf(request) }, cause);
    return refusal(objectStorageUnavailable(), RETRY);
  }
  if (isMissingRow(cause)) {
    // Another request has deleted a row after this request read the row, such as the project of the URL. The
    // warning also reveals a defect of the server that causes the same error.
    deps.log.warn({ event: "api.missing_row", request_id: requestIdOf(request) }, cause);
    return refusal(notFound());
  }
  deps.log.error({ event: "api.failed", request_id: requestIdOf(request) }, cause);
  return overload === "busy" || isUnavailable(cause)
    ? jsonResponse({ message: "503 Service Unavailable" }, { status: 503, headers: { ...PRIVATE, ...RETRY } })
    : jsonResponse({ message: "500 Internal Server Error" }, { status: 500, headers: PRIVATE });
}

const RETRY = { "retry-after": String(RETRY_AFTER_SECONDS) } as const;

function refusal(error: ApiError, headers: Readonly<Record<string, string>> = {}) {
  const { status, body, challenge } = error;
  const challenged = challenge === null ? {} : { "www-authenticate": challenge };
  return jsonResponse(body, { status, headers: { ...PRIVATE, ...challenged, ...error.headers, ...headers } });
}
