import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "../process/process-wide";

/** `unavailable`: the database does not answer, and the same request may succeed later. */
export type PageFailure = "unavailable" | "failed";

const FAILURE = Symbol.for("gatehouse.page-failure");
type PageResponse = { statusCode: number; [FAILURE]?: PageFailure };

/** The server is in one bundle, the pages are in another. */
const answers = processWide("page-status", () => new AsyncLocalStorage<PageResponse>());

/** Lets what `run` makes choose the status of this answer. */
export const answering = <Result>(answer: PageResponse, run: () => Result): Result =>
  answers().run(answer, run);

/** The same for all that follows from here, where there is nothing to run: in a channel that tells of a request. */
export const answeringFromHere = (answer: PageResponse): void => answers().enterWith(answer);

/**
 * Chooses the status of the page that is being made, for which the page framework has no means. Only while no part of
 * it has left: not below a boundary that is filled in later.
 */
export function setPageStatus(status: number): void {
  const answer = answers().getStore();
  if (answer !== undefined) answer.statusCode = status;
}

/** Records why the page that is being made cannot be made, for the server to answer with a page of its own. */
export function setPageFailure(failure: PageFailure): void {
  const answer = answers().getStore();
  if (answer !== undefined) answer[FAILURE] = failure;
}

export const pageFailureOf = (answer: PageResponse): PageFailure | undefined => answer[FAILURE];
