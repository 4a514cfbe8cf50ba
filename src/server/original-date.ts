/**
 * Restores the global `Date`. Next replaces `Date` with a wrapper that finds uses of the clock in prerendered
 * pages. The wrapper of `Date` is needed only for the option `cacheComponents` of Next, which is off. A
 * request of the API creates up to ten dates, and the wrapper would take a tenth of the processor time of the
 * request.
 * @param original the class `Date` before Next was loaded.
 */
export function restoreDate(original: DateConstructor): void {
  globalThis.Date = original;
  Object.defineProperty(original.prototype, "constructor", { value: original });
}
