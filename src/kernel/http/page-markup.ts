import { processWide } from "../process/process-wide";
import { currentResponse, type PageResponse } from "./page-status";
import { STORED_MARKUP } from "./stored-markup";

/** The HTML texts of each response whose document contains these texts, by their digests. */
const texts = processWide("page-markup", () => new WeakMap<PageResponse, Map<string, string>>());

/** Declares that the response is an HTML document, so that `storeMarkup` stores the texts of its page. */
export const storeMarkupOf = (response: PageResponse): void => void texts().set(response, new Map());

/** The function that all bundles of the process share (see `storedMarkup`). */
const read = processWide(STORED_MARKUP, () => (digest: string): string | undefined => {
  const response = currentResponse();
  return response && texts().get(response)?.get(digest);
});

/**
 * Stores an HTML text of the page that is being rendered. The component that writes the text to the document
 * reads the text with `storedMarkup`, so that the data for the scripts of the page need not contain the text.
 * @returns whether the text was stored: false if the response is not an HTML document, or if there is no current
 * response.
 */
export function storeMarkup(digest: string, html: string): boolean {
  const response = currentResponse();
  const stored = response && texts().get(response);
  if (stored === undefined) return false;
  stored.set(digest, html);
  read();
  return true;
}
