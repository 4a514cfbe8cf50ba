import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "../process/process-wide";

/** `unavailable`: the database does not answer, and the same request may succeed later. */
export type PageFailure = "unavailable" | "failed";

const FAILURE = Symbol.for("gatehouse.page-failure");
type PageResponse = { statusCode: number; [FAILURE]?: PageFailure };

/** Process-wide, because the server and the pages are in different bundles. */
const answers = processWide("page-status", () => new AsyncLocalStorage<PageResponse>());

/** Runs `run` in a context in which `setPageStatus` sets the status of this response. */
export const answering = <Result>(answer: PageResponse, run: () => Result): Result =>
  answers().run(answer, run);

/**
 * Sets the same context for everything that follows in the current asynchronous execution, for a diagnostics
 * channel that only announces a request.
 */
export const answeringFromHere = (answer: PageResponse): void => answers().enterWith(answer);

/**
 * Sets the status of the page that is being rendered; Next has no function for that. It has an effect only
 * until the first part of the page is sent, so not below a Suspense boundary.
 */
export function setPageStatus(status: number): void {
  const answer = answers().getStore();
  if (answer !== undefined) answer.statusCode = status;
}

/** Records why the page cannot be rendered, so that the server answers with an error page of its own. */
export function setPageFailure(failure: PageFailure): void {
  const answer = answers().getStore();
  if (answer !== undefined) answer[FAILURE] = failure;
}

export const pageFailureOf = (answer: PageResponse): PageFailure | undefined => answer[FAILURE];
