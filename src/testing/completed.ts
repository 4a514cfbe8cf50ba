import { runInNewContext } from "node:vm";

/** The time limit, which is far longer than any work of linear time takes, even on a busy machine. */
const GIVE_UP_MS = 45_000;

/**
 * Runs work that takes milliseconds in linear time. The input must be so large that quadratic or exponential
 * time would take hours.
 * @returns the result of the work.
 * @throws an Error after 45 seconds. The work is then interrupted, even inside of a regular expression.
 */
export const completed = <Result>(work: () => Result): Result =>
  runInNewContext("work()", { work }, { timeout: GIVE_UP_MS });
