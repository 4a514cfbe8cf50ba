const PLACE = Symbol.for("gatehouse.process-wide");
const place = globalThis as { [PLACE]?: Map<string, unknown> };

/**
 * The map of the shared state of this process. Pages and endpoints are in separate bundles, and each bundle
 * loads its own copy of this module.
 */
function all(): Map<string, unknown> {
  place[PLACE] ??= new Map();
  return place[PLACE];
}

/**
 * Declares state that all bundles of this process share.
 * @param name the name of the state, which is unique in the process.
 * @param create creates the state when it is first needed.
 * @returns a function that returns the state. Callers must call the returned function at each use, and must
 * not store a reference to the state.
 */
export const processWide =
  <State>(name: string, create: () => State): (() => State) =>
  () => {
    const values = all();
    if (!values.has(name)) values.set(name, create());
    return values.get(name) as State;
  };

/** Discards all shared state of the process, for tests: each test file has a separate database. */
export const resetProcessWide = (): void => all().clear();
