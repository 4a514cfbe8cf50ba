/**
 * Returns the values of the hidden fields in a page, by their names.
 * @param {string} html
 * @returns {Readonly<Record<string, string>>}
 */
export const hiddenFields = (html) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
    ),
  );
