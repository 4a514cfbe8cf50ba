import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { cookieValue } from "@/kernel/http/cookie";
import { requestIdOf } from "@/kernel/http/request-id";
import { themeAttribute } from "@/kernel/http/theme";
import { inTheme, type Message, messagePage } from "./static-page";

/** The kinds of errors that prevent a page from being shown. */
export type Failure = "unavailable" | "failed" | "malformed";

const FAILURES: Readonly<Record<Failure, Message & Readonly<{ status: number }>>> = {
  unavailable: {
    status: 503,
    title: "The database is not available",
    text: "This page cannot be shown at the moment. Nothing was changed. Reload the page in a few seconds.",
  },
  failed: {
    status: 500,
    title: "This page could not be displayed",
    text: "An unexpected error occurred on the server and was logged. Try again. If the error persists, contact an administrator.",
  },
  malformed: {
    status: 400,
    title: "This form is invalid",
    text: "The request does not contain a valid form, so nothing was changed. Go back, reload the page and try again.",
  },
};

/** A failed check of the readiness probe: its name in the response of the probe, and the cause or the next step. */
export type FailedCheck = Readonly<{ name: string; text: string }>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Returns the checks of the readiness probe that fail at the moment. The promise never rejects. */
    failedChecks: (deps: Deps) => Promise<readonly FailedCheck[]>;
  }
}

/**
 * Returns the error page for a page that cannot be shown.
 * @param requestId the ID of the request, with which an operator finds the cause of the error in the log.
 * @param deps the dependencies with which the page of an unavailable database determines the failed checks of the
 * readiness probe. Everyone may read the readiness probe, and an administrator cannot sign in without the database.
 */
export async function failurePage(
  failure: Failure,
  requestId: string | null,
  deps: Deps | null,
): Promise<Response> {
  const { status, ...message } = FAILURES[failure];
  const failed = failure === "unavailable" && deps !== null ? await deps.hooks.failedChecks(deps) : [];
  const page = await messagePage(
    status,
    message,
    <>
      {failed.length > 0 ? <FailedChecks checks={failed} /> : null}
      {requestId === null ? null : <RequestId id={requestId} />}
    </>,
  );
  if (failure === "unavailable") page.headers.set("retry-after", String(RETRY_AFTER_SECONDS));
  return page;
}

const FailedChecks = ({ checks }: { readonly checks: readonly FailedCheck[] }) => (
  <div className="grid gap-1 text-small">
    <p>Failed readiness checks of this server:</p>
    <ul className="list-disc pl-5 text-muted">
      {checks.map(({ name, text }) => (
        <li key={name}>
          <code>{name}</code>: {text}
        </li>
      ))}
    </ul>
  </div>
);

/** Shows the ID of a request, which the user includes in an error report. */
export const RequestId = ({ id }: { readonly id: string }) => (
  <p className="text-center text-muted text-small">
    Include this request ID when you report the error: <code className="block break-all">{id}</code>
  </p>
);

/**
 * Runs the handler of a static page with the theme of the cookie `theme`. If the handler throws an error, the
 * result is an error page.
 */
export function respondWithPage(request: Request, run: (deps: Deps) => Promise<Response>): Promise<Response> {
  const deps = systemDeps();
  const theme = themeAttribute(cookieValue(deps.config, request.headers.get("cookie"), "theme"));
  return inTheme(theme, async () => {
    try {
      return await run(deps);
    } catch (cause) {
      const requestId = requestIdOf(request);
      deps.log.error({ event: "page.failed", request_id: requestId }, cause);
      return failurePage(isUnavailable(cause) ? "unavailable" : "failed", requestId, deps);
    }
  });
}
