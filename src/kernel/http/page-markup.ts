import { processWide } from "../process/process-wide";
import { currentResponse, type PageResponse } from "./page-status";
import { markupReader } from "./stored-markup";

/** The HTML texts of each response whose document contains these texts, by their digests. */
const textsByResponse = processWide("page-markup", () => new WeakMap<PageResponse, Map<string, string>>());

const currentTexts = (): Map<string, string> | undefined => {
  const response = currentResponse();
  return response && textsByResponse().get(response);
};

const reader = markupReader(() => (digest) => {
  const html = currentTexts()?.get(digest);
  if (html === undefined) throw new Error("The response does not store this HTML text.");
  return html;
});

/** Declares that the response is an HTML document, so that `storeMarkup` stores the HTML texts of its page. */
export function enableMarkupStore(response: PageResponse): void {
  reader();
  textsByResponse().set(response, new Map());
}

/** Discards the HTML texts of a response that has ended. */
export const discardMarkup = (response: PageResponse): void => void textsByResponse().delete(response);

/**
 * Stores an HTML text of the page that is being rendered. The component that writes the text to the document
 * reads the text with `readStoredMarkup`, so that the flight data of the page need not contain the text.
 * @returns whether the text was stored. The text was not stored if the response is not an HTML document, if
 * there is no current response, or if another text of the page has the same digest.
 */
export function storeMarkup(digest: string, html: string): boolean {
  const texts = currentTexts();
  if (texts === undefined || (texts.get(digest) ?? html) !== html) return false;
  texts.set(digest, html);
  return true;
}
