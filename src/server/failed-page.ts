import { isUnavailable } from "@/kernel/db/errors.ts";
import { systemDeps } from "@/kernel/deps/deps.ts";
import { setPageFailure } from "@/kernel/http/page-status.ts";
import { REQUEST_ID_HEADER } from "@/kernel/http/request-id.ts";
import { loggablePath } from "./request-log.ts";
import { pathOf } from "./request-path.ts";

/** Logs an error that occurred while a page was rendered, in the same format as all other errors. */
export function recordPageFailure(
  cause: unknown,
  { path, headers }: Readonly<{ path: string; headers: NodeJS.Dict<string | string[]> }>,
): void {
  setPageFailure(isUnavailable(cause) ? "unavailable" : "failed");
  const request_id = String(headers[REQUEST_ID_HEADER]);
  systemDeps().log.error({ event: "page.failed", path: loggablePath(pathOf(path)), request_id }, cause);
}
