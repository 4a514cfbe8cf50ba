import { processWide } from "../process/process-wide";

/** The name of the process-wide function that `storeMarkup` declares. */
export const STORED_MARKUP = "stored-markup";

/**
 * Returns an HTML text of the page that is being rendered, by its number on the page. The result is undefined
 * in a browser, where no text is stored.
 */
export const storedMarkup = (number: number): string | undefined =>
  processWide<(number: number) => string | undefined>(STORED_MARKUP, () => () => undefined)()(number);
