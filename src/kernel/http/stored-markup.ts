import { processWide } from "../process/process-wide";

/** The name of the process-wide function that `storeMarkup` declares. */
export const STORED_MARKUP = "stored-markup";

/**
 * Returns the HTML text with this digest of the page that is being rendered. The result is undefined in a
 * browser, where no text is stored.
 */
export const storedMarkup = (digest: string): string | undefined =>
  processWide<(digest: string) => string | undefined>(STORED_MARKUP, () => () => undefined)()(digest);
