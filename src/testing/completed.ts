import { runInNewContext } from "node:vm";

/**
 * The time limit of a callback. A callback of linear time ends long before this limit, even on a busy
 * machine.
 */
const GIVE_UP_MS = 45_000;

/**
 * Runs a callback that ends within milliseconds if its duration is linear in the size of the input. The input
 * must be so large that quadratic or exponential time would take hours.
 * @returns the result of the callback.
 * @throws an Error after 45 seconds. After this time, the function interrupts the callback, even inside of a
 * regular expression.
 */
export const completed = <Result>(work: () => Result): Result =>
  runInNewContext("work()", { work }, { timeout: GIVE_UP_MS });
