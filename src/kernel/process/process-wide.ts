const PLACE = Symbol.for("gatehouse.process-wide");
const place = globalThis as { [PLACE]?: Map<string, unknown> };

/** One map per process. Pages and endpoints are separate bundles, and each loads this module. */
function all(): Map<string, unknown> {
  place[PLACE] ??= new Map();
  return place[PLACE];
}

/**
 * Declares state that all bundles of this process share.
 * @param name unique among such declarations.
 * @param create creates the state when it is first needed.
 * @returns a function that returns the state. Call it at each use and keep no reference to its result.
 */
export const processWide =
  <State>(name: string, create: () => State): (() => State) =>
  () => {
    const values = all();
    if (!values.has(name)) values.set(name, create());
    return values.get(name) as State;
  };

/** Discards all shared state of the process: for tests, of which each file has its own database. */
export const resetProcessWide = (): void => all().clear();
