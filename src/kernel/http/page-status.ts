import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "../process/process-wide";

/** `unavailable` means that the database does not respond, and that the same request may succeed later. */
export type PageFailure = "unavailable" | "failed";

const FAILURE = Symbol.for("gatehouse.page-failure");
export type PageResponse = { statusCode: number; [FAILURE]?: PageFailure };

/**
 * All bundles of the process share the page status, because the server and the pages are in different
 * bundles.
 */
const responses = processWide("page-status", () => new AsyncLocalStorage<PageResponse>());

/** Runs the function `run` in a context in which `setPageStatus` sets the status of the current response. */
export const answering = <Result>(response: PageResponse, run: () => Result): Result =>
  responses().run(response, run);

/**
 * Sets the context of `setPageStatus` for the rest of the current asynchronous execution. The function is
 * meant for subscribers of diagnostics channels, because a diagnostics channel reports a request but does not
 * run its handler.
 */
export const answeringFromHere = (response: PageResponse): void => responses().enterWith(response);

/** Returns the response to the request that is being handled, or undefined outside of `answering`. */
export const currentResponse = (): PageResponse | undefined => responses().getStore();

/**
 * Sets the HTTP status of the page that is being rendered, because Next has no function that sets a status.
 * The call has no effect after the first part of the page was sent, for example below a Suspense boundary.
 */
export function setPageStatus(status: number): void {
  const response = currentResponse();
  if (response !== undefined) response.statusCode = status;
}

/** Records the reason why the page cannot be rendered, so that the server responds with an error page. */
export function setPageFailure(failure: PageFailure): void {
  const response = currentResponse();
  if (response !== undefined) response[FAILURE] = failure;
}

export const pageFailureOf = (response: PageResponse): PageFailure | undefined => response[FAILURE];
