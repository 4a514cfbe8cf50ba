/** For a browser without a display, in a container, that tells nobody anything. */
export const BROWSER_ARGS: readonly string[];

/** The Chromium to test with; null when there is none. */
export function findBrowser(): string | null;
