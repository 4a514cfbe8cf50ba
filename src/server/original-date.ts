/**
 * Restores the global `Date`. Next replaces it with a wrapper that finds uses of the clock in prerendered pages, for the
 * option `cacheComponents`, which is off. A request of the API creates up to ten dates, and the wrapper took a tenth of
 * its processor time.
 * @param original the class `Date` before Next was loaded.
 */
export function restoreDate(original: DateConstructor): void {
  globalThis.Date = original;
  Object.defineProperty(original.prototype, "constructor", { value: original });
}
