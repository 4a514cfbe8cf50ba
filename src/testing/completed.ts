import { runInNewContext } from "node:vm";

/** Far more than any work in proportion to its input takes, on the busiest machine. */
const GIVE_UP_MS = 45_000;

/**
 * The result of work that ends in milliseconds if it is in proportion to its input, and in hours or never if it is not:
 * choose an input that is large enough for that.
 * @throws an Error where the work does not end: it is interrupted, also inside a regular expression.
 */
export const completed = <Result>(work: () => Result): Result =>
  runInNewContext("work()", { work }, { timeout: GIVE_UP_MS });
