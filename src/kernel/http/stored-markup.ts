import { processWide } from "../process/process-wide";

/** Returns the HTML text with this digest of the page that is being rendered. */
type ReadMarkup = (digest: string) => string;

/**
 * Declares the function that reads stored HTML texts. Components that run in browsers use `readStoredMarkup`,
 * because they cannot import the module that stores the texts.
 */
export const markupReader = (create: () => ReadMarkup): (() => ReadMarkup) =>
  processWide("markup-reader", create);

/**
 * Returns an HTML text that `storeMarkup` has stored for the current response.
 * @throws Error if the response has no such text.
 */
export const readStoredMarkup: ReadMarkup = (digest) =>
  markupReader(() => {
    throw new Error("No response of this process stores HTML texts.");
  })()(digest);
